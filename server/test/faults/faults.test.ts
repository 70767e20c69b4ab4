// Shows that the checks of the fault suite can fail: each kind of damage is done by hand, and found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../../faults/check.ts'
import { makeCompanies } from '../../faults/company.ts'
import { type Findings, noFindings } from '../../faults/findings.ts'
import { frames } from '../../faults/frames.ts'
import { randomOf } from '../../faults/random.ts'
import type { Receipt } from '../../faults/receiver-process.ts'
import { answeredWithinMs, checkReported, type Reported, slackMs } from '../../faults/reported.ts'
import { resend } from '../../faults/resend.ts'
import type { Played } from '../../faults/table.ts'
import { isSuccess, type Seen, startTills } from '../../faults/tills.ts'
import { verdictOf } from '../../faults/verdict.ts'
import { checkWebhooks, type Logged, type ToldTrigger, toldWithinMs } from '../../faults/webhooks-check.ts'
import { answered, type Work } from '../../faults/works.ts'
import { testService } from '../support/service.ts'

const service = testService()

/** Lets tills write without faults. Returns their works, creates of customers that did not change, and a way to look. */
async function sound({ run, withoutKeys }: { run: string; withoutKeys: boolean }) {
  const { database, url } = service
  const companies = await makeCompanies(database, 2)
  // Hasty tills send twice at once if there are two servers; under keys that is harmless.
  const urls = () => (withoutKeys ? [url] : [url, url])
  const tills = startTills({ run, seed: 1, companies, urls, count: 4, withoutKeys })
  const { works } = tills
  let singles: Work[] = []
  let bulks: Work[] = []
  for (let limit = 600; singles.length < 15 || bulks.length < 2; limit = works.length + 100) {
    tills.allow(limit)
    await tills.reached(limit)
    // Some begin a little beyond the limit.
    await tills.reached(works.length)
    const changed = new Set(works.flatMap(({ items }) => items.flatMap(({ id }) => id ?? [])))
    // One that was answered twice would be found twice when an answer of it is altered.
    const untouched = works.filter(
      (work) =>
        work.isCreate &&
        work.kind.one === 'customer' &&
        work.otherAnswer === undefined &&
        idsOf(work).every((id) => !changed.has(id)),
    )
    singles = untouched.filter(({ isBulk }) => !isBulk)
    bulks = untouched.filter(({ isBulk }) => isBulk)
  }
  await tills.finish()
  const look = async (): Promise<Findings> => {
    const findings = noFindings()
    await check(findings, { database, url, companies, works, withoutKeys })
    return findings
  }
  return { works, look, singles, bulks }
}

/** Each finding was expected, and each expected one was found once. */
function assertFound(findings: Findings, expected: Partial<Record<keyof Findings, readonly string[]>>): void {
  for (const [sort, sentences] of Object.entries(findings) as [keyof Findings, string[]][]) {
    const patterns = expected[sort] ?? []
    for (const pattern of patterns) {
      const matching = sentences.filter((sentence) => sentence.includes(pattern))
      assert.equal(matching.length, 1, `${sort}: ${pattern}: ${matching.length} of\n${sentences.join('\n')}`)
    }
    assert.equal(sentences.length, patterns.length, `${sort}:\n${sentences.join('\n')}`)
  }
}

test('the fault suite finds nothing without a fault, and everything that is lost, duplicated, half done or changed', async () => {
  const { database } = service
  const { look, singles, bulks } = await sound({ run: 'without', withoutKeys: true })
  assert.deepEqual(await look(), noFindings())

  const [gone, silent, doubled, edited] = singles.map((work) => idsOf(work)[0] as string) as [
    string,
    string,
    string,
    string,
  ]
  const [bulk] = bulks as [Work]
  const [half] = idsOf(bulk) as [string]
  const copy = doubled.replace(/^......../, '00000000')
  const columns = 'company_id, sequence + 1000000, type, created_at, resource'

  await database.query('delete from customers where id = $1', [gone])
  for (const id of [silent, half]) {
    await database.query('delete from customers where id = $1', [id])
    await database.query('delete from events where record_id = $1', [id])
  }
  await database.query(
    `insert into customers (company_id, id, body)
     select company_id, $2::text, replace(body::text, $1::text, $2)::json from customers where id = $1`,
    [doubled, copy],
  )
  await database.query(
    `insert into events (company_id, sequence, type, created_at, resource, id, record_id, data)
     select ${columns}, $2::text, $2, replace(data::text, $1::text, $2)::json from events where record_id = $1`,
    [doubled, copy],
  )
  await database.query(`update customers set body = replace(body::text, 'Lovelace', 'Byron')::json where id = $1`, [
    edited,
  ])

  // A payment that lost its sale, one that was paid back and lost its, and a unit that came back to the shelf.
  const losePayment = async (condition: string, values: readonly string[] = []) => {
    const [payment] = await database.query(
      `select company_id, id, order_id from transactions where ${condition} order by id limit 1`,
      values,
    )
    const [companyId, paymentId, saleId] = payment as [string, string, string]
    await database.query(
      `update transactions set body = replace(body::text, $3, '0')::json where company_id = $1 and id = $2`,
      [companyId, paymentId, saleId],
    )
    return { companyId, paymentId, saleId }
  }
  const { companyId, paymentId, saleId } = await losePayment(`type <> 'refund'`)
  const back = await losePayment(`type = 'refund' and order_id <> $1`, [saleId])
  await database.query(
    `update inventories set body = jsonb_set(body::jsonb, '{stock}', '999999')::json where company_id = $1 and body ->> 'stock' like '99____'`,
    [companyId],
  )

  const { lost, twice, half: halves, wrong } = await look()
  assert.equal(lost.length, 3, lost.join('\n'))
  assert.ok(lost.some((sentence) => sentence.includes(gone)))
  assert.equal(twice.length, 1, twice.join('\n'))
  assert.match(twice[0] as string, /done 2 times/)
  const isHalf = (...parts: string[]) => halves.some((sentence) => parts.every((part) => sentence.includes(part)))
  assert.equal(halves.length, 6, halves.join('\n'))
  assert.ok(isHalf(bulk.key, '19 of 20'))
  assert.ok(isHalf(`sale ${saleId} has 1 payments`) && isHalf(`payment ${paymentId} is of no sale`))
  assert.ok(
    isHalf(`sale ${back.saleId} has 2 payments`, '1 refunds') && isHalf(`payment ${back.paymentId} is of no sale`),
  )
  assert.ok(isHalf('left 999999 of 1000000 units'))
  assert.equal(wrong.length, 1, wrong.join('\n'))
  assert.ok(wrong[0]?.includes(edited))
})

test('under keys, the fault suite finds nothing without a fault, and each response and key that differs from the work', async () => {
  const { database, url, caller } = service
  const { works, look, singles, bulks } = await sound({ run: 'keyed', withoutKeys: false })
  const again = async (some: readonly Work[]) => {
    const findings = noFindings()
    const sent = await resend(findings, { url, works: some, random: randomOf(1, 'again') })
    return { findings, sent }
  }
  assert.ok(works.some(({ habit, answer }) => habit === 'hasty' && answer && isSuccess(answer)))
  assert.deepEqual(await again(works), { findings: noFindings(), sent: 300 })
  assert.deepEqual(await look(), noFindings())

  const next = (from: Work[]): Work => from.shift() as Work
  const idOf = (work: Work): string => idsOf(work)[0] as string
  const found: Record<keyof Findings, string[]> = { lost: [], twice: [], half: [], wrong: [] }
  const ask = (work: Work) => caller({ 'x-api-key': work.company.apiKey })
  const keptOf = (work: Work) => [work.company.id, work.key]

  // Responses to repeated requests.
  const otherText = next(singles)
  const otherStatus = next(singles)
  const otherRequest = next(singles)
  const forgotten = next(singles)
  const kept = 'where owner_id = $1 and key = $2'
  await database.query(
    `update idempotency_keys set answer = replace(answer, 'Lovelace', 'Byron') ${kept}`,
    keptOf(otherText),
  )
  await database.query(`update idempotency_keys set status = 200 ${kept}`, keptOf(otherStatus))
  await database.query(`update idempotency_keys set fingerprint = 'other' ${kept}`, keptOf(otherRequest))
  await database.query(`delete from idempotency_keys ${kept}`, keptOf(forgotten))
  const harmed = await again([otherText, otherStatus, otherRequest, forgotten])
  assert.equal(harmed.sent, 4)
  assertFound(harmed.findings, {
    wrong: [
      `${otherText.key} sent again: another text`,
      `${otherStatus.key} sent again: status 200 in place of 201`,
      `${otherRequest.key} sent again: status 422 in place of 201, another text, no Idempotent-Replayed`,
      `${forgotten.key} sent again: another text, no Idempotent-Replayed`,
    ],
  })
  found.twice.push(`${forgotten.key} (${forgotten.habit}, ${forgotten.tries} tries): done 2 times`)

  // Stored keys.
  const unkept = next(singles)
  const undone = next(singles)
  await database.query(`delete from idempotency_keys ${kept}`, keptOf(unkept))
  found.wrong.push(`${unkept.key}: done, and its key is not kept`)
  await database.query('delete from customers where id = $1', [idOf(undone)])
  await database.query('delete from events where record_id = $1', [idOf(undone)])
  found.lost.push(`${undone.key} (`)
  found.wrong.push(`${undone.key}: not done, and its key is kept`)

  // Responses.
  const reported = (work: Work, sentence: string) =>
    found.wrong.push(`${work.key} (${work.habit}, ${work.tries} tries): ${sentence}`)
  const otherwise = next(singles)
  const elsewhere = next(singles)
  const refused = next(singles)
  const unanswered = next(singles)
  const answer = (work: Work) => work.answer as NonNullable<Work['answer']>
  otherwise.otherAnswer = { ...answer(otherwise), text: answer(unkept).text }
  reported(otherwise, 'two equal requests were answered 201 and 201, or other texts')
  elsewhere.otherAnswer = { ...answer(elsewhere), status: 200 }
  reported(elsewhere, 'two equal requests were answered 201 and 200, or other texts')
  refused.answer = { ...answer(refused), status: 422 }
  reported(refused, 'refused with 422')
  delete unanswered.answer
  Object.assign(unanswered, { habit: 'patient' })
  reported(unanswered, 'no answer in all that time')
  const partly = next(bulks)
  const { results, ...rest } = JSON.parse(answer(partly).text)
  const error = { index: 0, status: 'error', error: { statusCode: 400 } }
  partly.answer = { ...answer(partly), text: JSON.stringify({ ...rest, results: [error, ...results.slice(1)] }) }
  reported(partly, 'item 0 was refused')

  // Writes.
  const pieces = next(bulks)
  await database.query(`update events set written_in = '3' where record_id = $1`, [idOf(pieces)])
  found.half.push(`${pieces.key} (${pieces.habit}, ${pieces.tries} tries): written in 2 transactions`)
  const altered = next(singles)
  const repeated = next(singles)
  const meddled = next(singles)
  await database.query(`update events set data = replace(data::text, 'Lovelace', 'Byron')::json where record_id = $1`, [
    idOf(altered),
  ])
  reported(altered, `answered ${JSON.stringify(JSON.parse(answer(altered).text))}, and the event has`)
  found.wrong.push(`record ${idOf(altered)} is`)
  await database.query(
    `insert into events (company_id, sequence, type, created_at, resource, id, record_id, data)
     select company_id, sequence + 1000000, type, created_at, resource, $2, record_id, data from events where record_id = $1`,
    [idOf(repeated), `${idOf(repeated).slice(0, -4)}ffff`],
  )
  found.twice.push(`${repeated.key} (${repeated.habit}, ${repeated.tries} tries): done 2 times`)
  found.wrong.push(`record ${idOf(repeated)} has 2 events of its creation`)
  assert.equal((await ask(meddled)('PATCH', `/v1/customer/${idOf(meddled)}`, { lastName: 'King' })).status, 200)
  found.wrong.push(`customer.updated ${idOf(meddled)}: no till asked for it`)
  const stray = await ask(meddled)('POST', '/v1/customer', { firstName: 'Stray' })
  found.wrong.push(`customer.created ${stray.body.id}: no till asked for it`)
  const mute = await ask(meddled)('POST', '/v1/customer', { firstName: 'Mute' })
  await database.query('delete from events where record_id = $1', [mute.body.id])
  found.wrong.push(`record ${mute.body.id} has no event`)

  assertFound(await look(), found)
})

test('a run with an unnoticed fault, without retried keys or with a slow response is found wrong', () => {
  const seen: Seen = {
    broken: 1,
    unavailable: 1,
    inProgress: 0,
    limited: 0,
    faults: [],
    replayed: 0,
    longestMs: answeredWithinMs + 20,
    answeredMs: [900, 1, 1],
  }
  const wrong = (reported: Partial<Reported>): readonly string[] => {
    const findings = noFindings()
    checkReported(findings, { seen, times: 1, mustSee: 'broken', resent: 1, ...reported })
    assertFound(findings, { wrong: findings.wrong })
    return findings.wrong
  }
  assert.deepEqual(wrong({}), [])
  assert.deepEqual(wrong({ seen: { ...seen, broken: 0 }, mustSee: 'unavailable', resent: undefined }), [])
  assert.deepEqual(wrong({ seen: { ...seen, broken: 0 } }), ['no connection broke: the tills did not notice it'])
  assert.deepEqual(wrong({ seen: { ...seen, unavailable: 0 }, mustSee: 'unavailable' }), [
    'no request was answered 503: the tills did not notice it',
  ])
  assert.deepEqual(wrong({ times: 0 }), ['the fault never struck'])
  assert.deepEqual(wrong({ resent: 0 }), ['no request was sent again under its key'])
  assert.deepEqual(wrong({ seen: { ...seen, longestMs: answeredWithinMs + 21 } }), [
    `a request was answered, or broke, only after ${answeredWithinMs + 21} ms`,
  ])
  assert.equal(slackMs({ answeredMs: [] }), 0)
  assert.deepEqual(wrong({ seen: { ...seen, faults: ['POST /v1/order: 500'] } }), ['POST /v1/order: 500'])
})

test('a run succeeds only if a fault was run, nothing was found, and no possible fault was skipped', () => {
  const outcome = (findings: Findings) => ({ times: 1, works: [], findings, seen: {} as Seen })
  const played = (outcome: Played['outcome']): Played => ({ fault: 'disk full', seconds: 1, outcome })
  const good = played(outcome(noFindings()))
  const bad = played(outcome({ ...noFindings(), lost: ['a sale'] }))
  const [unable, unprivileged] = [true, false].map((isMachine) => played({ skipped: 'no small disk', isMachine })) as [
    Played,
    Played,
  ]
  const verdict = (all: readonly Played[], isCi = false) => {
    const { lines, code } = verdictOf(all, { isCi })
    return [code, lines.filter((line) => line.startsWith('SKIPPED: disk full: no small disk')).length]
  }
  assert.deepEqual(verdict([good]), [0, 0])
  assert.deepEqual(verdict([good, bad]), [1, 0])
  assert.deepEqual(verdict([]), [1, 0])
  assert.deepEqual(verdict([unable]), [1, 1])
  assert.deepEqual(
    [verdict([good, unable]), verdict([good, unable], true)],
    [
      [0, 1],
      [0, 1],
    ],
  )
  assert.deepEqual(
    [verdict([good, unprivileged]), verdict([good, unprivileged], true)],
    [
      [0, 1],
      [1, 1],
    ],
  )
})

test('events that are missing at a receiver or in the log, out of order, repeated without a fault or late are found, and no others', () => {
  const ids = ['first', 'second', 'third']
  const events = ids.map((id, n) => ({ id, sequence: n + 1, ...(id === 'third' && { answeredAt: 1_000 }) }))
  const log = (state: string, attempts = 1): Logged[] =>
    ids.map((eventId) => ({ eventId, state, attempts, isDue: state === 'pending' }))
  const good: ToldTrigger = {
    name: 'R',
    manner: 'good',
    position: 3,
    log: log('succeeded'),
    receipts: ids.map((id) => [id, 1_000, true]),
  }
  const failing: ToldTrigger = { ...good, manner: 'failing', receipts: [['first', 0, false], ...good.receipts] }
  const dead: ToldTrigger = { ...good, manner: 'dead', receipts: [], log: log('pending') }
  const hanging: ToldTrigger = { ...dead, manner: 'hanging', receipts: [['first', 0, false]], log: [], position: 0 }
  const found = (
    trigger: ToldTrigger,
    expected: Partial<Record<keyof Findings, readonly string[]>>,
    mayWait = false,
  ) => {
    const findings = noFindings()
    const tally = checkWebhooks(findings, { events, triggers: [trigger], mayWait, slackMs: 10 })
    assertFound(findings, expected)
    return tally
  }
  for (const trigger of [good, { ...good, manner: 'slow' as const }, failing, dead, hanging]) found(trigger, {})
  const [one, two, three] = good.receipts as [Receipt, Receipt, Receipt]

  for (const manner of ['good', 'slow'] as const)
    found(
      { ...good, manner, receipts: [one, three], log: log('pending') },
      {
        lost: ['event 2 second never reached R'],
        wrong: ['event 1 first was taken', 'event 3 third was taken'],
      },
    )
  const refused: ToldTrigger = { ...failing, receipts: [['first', 0, false], two, three] }
  found(refused, { lost: ['event 1 first never reached R'] })
  const put = log('succeeded').with(0, log('pending')[0] as Logged)
  for (const receipts of [refused.receipts, failing.receipts])
    assert.equal(found({ ...failing, receipts, log: put }, {}, true).waiting, 1)
  found({ ...failing, log: put }, { wrong: ['event 1 first was taken'] })
  found(refused, { lost: ['event 1 first never reached R'] }, true)
  found({ ...failing, receipts: good.receipts }, { wrong: ['R never failed'] })
  found(
    { ...dead, log: log('failed').with(0, log('pending', 0)[0] as Logged) },
    {
      lost: ids.map((id) => `${id}: no delivery to R`),
    },
  )
  found({ ...hanging, receipts: [] }, { wrong: ['R was never called'] })
  found(
    { ...hanging, position: 2 },
    { lost: ['event 1 first: R is dispatched up to 2', 'event 2 second: R is dispatched up to 2'] },
  )
  found({ ...good, receipts: [...good.receipts, ['strange', 0, true]] }, { wrong: ['R received strange'] })

  const { again } = found({ ...good, receipts: [one, two, one, two, two, three] }, {})
  assert.deepEqual(again, { calls: 3, most: 3 })
  found({ ...good, receipts: [one, two, three, three] }, { twice: ['event 3 third came to R 2 times in peace'] })
  const { inversions } = found({ ...good, receipts: [two, one, three] }, { wrong: ['event 1 first came to R after 2'] })
  assert.equal(inversions, 1)
  found({ ...good, receipts: [two, one, three], log: log('succeeded', 2) }, {})
  const late: ToldTrigger = { ...good, receipts: [one, two, ['third', 1_011 + toldWithinMs, true]] }
  found(late, { wrong: [`event 3 third came to R only ${toldWithinMs + 11} ms`] })
})

test('the proxy of the fault suite recognizes each message of PostgreSQL, however its bytes are split', () => {
  const start = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0])
  const query = Buffer.concat([Buffer.from('Q'), Buffer.from([0, 0, 0, 11]), Buffer.from('commit\0')])
  const bytes = Buffer.concat([start, query, query])
  for (let size = 1; size <= bytes.length; size++) {
    const read = frames(true)
    const messages = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      read(bytes.subarray(n * size, (n + 1) * size)),
    ).flat()
    assert.deepEqual(
      messages.map(({ letter, content }) => [letter, content.toString('latin1')]),
      [
        ['', '\0\x03\0\0'],
        ['Q', 'commit\0'],
        ['Q', 'commit\0'],
      ],
    )
  }
})

const idsOf = (work: Work): string[] =>
  work.answer ? answered(work, work.answer).map((record) => String(record?.id)) : []
