// The server is killed while tills sell: each sale exists completely and once, or not at all, and its key finds it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { createCompany, createOrganization } from '../../src/features/tenants/tenants.ts'
import { copyDatabase } from '../support/database.ts'
import { serve, until, urlOf } from '../support/program.ts'

/** Sales until a kill, and kills. */
const EACH = 25
const KILLS = 3
const TILLS = 6

test('sales of tills that repeat them under their keys while the server is killed are made once, with their payments and stock', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const database = connect(connection, { size: 2 })
  t.after(() => database.close())
  const { organizationId } = await createOrganization(database, { name: 'Platform' })
  const { companyId, apiKey } = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
  assert.ok(apiKey)
  let server = await serve(t, { DATABASE_URL: urlOf(connection) })
  const send = (path: string, body: object, key?: string) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    })
  const made = async (path: string, body: object) => ((await (await send(path, body)).json()) as { id: string }).id
  const outletId = await made('/v1/outlet', { name: 'Main' })
  const variantId = await made('/v1/variant', {
    productId: 'p',
    manageStock: true,
    inventory: [{ outletId, stock: 10_000 }],
  })
  const answers = new Map<string, string>()
  const unanswered: string[] = []
  const body = (key: string) => ({
    externalId: key,
    outletId,
    lineItems: [{ variantId, price: '2.50', quantity: 2 }],
    payments: [
      { paymentMethod: 'cash', amount: '3.00' },
      { paymentMethod: 'credit_card', amount: '2.00' },
    ],
  })
  /** The definite answer to a sale: a killed server's transaction may hold the key for a moment, and a loaded machine answers 503. */
  const sold = async (key: string): Promise<string> => {
    const reply = await send('/v1/sale', body(key), key)
    const text = await reply.text()
    if (reply.status === 503 || (reply.status === 409 && text.includes('idempotency_in_progress'))) return sold(key)
    assert.equal(reply.status, 201, text)
    return text
  }
  /** Sells until the server is gone; the sale that it was at is tried again under its key. */
  const till = async (name: string): Promise<void> => {
    for (let n = 0; ; n++) {
      const key = unanswered.pop() ?? `${name}-${n}`
      try {
        answers.set(key, await sold(key))
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        unanswered.push(key)
        return
      }
    }
  }
  for (let kill = 1; kill <= KILLS; kill++) {
    const tills = Array.from({ length: TILLS }, (_, n) => till(`${kill}-${n}`))
    await Promise.race([Promise.all(tills), until('some are sold', () => answers.size >= kill * EACH)])
    await server.stop('SIGKILL')
    await Promise.all(tills)
    server = await serve(t, { DATABASE_URL: urlOf(connection) })
  }
  const tried = unanswered.length
  for (const key of unanswered.splice(0)) answers.set(key, await sold(key))
  assert.ok(tried > 0)
  const [stored] = await database.query(
    `select
       (select json_object_agg(external_id, id) from orders where company_id = $1),
       (select count(*)::int from orders where company_id = $1),
       (select json_agg(json_build_array(order_id, sum)) from (select order_id, sum(amount) from transactions where company_id = $1 group by 1) as of),
       (select body ->> 'stock' from inventories where company_id = $1),
       (select count(*)::int from inventory_history where company_id = $1 and kind = 'SALE')`,
    [companyId],
  )
  const [orders, count, paid, stock, moves] = stored as [string, number, string, string, number]
  const byKey: Record<string, string> = JSON.parse(orders)
  assert.deepEqual([count, Object.keys(byKey).length], [answers.size, answers.size])
  for (const [key, text] of answers) assert.equal(JSON.parse(text).order.id, byKey[key])
  assert.deepEqual(
    JSON.parse(paid).map(([, sum]: [string, number]) => sum),
    Array.from({ length: count }, () => 5),
  )
  assert.deepEqual([Number(stock), moves], [10_000 - 2 * count, count])
})
