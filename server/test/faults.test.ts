// Shows that the checks of the fault suite can fail: each sort of harm is done by hand, and found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../faults/check.ts'
import { makeCompanies } from '../faults/company.ts'
import { type Findings, noFindings } from '../faults/findings.ts'
import { frames } from '../faults/frames.ts'
import { startTills } from '../faults/tills.ts'
import { answered, type Work } from '../faults/works.ts'
import { testService } from './support/service.ts'

const service = testService()

test('the fault suite finds nothing where nothing failed, and each thing that is lost, doubled, half or changed', async () => {
  const { database, url } = service
  const companies = await makeCompanies(database, 2)
  const tills = startTills({ run: 'sound', seed: 1, companies, urls: () => [url], count: 4, withoutKeys: true })
  tills.allow(600)
  await tills.reached(600)
  await tills.finish()
  const { works } = tills
  const look = async (): Promise<Findings> => {
    const findings = noFindings()
    await check(findings, { database, url, companies, works, withoutKeys: true })
    return findings
  }
  assert.deepEqual(await look(), noFindings())

  const changed = new Set(works.flatMap(({ items }) => items.flatMap(({ id }) => id ?? [])))
  const untouched = works.filter(
    (work) => work.isCreate && work.kind.one === 'customer' && idsOf(work).every((id) => !changed.has(id)),
  )
  const singles = untouched.filter(({ isBulk }) => !isBulk)
  const [gone, silent, doubled, edited] = singles.map((work) => idsOf(work)[0] as string) as [
    string,
    string,
    string,
    string,
  ]
  const bulk = untouched.find(({ isBulk }) => isBulk) as Work
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

  const { lost, twice, half: halves, wrong } = await look()
  assert.equal(lost.length, 3, lost.join('\n'))
  assert.ok(lost.some((sentence) => sentence.includes(gone)))
  assert.equal(twice.length, 1, twice.join('\n'))
  assert.match(twice[0] as string, /done 2 times/)
  assert.deepEqual(
    halves.map((sentence) => [sentence.includes(bulk.key), sentence.includes('19 of 20')]),
    [[true, true]],
  )
  assert.equal(wrong.length, 1, wrong.join('\n'))
  assert.ok(wrong[0]?.includes(edited))
})

test('the proxy of the fault suite knows each message of PostgreSQL, however its bytes are cut', () => {
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
