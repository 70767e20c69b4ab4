// Alerts: people of a company learn of failing webhooks, ended imports, low stock and differing sessions, by bell and mail, once, and nobody else does.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '../src/database/connect.ts'
import { addIdentity } from '../src/features/people/identities.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import type { Service } from '../src/service.ts'
import { startService } from '../src/service.ts'
import { copyDatabase } from './support/database.ts'
import { csvOf, imported, mugs } from './support/imports.ts'
import { mailServer, mailSettings } from './support/mail-server.ts'
import { type Browser, join, newUser, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Caller, sharedService, type TestService, testSettings } from './support/service.ts'

const plain = sharedService()
const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

let stage: {
  readonly smtp: Awaited<ReturnType<typeof mailServer>>
  readonly service: TestService
  readonly database: Database
  readonly organizationId: string
}

/** Two servers that look at companies all the time, with one mail server. */
before(async () => {
  const smtp = await mailServer({ after: (end) => void ends.push(end) })
  const { connection, drop } = await copyDatabase()
  const settings = {
    ...testSettings,
    mail: mailSettings(smtp.port),
    mailing: { pauseMs: () => 20, lookMs: 100 },
    alerts: { lookMs: 150, checkMs: 150, triggersMs: 200, failingMs: 60_000, stockMailMs: 400, companyMailMs: 0 },
  }
  // One of them imports: its threads load the service once more.
  const other = { ...settings, importing: { isWorking: false } }
  const services: Service[] = [await startService(connection, settings), await startService(connection, other)]
  ends.push(drop, ...services.map(({ close }) => close))
  const [{ url, database }] = services as [Service, Service]
  const { organizationId } = await createOrganization(database, { name: 'Shops', ownerEmail: 'owner@example.com' })
  const service = { ...plain, url, database, caller: (own = {}, at = url) => plain.caller(own, at) } as TestService
  stage = { smtp, service, database, organizationId }
})

/** A company with an owner and a viewer. */
async function shop(name = 'Corner Shop') {
  const { smtp, service, database, organizationId } = stage
  const created = { name, currency: 'EUR', timezone: 'Europe/Vienna', organizationId }
  const { companyId, apiKey } = await createCompany(database, created)
  const place = { companyId }
  const call = service.caller({ 'x-api-key': apiKey })
  const owner = await newUser(service, place)
  const viewer = await newUser(service, place, 'viewer')
  const bell = async (browser: Browser) => (await browser.about(place)('GET', '/v1/alerts')).body
  const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to[0] === email)
  return { ...stage, companyId, place, call, owner, viewer, bell, mailsTo }
}

const made = async (call: Caller, path: string, body: object) => {
  const reply = await call('POST', path, body)
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

/** Variants of one product that are in stock. */
async function stocked(call: Caller, stocks: readonly number[]) {
  const outlet = await made(call, '/v1/outlet', { name: 'Main Street' })
  const product = await made(call, '/v1/product', { name: 'Espresso beans' })
  const levels: string[] = []
  for (const stock of stocks) {
    const variant = await made(call, '/v1/variant', { productId: product.id, manageStock: true })
    levels.push((await made(call, '/v1/inventory', { variantId: variant.id, outletId: outlet.id, stock })).id)
  }
  const set = (n: number, stock: number) => call('PATCH', `/v1/inventory/${levels[n]}`, { stock })
  const setTogether = (stocks: readonly number[]) =>
    call('PATCH', '/v1/inventories', { items: stocks.map((stock, n) => ({ id: levels[n], stock })) })
  return { set, setTogether }
}

test('stock that gets low is one alert and one mail to each person, is renewed with more of it, and recovers', async () => {
  const { call, owner, viewer, service, bell, mailsTo, place } = await shop()
  const { set, setTogether } = await stocked(call, [9, 9, 9])
  const browser = await signIn(service, owner.email)
  assert.deepEqual(await bell(browser), { data: [], meta: { unread: 0 } })
  await setTogether([2, 4])
  await until('mails arrived', () => mailsTo(owner.email).length + mailsTo(viewer.email).length === 2)
  const [mail] = mailsTo(owner.email)
  assert.match(mail?.subject ?? '', /^Stock is low: 2 variants · Corner Shop$/)
  assert.match(mail?.text ?? '', /Espresso beans: 2 left at Main Street/)
  const { data, meta } = await bell(browser)
  assert.deepEqual([data.length, meta.unread, data[0].state], [1, 1, 'open'])
  assert.deepEqual([data[0].details.count, data[0].details.levels.length], [2, 2])

  // Read, and still low: nothing new. A further variant is.
  await browser.about(place)('POST', '/v1/alerts/read', {})
  await set(0, 1)
  await until('the stock is renewed', async () => (await bell(browser)).data[0].details.levels[0].stock === 1)
  assert.equal((await bell(browser)).meta.unread, 0)
  await set(2, 0)
  await until('it is unread', async () => (await bell(browser)).meta.unread === 1)
  await until('a second mail', () => mailsTo(owner.email).length === 2)
  for (const n of [0, 1, 2]) await set(n, 50)
  await until('it has recovered', async () => (await bell(browser)).data[0].state === 'recovered')
  assert.equal((await bell(browser)).meta.unread, 0)
  assert.equal(mailsTo(owner.email).length, 2)
})

test('a webhook whose calls fail is an alert until a call succeeds, and the alert of one that the service switches off says why', async () => {
  const { call, owner, service, database, companyId, bell, mailsTo } = await shop()
  const browser = await signIn(service, owner.email)
  const trigger = await made(call, '/v1/automation-trigger', {
    triggerType: 'order.*',
    triggerUrl: 'https://hooks.example.com/x',
    customTriggerName: 'Send receipts',
  })
  const fail = (since: string | null) =>
    database.query('update automation_triggers set failing_since = $3 where company_id = $1 and id = $2', [
      ...[companyId, trigger.id, since],
    ])
  await fail(new Date().toISOString())
  await fail(new Date(Date.now() - 120_000).toISOString())
  await until('a mail', () => mailsTo(owner.email).length === 1)
  assert.equal(mailsTo(owner.email)[0]?.subject, 'Webhook Send receipts is failing · Corner Shop')
  const url = `https://pos.shop.example/console/c/${companyId}/automation/${trigger.id}`
  assert.ok(mailsTo(owner.email)[0]?.text.includes(url))
  const [alert] = (await bell(browser)).data
  assert.deepEqual(
    [alert.state, alert.details.triggerId, alert.details.host],
    ['open', trigger.id, 'hooks.example.com'],
  )
  await fail(null)
  await until('it has recovered', async () => (await bell(browser)).data[0].state === 'recovered')
  // A person who switches it off needs no alert; the service does.
  await call('PATCH', `/v1/automation-trigger/${trigger.id}`, { isActive: false })
  await call('PATCH', `/v1/automation-trigger/${trigger.id}`, { isActive: true })
  const { switchOff } = await import('../src/features/webhooks/triggers.ts')
  const [row] = await database.query('select version from automation_triggers where company_id = $1 and id = $2', [
    ...[companyId, trigger.id],
  ])
  const key = { companyId, triggerId: trigger.id, version: row?.[0] }
  assert.ok(await switchOff(database, key, 'Every call failed for 5 days.'))
  await until('a second mail', () => mailsTo(owner.email).length === 2)
  assert.match(mailsTo(owner.email)[1]?.text ?? '', /was switched off[\s\S]*Every call failed for 5 days/)
  await call('DELETE', `/v1/automation-trigger/${trigger.id}`)
  await until('it is over', async () => (await bell(browser)).data.every(({ state }: any) => state === 'recovered'))
})

test('an import that ends, and a session closed with a difference, are stored with their cause', async () => {
  const { call, owner, service, bell, mailsTo } = await shop()
  const browser = await signIn(service, owner.email)
  const { id } = await imported(call, csvOf(mugs(2, { Stock: 50 })), 'fileName=mugs.csv')
  await until('a mail', () => mailsTo(owner.email).length === 1)
  const outlet = await made(call, '/v1/outlet', { name: 'Main Street' })
  const station = await made(call, '/v1/station', { name: 'Till 1', outletId: outlet.id, status: 'AVAILABLE' })
  const open = () => made(call, '/v1/session', { stationId: station.id, openTime: '2026-11-20T08:00:00.000Z', openingAmount: '100.00' }) // biome-ignore format: one thought
  const exactly = await open()
  await made(call, `/v1/session/${exactly.id}/close`, { counted: { cash: '100.00' } })
  const short = await open()
  await made(call, `/v1/session/${short.id}/close`, { counted: { cash: '99.50' } })
  await until('a second mail', () => mailsTo(owner.email).length === 2)
  const { data } = await bell(browser)
  assert.deepEqual(
    data.map(({ details, state }: any) => [details.kind, state, details.importId ?? details.sessionId]),
    [
      ['session', 'done', short.id],
      ['import', 'done', id],
    ],
  )
  assert.deepEqual(data[0].details.differences, [{ currency: 'EUR', paymentMethod: 'cash', difference: '-0.50' }])
  assert.match(
    mailsTo(owner.email)[1]?.text ?? '',
    /at Main Street, Till 1[\s\S]*Cash: -0\.50 EUR[\s\S]*Europe\/Vienna/,
  )
})

test('a session that an update closes and counts is an alert like its closing, once; one that was counted right, or closed long ago, is no alert', async () => {
  const { call, owner, service, bell } = await shop()
  const browser = await signIn(service, owner.email)
  const station = await made(call, '/v1/station', { name: 'Till 1', outletId: 'o', status: 'AVAILABLE' })
  const openTime = new Date(Date.now() - 60_000).toISOString()
  const closeTime = new Date().toISOString()
  const opening = { stationId: station.id, openTime, openingAmount: '100.00' }
  /** A session with 20.00 in cash, 5.00 paid out, and 30.00 by card. */
  async function open(): Promise<string> {
    const { id } = await made(call, '/v1/session', opening)
    for (const [paymentMethod, amount] of [['cash', '20.00'], ['credit_card', '30.00']]) // biome-ignore format: one thought
      await made(call, '/v1/transaction', { sessionId: id, paymentMethod, amount })
    await made(call, '/v1/cash-movement', { sessionId: id, type: 'pay-out', amount: '5.00' })
    return id
  }
  type Write = (id: string) => readonly [method: string, path: string, body: object]
  const patch = (body: object): Write => (id) => ['PATCH', `/v1/session/${id}`, body] // biome-ignore format: one thought
  async function closedBy(...writes: readonly Write[]): Promise<string> {
    const id = await open()
    for (const write of writes) {
      const { status, text } = await call(...write(id))
      assert.ok(status < 300, text)
    }
    return id
  }
  await closedBy(patch({ closeTime, closingAmounts: { cash: '115.00', credit_card: '30.00' } }))
  // Methods are counted as transactions have them: these are the same ones.
  await closedBy(patch({ closeTime, closingAmounts: { Cash: '115.00', Credit_Card: '30.00' } }))
  const short = await closedBy(patch({ closeTime, closingAmount: '114.50' }), patch({ closingAmount: '114.00' }))
  // What `closingAmounts` says of cash takes precedence.
  const counts = { closeTime, closingAmount: '1', closingAmounts: { cash: '115.00', credit_card: '31' } }
  const byPut = await closedBy((id) => ['PUT', `/v1/api/session/${id}`, counts])
  const inBulk = await closedBy((id) => ['PATCH', '/v1/sessions', { items: [{ id, closeTime, closingAmount: '120' }] }])
  const inTurn = await closedBy(patch({ closeTime }), patch({ closingAmount: '115.01' }))
  const hoursAway = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const lately = await closedBy(patch({ closeTime: hoursAway(-23), closingAmount: '115.02' }))
  for (const hours of [-25, 25, 24 * 365 * 60]) await closedBy(patch({ closeTime: hoursAway(hours), closingAmount: '1' })) // biome-ignore format: one thought
  await closedBy((id) => ['POST', `/v1/session/${id}/close`, {}], patch({ closingAmounts: { credit_card: '30' } }))
  await made(call, '/v1/session', { ...opening, closeTime, closingAmount: '1' })
  // The second run begins with the 115.00 that the closing of the first one expected.
  const afterClosing = await closedBy(
    (id) => ['POST', `/v1/session/${id}/close`, {}],
    patch({ closeTime: null }),
    (sessionId) => ['POST', '/v1/transaction', { sessionId, paymentMethod: 'cash', amount: '10.00' }],
    patch({ closeTime }),
    patch({ closingAmount: '124.00' }),
  )
  // What comes late for one session changes nothing for the next ones.
  await made(call, '/v1/cash-movement', { sessionId: inTurn, type: 'drop', amount: '50.00' })
  await closedBy(patch({ closeTime, closingAmount: '115.00' }))
  const { data } = await bell(browser)
  const difference = (paymentMethod: string, difference: string) => [{ currency: 'EUR', paymentMethod, difference }]
  assert.deepEqual(
    data.map(({ details }: any) => [details.sessionId, details.differences]),
    [
      [afterClosing, difference('cash', '-1.00')],
      [lately, difference('cash', '0.02')],
      [inTurn, difference('cash', '0.01')],
      [inBulk, difference('cash', '5.00')],
      [byPut, difference('credit_card', '1.00')],
      [short, difference('cash', '-0.50')],
    ],
  )
})

test('a session with more records than an alert may read is not compared, but others of the same request are', async () => {
  const { call, owner, service, bell, companyId, database } = await shop()
  const browser = await signIn(service, owner.email)
  const station = await made(call, '/v1/station', { name: 'Till 1', outletId: 'o', status: 'AVAILABLE' })
  const closeTime = new Date().toISOString()
  const closed = () => made(call, '/v1/session', { stationId: station.id, openTime: closeTime, closeTime })
  const large = await closed()
  const small = await closed()
  await database.query(
    `insert into transactions (company_id, id, version, body)
     select $1, n::text, 1, json_build_object('createdAt', $2::text, 'updatedAt', $2::text, 'sessionId', $3::text) from generate_series(1, 10001) as n`,
    [companyId, closeTime, large.id],
  )
  const items = [large, small].map(({ id }) => ({ id, closingAmount: '1.00' }))
  assert.equal((await call('PATCH', '/v1/sessions', { items })).body.summary.succeeded, 2)
  assert.deepEqual(
    (await bell(browser)).data.map(({ details }: any) => details.sessionId),
    [small.id],
  )
})

test('each kind is switched off by each person, for the mail and for the bell', async () => {
  const { call, owner, viewer, service, bell, mailsTo } = await shop()
  const silent = await signIn(service, owner.email)
  const other = await signIn(service, viewer.email)
  const before = (await silent.call('GET', '/v1/console/alert-settings')).body
  assert.deepEqual(before.stock, { bell: true, mail: true })
  assert.equal(before.isMailOn, true)
  const changed = await silent.call('PATCH', '/v1/console/alert-settings', { import: { mail: false, bell: false } })
  assert.deepEqual([changed.body.import, changed.body.stock], [{ bell: false, mail: false }, before.stock])
  const again = await silent.call('PATCH', '/v1/console/alert-settings', { import: { bell: true } })
  assert.deepEqual(again.body.import, { bell: true, mail: false })
  await silent.call('PATCH', '/v1/console/alert-settings', { import: { bell: false } })
  assertProblem(await silent.call('PATCH', '/v1/console/alert-settings', { weather: {} }), 400, 'validation_failed')
  assertProblem(await silent.call('PATCH', '/v1/console/alert-settings', { stock: { mail: 1 } }), 400)
  await imported(call, csvOf(mugs(1, { Stock: 50 })), 'fileName=mugs.csv')
  await until('the other person got a mail', () => mailsTo(viewer.email).length === 1)
  assert.equal(mailsTo(owner.email).length, 0)
  assert.deepEqual((await bell(silent)).data, [])
  assert.equal((await bell(other)).meta.unread, 1)
})

test('each person marks alerts as read for themselves: one by one, or all', async () => {
  const { call, owner, viewer, service, bell, place } = await shop()
  const one = await signIn(service, owner.email)
  const other = await signIn(service, viewer.email)
  for (const name of ['a', 'b']) await imported(call, csvOf(mugs(1, { Stock: 50 })), `fileName=${name}.csv`)
  const { data, meta } = await bell(one)
  assert.equal(meta.unread, 2)
  const read = (browser: Browser, body: object) => browser.about(place)('POST', '/v1/alerts/read', body)
  assert.equal((await read(one, { ids: [data[0].id, 'f'.repeat(24)] })).status, 200)
  assert.deepEqual(
    (await bell(one)).data.map(({ isRead }: any) => isRead),
    [true, false],
  )
  await read(one, {})
  assert.deepEqual([(await bell(one)).meta.unread, (await bell(other)).meta.unread], [0, 2])
})

test('nobody of another company reads, marks or gets an alert, nor a person who has left', async () => {
  const { call, owner, service, database, companyId, bell, place, smtp } = await shop()
  const elsewhere = await shop('Elsewhere')
  const stranger = await signIn(service, elsewhere.owner.email)
  const left = await newUser(service, place)
  await join(service, left.id, elsewhere.place, 'admin')
  await database.query('delete from members where user_id = $1 and company_id = $2', [left.id, companyId])
  const browser = await signIn(service, owner.email)
  await imported(call, csvOf(mugs(1, { Stock: 50 })), 'fileName=secret.csv')
  await until('a mail', () => smtp.mails.some(({ to }) => to[0] === owner.email))
  const [alert] = (await bell(browser)).data
  assertProblem(await stranger.about(place)('GET', '/v1/alerts'), 404, 'not_found')
  assertProblem(await stranger.about(place)('POST', '/v1/alerts/read', {}), 404, 'not_found')
  assert.equal((await stranger.about(elsewhere.place)('POST', '/v1/alerts/read', { ids: [alert.id] })).status, 200)
  assert.deepEqual((await elsewhere.bell(stranger)).data, [])
  assert.equal((await bell(browser)).meta.unread, 1)
  for (const { email } of [elsewhere.owner, elsewhere.viewer, left])
    assert.ok(!smtp.mails.some(({ to, text }) => to[0] === email && text.includes('secret')))
})

test('hostile names of files, products and receivers stay text in mails', async () => {
  const { call, owner, mailsTo } = await shop('Shop <img src=x> evil.example')
  const name = encodeURIComponent('a<script>.csv\u202e')
  await imported(call, csvOf(mugs(1, { Stock: 50 })), `fileName=${name}`)
  await until('a mail', () => mailsTo(owner.email).length === 1)
  const [mail] = mailsTo(owner.email)
  assert.doesNotMatch(mail?.html ?? '', /<script|<img/)
  assert.doesNotMatch(`${mail?.html}${mail?.text}${mail?.subject}`, /evil\.example|\u202e/)
})

test('a company older than alerts gets no mail about what was already the case, and a company that writes nothing is not checked', async () => {
  const { call, owner, service, database, companyId, bell, mailsTo } = await shop()
  const { markForgotten } = await import('../src/features/alerts/due.ts')
  const row = async (members: string) =>
    (await database.query(`select ${members} from alert_checks where company_id = $1`, [companyId]))[0]
  assert.equal(await row('1'), undefined)
  // Not merely between the writes of a moment ago.
  const events = '(select max(sequence) from events where events.company_id = alert_checks.company_id)'
  const isIdle = async () => (await row(`due_at is null and not is_busy and position >= ${events}`))?.[0] === true
  const { set } = await stocked(call, [9])
  await until('it is idle', isIdle)
  await database.query('update alert_checks set is_known = false where company_id = $1', [companyId])
  await set(0, 1)
  const browser = await signIn(service, owner.email)
  await until('the bell has it', async () => (await bell(browser)).meta.unread === 1)
  await until('it is idle', isIdle)
  assert.deepEqual([mailsTo(owner.email), await database.query('select 1 from alerts where company_id = $1 and mail_at is not null', [companyId])], [[], []]) // biome-ignore format: one thought
  // A write whose notification was lost is found by the sweep.
  await database.query('update alert_checks set position = 0 where company_id = $1', [companyId])
  for (let at = await markForgotten(database, ''); at !== ''; ) at = await markForgotten(database, at)
  await until('it was looked at again', async () => Number((await row('position'))?.[0]) > 0)
})

test('members of an organization get mails of its companies while it has at most ten', async () => {
  const { service, database } = stage
  const { organizationId } = await createOrganization(database, { name: 'Many', ownerEmail: 'many@example.com' })
  const head = await newUser(service, { organizationId })
  const { mailReaders } = await import('../src/features/alerts/readers.ts')
  const companies: string[] = []
  for (let n = 0; n < 11; n++)
    companies.push((await createCompany(database, { name: `Shop ${n}`, currency: 'EUR', organizationId })).companyId)
  const readers = () => mailReaders(database, companies[0] as string, ['stock'])
  assert.deepEqual(await readers(), [])
  await database.query('delete from companies where id = $1', [companies[10]]).catch(async () => {
    await database.query('update companies set organization_id = $2 where id = $1', [companies[10], stage.organizationId]) // biome-ignore format: one thought
  })
  assert.deepEqual(await readers(), [{ userId: head.id, kinds: ['stock'] }])
})

test('people who sign in without a password get mails too, and people who cannot sign in yet get none', async () => {
  const { database, companyId, owner } = await shop()
  const { mailReaders } = await import('../src/features/alerts/readers.ts')
  const { id } = owner
  const isMailed = async () => (await mailReaders(database, companyId, ['stock'])).some(({ userId }) => userId === id)
  await database.query('update users set password_hash = null where id = $1', [id])
  assert.equal(await isMailed(), false)
  await addIdentity(database, id, { issuer: 'https://login.example.com', subject: id, isEmailVerified: true }, false)
  assert.equal(await isMailed(), true)
})
