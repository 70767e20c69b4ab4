// The sums of reports equal those of the records, during any writes, reads, crashes and restarts (docs/decisions/0020).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../src/core/ids.ts'
import { reachingCompany } from '../src/core/reach.ts'
import { SUMS_FORMAT } from '../src/features/reports/sums/kept-sums.ts'
import { REPORT_EVENTS, refresh } from '../src/features/reports/sums/steps.ts'
import { startService } from '../src/service.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { connectionOf, writeCategories } from './support/event-reader.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { dateIn, daysAgo, expectedProducts, expectedSales, writeOld } from './support/reports.ts'
import { type Caller, type Company, patience, testService, testSettings } from './support/service.ts'
import { runs } from './support/variants.ts'

const service = testService()

/** The first report that is complete: on a busy machine the first request may run out of time. */
async function whole(call: Caller, path: string): Promise<Body> {
  for (;;) {
    const report = succeeded(await call('GET', path))
    if (report.isComplete) return report
  }
}
const sales = (call: Caller, query = '') => whole(call, `/v1/reports/sales?${query}`)
const pay = async (call: Caller, amount: string, more: Body = {}) =>
  succeeded(await call('POST', '/v1/transaction', { amount, paymentMethod: 'cash', ...more }), 201)

/** Compares reports of the last weeks with the records. */
async function assertExact({ id, call }: Pick<Company, 'id' | 'call'>, timezone = 'UTC'): Promise<void> {
  const from = dateIn(timezone, daysAgo(40).toISOString())
  const to = dateIn(timezone, new Date().toISOString())
  const query = `from=${from}&to=${to}`
  const counting = { currency: 'EUR', timezone, from, to }
  assert.deepEqual(await sales(call, query), await expectedSales(service, id, counting))
  const { data } = await whole(call, `/v1/reports/products?${query}&limit=100`)
  const listed = data.map(({ productId, quantity, total }: Body) => [productId, { quantity, total }])
  assert.deepEqual(new Map(listed), await expectedProducts(service, id, counting))
}

/** Old records, backwards from now, the given number of minutes apart. */
function oldRecords(count: number, minutesApart: number): { transactions: Body[]; orders: Body[] } {
  const times = Array.from({ length: count }, (_, n) => daysAgo((n * minutesApart) / 1440).toISOString())
  const record = (createdAt: string) => ({ id: newId(Date.parse(createdAt)), createdAt })
  return {
    transactions: times.map((createdAt, n) => ({
      ...record(createdAt),
      amount: `${n % 1000}.25`,
      paymentMethod: ['cash', 'credit_card'][n % 2],
      ...(n % 10 === 0 && { type: 'refund' }),
    })),
    orders: times.map((createdAt, n) => ({
      ...record(createdAt),
      fromService: false,
      ...(n % 4 === 0 && { status: 'parked' }),
      lineItems: [{ productId: `p${n % 50}`, quantity: 1 + (n % 3), total: `${n % 100}.10` }],
    })),
  }
}

const amount = fc.oneof(
  fc.constantFrom('0', '-5.5', '0.000001', '999999999999999.999999', '12.50'),
  fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
)
const optional = <T>(...values: T[]) => fc.constantFrom(undefined, ...values)
/** Now, in blocks that have ended, and in the one of now. */
const occurredAt = optional(...[10, 100, 1_000, 10_000].map((minutes) => daysAgo(minutes / 1440).toISOString()))
const payment = fc.record({
  occurredAt,
  amount,
  paymentMethod: fc.constantFrom('cash', 'credit_card'),
  type: optional('sale', 'refund', 'void'),
  currency: optional('EUR', 'CHF'),
})
const line = fc.record({
  productId: optional('a', 'b', 'c'),
  quantity: optional(0, 1, 2.5, -1, 0.125),
  total: optional('0.10', '-3', '12.345678'),
  price: optional('1.5', '8'),
})
const sale = fc.record({
  occurredAt,
  status: optional('pending', 'completed', 'parked', 'refunded'),
  currency: optional('EUR', 'CHF'),
  lineItems: fc.array(line, { maxLength: 3 }),
})
const place = fc.nat({ max: 1000 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), resource: fc.constant('transaction'), bodies: fc.array(payment, { minLength: 1, maxLength: 5 }) }), // biome-ignore format: a table
  fc.record({ kind: fc.constant('create' as const), resource: fc.constant('order'), bodies: fc.array(sale, { minLength: 1, maxLength: 5 }) }), // biome-ignore format: a table
  fc.record({ kind: fc.constant('change' as const), resource: fc.constant('transaction'), place, body: payment }),
  fc.record({ kind: fc.constant('change' as const), resource: fc.constant('order'), place, body: sale }),
  fc.record({ kind: fc.constant('delete' as const), resource: fc.constantFrom('transaction', 'order'), place }),
  fc.record({ kind: fc.constant('move' as const), timezone: fc.constantFrom('Asia/Kathmandu', 'America/New_York') }),
  fc.record({ kind: fc.constantFrom('ask' as const, 'ask' as const, 'restart' as const) }),
)

/** A body that clears the members that it does not set. */
const cleared = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).map(([member, value]) => [member, value ?? null]))

test('after any writes, changes and deletions at two servers, one restarted at times, each report is the sum of the records', async () => {
  const connection = await connectionOf(service)
  const { statementMs, deadlineMs } = patience
  const start = () => startService({ ...connection, statementMs }, { ...testSettings, bounds: { deadlineMs } })
  let other = await start()
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 5, maxLength: 40 }), async (steps) => {
        const company = await service.company()
        const ids: Record<string, string[]> = { transaction: [], order: [] }
        const { transactions, orders } = oldRecords(30, 24 * 60)
        await writeOld(service, company.id, 'transactions', transactions)
        await writeOld(service, company.id, 'orders', orders)
        for (const { id } of transactions) ids.transaction?.push(id)
        for (const { id } of orders) ids.order?.push(id)
        let timezone = 'UTC'
        const callerOf = (isOther: boolean) =>
          isOther ? service.caller({ 'x-api-key': company.key }, other.url) : company.call
        for (const [one, isOther] of steps) {
          const call = callerOf(isOther)
          if (one.kind === 'create') {
            const { results } = succeeded(await call('POST', `/v1/${one.resource}s`, { items: one.bodies }))
            for (const { data } of results) ids[one.resource]?.push(data.id)
          } else if (one.kind === 'change' || one.kind === 'delete') {
            const own = ids[one.resource] as string[]
            if (own.length === 0) continue
            const at = one.place % own.length
            const path = `/v1/${one.resource}/${own[at]}`
            if (one.kind === 'change') succeeded(await call('PATCH', path, cleared(one.body)))
            else {
              succeeded(await call('DELETE', path))
              own.splice(at, 1)
            }
          } else if (one.kind === 'move') {
            timezone = one.timezone
            succeeded(await company.call('PATCH', `/v1/organization-api/companies/${company.id}`, { timezone }))
          } else if (one.kind === 'restart') {
            await other.close()
            other = await start()
          } else await assertExact({ id: company.id, call }, timezone)
        }
        await assertExact(company, timezone)
      }),
      { numRuns: runs(3) },
    )
  } finally {
    await other.close()
  }
})

test('while records of years are added up, changes of old and new ones count once each, even if statements are killed', async () => {
  const company = await service.company()
  const { transactions, orders } = oldRecords(1_200, 4)
  await writeOld(service, company.id, 'transactions', transactions)
  await writeOld(service, company.id, 'orders', orders)
  const second = await service.second()
  const callers = [company.call, service.caller({ 'x-api-key': company.key }, second.url)]
  let isOver = false
  let writes = 0

  /** A write; if its connection was killed in place of a report's, it is unknown whether it was made. */
  async function write(...request: Parameters<Caller>): Promise<Body | undefined> {
    const { status, body, text } = await (callers[writes++ % 2] as Caller)(...request)
    assert.ok(status < 300 || status === 503, text)
    return status < 300 ? body : undefined
  }
  async function change(n: number): Promise<void> {
    for (let at = n; at < runs(32); at += 8) {
      const old = [transactions, orders].map((some) => some[(at * 151) % 1_200]?.id)
      await write('PATCH', `/v1/transaction/${old[0]}`, { amount: `${at}.99`, type: at % 3 ? 'sale' : 'refund' })
      await write('PATCH', `/v1/order/${old[1]}`, { status: at % 3 ? 'completed' : 'parked' })
      const made = await write('POST', '/v1/transaction', { amount: `${at}.5`, paymentMethod: 'cash' })
      await write('POST', '/v1/order', { lineItems: [{ productId: `n${at % 20}`, quantity: 2, total: '3' }] })
      if (at % 5 === 0 && made) await write('DELETE', `/v1/transaction/${made.id}`)
      if (at % 7 === 0) await write('DELETE', `/v1/order/${old[1]}`)
    }
  }
  let asked = 0
  let killed = 0
  async function ask(n: number): Promise<void> {
    for (let call = callers[n % 2] as Caller; !isOver; asked++) {
      const { status, text } = await call('GET', `/v1/reports/${n < 2 ? 'sales' : 'products'}`)
      // Its own statement may be the one that was killed.
      assert.ok(status === 200 || status === 503, text)
    }
  }
  async function kill(): Promise<void> {
    for (let before = asked; !isOver; ) {
      // Most of them may finish.
      const rows = await service.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%sum_buckets%'
           and pid <> pg_backend_pid() and $1 limit 1`,
        [asked > before + 5],
      )
      if (rows.length > 0) before = asked
      killed += rows.length
    }
  }
  const others = [ask(0), ask(1), ask(2), ask(3), kill()]
  await Promise.all(Array.from({ length: 8 }, (_, n) => change(n)))
    .then(() => until('a statement was killed', () => killed > 0))
    .finally(() => {
      isOver = true
    })
  await Promise.all(others)
  await until('all is added up', async () => {
    const [row] = await service.database.query('select has_more from sum_cursors where company_id = $1', [company.id])
    return row?.[0] === false
  })
  await assertExact(company)
  await assertExact({ id: company.id, call: callers[1] as Caller })
})

for (const isFirst of [true, false])
  test(`an older open write delays no report: a sale is in the next one; ${isFirst ? 'the first' : 'a later'} report`, async () => {
    const company = await service.company()
    const { id, call } = company
    await pay(call, '1')
    if (!isFirst) await assertExact(company)
    await service.database.transaction(async (transaction) => {
      await writeCategories(transaction, id, 'open')
      const { id: paid } = await pay(call, '2')
      const lineItems = [{ productId: 'p', name: 'Tea', quantity: 2, total: '3' }]
      succeeded(await call('POST', '/v1/order', { lineItems }), 201)
      await assertExact(company)
      const { data } = await whole(call, '/v1/reports/products')
      assert.deepEqual(data, [{ productId: 'p', name: 'Tea', total: '3.00', quantity: 2 }])
      succeeded(await call('PATCH', `/v1/transaction/${paid}`, { amount: '5' }))
      await assertExact(company)
    })
    await assertExact(company)
  })

test('if more sales than a response reads follow an open write, the report says that it is incomplete, and its file is refused, until the write ends', async () => {
  const company = await service.company()
  const { id, call } = company
  await assertExact(company)
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    const items = Array.from({ length: REPORT_EVENTS / 2 }, () => ({ amount: '1', paymentMethod: 'cash' }))
    for (const some of [items, items, items.slice(0, 100)])
      succeeded(await call('POST', '/v1/transactions', { items: some }))
    assert.equal(succeeded(await call('GET', '/v1/reports/sales')).isComplete, false)
    const file = assertProblem(await call('GET', '/v1/reports/sales?groupBy=day&format=csv'), 503, 'unavailable')
    assert.match(`${file.reason}: ${file.message}`, /^sums_incomplete: The sums are still being calculated\. /)
  })
  await assertExact(company)
})

test('while an older write is open, what follows it is summed once, and not again until the write ends', async () => {
  const company = await service.company()
  const { id, call } = company
  const old = { occurredAt: daysAgo(3).toISOString() }
  await pay(call, '1', old)
  await assertExact(company)
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    await pay(call, '2', old)
    await assertExact(company)
    const refreshed = () => reachingCompany(id, () => refresh(service.database, id))
    const results = []
    for (let n = 0; n < 20; n++) results.push(await refreshed())
    assert.ok(results.includes('done'), results.join())
  })
  await assertExact(company)
})

test('an open write delays no report of another company', async () => {
  const one = await service.company()
  const two = await service.company()
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, one.id, 'open')
    await pay(two.call, '2')
    assert.equal((await sales(two.call)).totals.sales, '2.00')
  })
})

/** Whether the sums of a company have all records and events; undefined if it has none. */
async function isSummed(companyId: string): Promise<boolean | undefined> {
  const [row] = await service.database.query(
    `select not has_more and listed_from = '' and not exists (
       select from sum_buckets as sums where sums.company_id = $1 and size = 1 and is_dirty
     ) and position >= (select max(sequence) from events where events.company_id = $1)
     from sum_cursors where company_id = $1`,
    [companyId],
  )
  return row?.[0]
}

test('sums are kept up to date after the first request, and nothing is summed for a company that requests no report', async () => {
  const asking = await service.company()
  const other = await service.company()
  await assertExact(asking)
  await pay(asking.call, '1')
  await pay(other.call, '1')
  await until('what was written is summed', async () => (await isSummed(asking.id)) === true)
  assert.equal(await isSummed(other.id), undefined)
  assert.deepEqual(await service.database.query('select 1 from sum_buckets where company_id = $1', [other.id]), [])
})

test('an unfinished first report is continued later, even if its server died', async () => {
  const company = await service.company()
  const { transactions, orders } = oldRecords(100, 60)
  await writeOld(service, company.id, 'transactions', transactions)
  await writeOld(service, company.id, 'orders', orders)
  await service.database.query(`insert into sum_cursors (company_id, format) values ($1, ${SUMS_FORMAT})`, [company.id])
  // No server was notified of this cursor: a starting server looks for it.
  const other = await startService(await connectionOf(service), testSettings)
  await until('all is summed', async () => {
    const [row] = await service.database.query('select has_more from sum_cursors where company_id = $1', [company.id])
    return row?.[0] === false
  })
  await other.close()
  await assertExact(company)
})

test('sums that were not updated for longer than events are kept are computed again', async () => {
  const company = await service.company()
  await pay(company.call, '1')
  succeeded(await company.call('POST', '/v1/order', { lineItems: [{ productId: 'p', total: '1' }] }), 201)
  await assertExact(company)
  // As if their events had been dropped.
  const transactions = [{ id: newId(), createdAt: daysAgo(1).toISOString(), amount: '5', paymentMethod: 'cash' }]
  await writeOld(service, company.id, 'transactions', transactions)
  await service.database.query(`update sum_cursors set read_at = now() - interval '29 days' where company_id = $1`, [
    company.id,
  ])
  await assertExact(company)
})

test('sums whose cursor is deleted are computed again, whatever they were', async () => {
  const company = await service.company()
  await pay(company.call, '1')
  await assertExact(company)
  await service.database.query('delete from sum_cursors where company_id = $1', [company.id])
  await service.database.query(
    `insert into sum_buckets (company_id, format, source, size, number, is_dirty, version, whole)
     select $1, ${SUMS_FORMAT}, 'payments', 1, $2 - n, false, gen_random_uuid(), (
       select whole from sum_buckets where company_id = $1 and source = 'payments' and size = 1
     ) from generate_series(1, 25000) as n`,
    [company.id, Math.floor(Date.now() / 900_000)],
  )
  await assertExact(company)
  const [row] = await service.database.query(
    `select count(*) from sum_buckets where company_id = $1 and source = 'payments' and size = 1`,
    [company.id],
  )
  assert.deepEqual(row, [1])
})

test('sums of another format, as a server of another version keeps them, are neither read nor changed', async () => {
  const company = await service.company()
  await pay(company.call, '1')
  await assertExact(company)
  const copy = async (table: string, columns: string) =>
    service.database.query(`insert into ${table} (company_id, format, ${columns}) select company_id, 0, ${columns} from ${table} where company_id = $1`, [company.id]) // biome-ignore format: one thought
  await copy('sum_cursors', 'position, listed_from, has_more, has_unread')
  await copy('sum_buckets', 'source, size, number, chunk, is_dirty, version, whole')
  const others = () =>
    service.database.query(
      `select row_to_json(bucket)::text as kept from sum_buckets as bucket where company_id = $1 and format = 0
       union all select row_to_json(cursor)::text from sum_cursors as cursor where company_id = $1 and format = 0 order by kept`,
      [company.id],
    )
  const before = await others()
  assert.ok(before.length > 1)
  await pay(company.call, '2')
  await assertExact(company)
  await service.database.query('update sum_cursors set position = null where company_id = $1 and format > 0', [
    company.id,
  ])
  await assertExact(company)
  assert.deepEqual(await others(), before)
})

test('a line with the largest or the smallest numbers is summed, and blocks nothing', async () => {
  const company = await service.company()
  const { call } = company
  const huge = { productId: 'huge', quantity: Number.MAX_VALUE, price: '999999999999999.999999' }
  const tiny = { productId: 'tiny', quantity: Number.MIN_VALUE, price: '0.000001' }
  succeeded(await call('POST', '/v1/order', { lineItems: [huge, tiny, huge] }), 201)
  const { data } = await whole(call, '/v1/reports/products')
  assert.deepEqual(
    data.map(({ productId }: Body) => productId),
    ['huge', 'tiny'],
  )
  const { text } = await call('GET', '/v1/reports/products')
  assert.match(text, /"quantity":35953862697246314\d{292}\}/)
  assert.match(text, /"quantity":0\.0{323}5\}/)
  await pay(call, '1')
  assert.equal((await sales(call)).totals.sales, '1.00')
})
