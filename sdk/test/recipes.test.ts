// The recipes of docs/guides/recipes.md as they are in their files: each keeps its promise, also when it is killed and run again.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, type TestContext, test } from 'node:test'
import { until } from '../../server/test/support/program.ts'
import { type Reply, receiver } from '../../server/test/support/receiver.ts'
import { sharedService } from '../../server/test/support/service.ts'
import { root, run } from './project.ts'
import { clientOf, faultProxy } from './support.ts'

const service = sharedService()
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cashwrap-recipes-'))
  await cp(join(root, 'docs/guides/recipes'), folder, { recursive: true })
  // The SDK as it is in the checkout: packing takes longer than all recipes.
  const sdk = join(folder, 'node_modules/@cashwrap/sdk')
  await mkdir(sdk, { recursive: true })
  await writeFile(join(sdk, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
  await symlink(join(root, 'sdk/src'), join(sdk, 'src'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** A company, a folder for what a recipe stores, and the recipe, which runs there. */
async function kitchen(recipe: string, further: Record<string, string> = {}) {
  const company = await service.company()
  const client = clientOf(service, company)
  const outlet = await client.outlets.create({ name: 'Main Street' })
  const cwd = await mkdtemp(join(folder, `${recipe}-`))
  const program = join(folder, `${recipe}.ts`)
  const env = { URL: service.url, KEY: company.key, OUTLET: outlet.id, ...further }
  /** Runs it until it sent some requests through a proxy that loses answers, and kills it. */
  const killed = async (t: TestContext, fateOf: Parameters<typeof faultProxy>[2], requests: number) => {
    const proxy = await faultProxy(t, service.url, fateOf)
    const child = spawn(process.execPath, [program], { cwd, env: { ...env, URL: proxy.url }, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until('the recipe sends its requests', () => proxy.seen.length >= requests || child.exitCode !== null)
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    return proxy.seen
  }
  const cook = (...args: string[]) => run(cwd, process.execPath, [program, ...args], env)
  return { company, client, outlet, cwd, cook, killed }
}

test('a web shop and Cashwrap are the same after each run, also after one that the shop broke off', async (t) => {
  const stocks: Record<string, string> = {}
  let isDown = true
  let offers = ['a', 'b']
  const reply: Reply = ({ method, path, text }, response) => {
    const id = path.slice('/stock/'.length)
    if (method === 'GET') return response.end(JSON.stringify(offers.map((id) => ({ id, name: `Tea ${id}`, price: 5 }))))
    if (isDown && id === 'b') return response.writeHead(503).end()
    stocks[id] = text
    response.end()
  }
  const shop = await receiver(t, reply)
  const { client, outlet, cook } = await kitchen('web-shop', { SHOP: shop.url.slice(0, -1) })
  await cook()
  const variants = await client.variants.list({ sortBy: 'createdAt', sortOrder: 'asc' }).toArray()
  assert.deepEqual(variants.map(({ externalId }) => externalId).sort(), ['web-shop-a', 'web-shop-b'])
  const other = await client.outlets.create({ name: 'Second Street' })
  const levels = variants.flatMap(({ id: variantId, productId }) =>
    [outlet, other].map(({ id: outletId }) => ({ productId, variantId, outletId, quantity: 4 })),
  )
  await client.inventory.setLevels(levels)
  const before = await client.events.list({ type: 'product.*,variant.*' }).toArray()
  await assert.rejects(cook(), /The shop answered 503/)
  assert.deepEqual(stocks, { a: '8' })
  isDown = false
  await cook()
  assert.deepEqual(stocks, { a: '8', b: '8' })
  const calls = shop.received.length
  await cook()
  assert.equal(shop.received.length, calls + 1, 'Without changes, it reads the products and sends nothing.')
  assert.deepEqual(await client.events.list({ type: 'product.*,variant.*' }).toArray(), before)
  // What the shop no longer offers, or Cashwrap refused in this run, has its stock sent all the same.
  offers = ['a']
  await client.inventory.setLevels(levels.map((level) => ({ ...level, quantity: 3 })))
  await cook()
  assert.deepEqual(stocks, { a: '6', b: '6' })
  // A level that is deleted is not on the shelf any more.
  const [level] = await client.inventory.list({ variantId: levels[0]?.variantId ?? '' }).toArray(1)
  await client.inventory.delete(level?.id ?? '')
  await cook()
  assert.deepEqual(Object.values(stocks).sort(), ['3', '6'])
})

test('payments are in the books exactly once, though the program is killed between two pages', async (t) => {
  const { client, cwd, cook, killed } = await kitchen('accounting')
  const payments = Array.from({ length: 500 }, (_, n) => ({ paymentMethod: 'cash', amount: `${n + 1}.10` }))
  await client.transactions.createMany(payments)
  await client.transactions.create({ paymentMethod: 'cash', amount: '12.50', type: 'refund' })
  // It reads the company, looks for the end of the feed, and reads two pages.
  await killed(t, (request) => (request <= 2 ? 'passed' : 'refused'), 4)
  const sums = () => {
    const books = new DatabaseSync(join(cwd, 'books.sqlite'))
    const [row] = books.prepare("select count(*) as entries, printf('%.2f', sum(amount)) as net from entries").all()
    books.close()
    return { ...row }
  }
  assert.equal(sums().entries, 200, 'The first page is in the books.')
  await cook()
  await cook()
  let report = await client.reports.sales()
  await until('the report is complete', async () => {
    report = await client.reports.sales()
    return report.isComplete
  })
  assert.ok('totals' in report)
  assert.deepEqual(sums(), { entries: 501, net: report.totals.net })
  // Of two later payments one is in the feed; the other one is found after a pause of more than 30 days.
  const change = (text: string) => {
    const books = new DatabaseSync(join(cwd, 'books.sqlite'))
    books.exec(text)
    books.close()
  }
  await client.transactions.createMany(['1.00', '2.00'].map((amount) => ({ paymentMethod: 'card', amount })))
  await cook()
  assert.equal(sums().entries, 503)
  change(`delete from entries where amount = '2.00'`)
  await cook()
  assert.equal(sums().entries, 502, 'It reads events only.')
  change('update state set ranAt = 0')
  await cook()
  assert.equal(sums().entries, 503)
})

test('the books of each day are the report of that day in the company’s time zone, also after a void, a deletion and corrections', async () => {
  const { client, cwd, cook, company } = await kitchen('accounting')
  await company.call('PATCH', `/v1/organization-api/companies/${company.id}`, { timezone: 'Europe/Berlin' })
  const sell = (occurredAt: string, amount: string) =>
    client.sales.create({
      occurredAt,
      lineItems: [{ name: 'Tea', price: amount }],
      payments: [{ paymentMethod: 'cash', amount }],
    })
  // Two days of 23 and 25 hours, by their last and first minutes.
  await sell('2026-10-24T21:59:00Z', '1.00')
  await sell('2026-10-24T22:00:00Z', '2.00')
  const voided = await sell('2026-10-25T22:59:00Z', '4.00')
  const deleted = await sell('2026-10-25T23:00:00Z', '8.00')
  const byCard = await sell('2026-10-25T12:00:00Z', '32.00')
  const later = await sell('2026-10-25T13:00:00Z', '64.00')
  const returned = await sell('2026-10-26T08:00:00Z', '16.00')
  await client.sales.refund(returned.order.id, { occurredAt: '2026-10-26T09:00:00Z' })
  await cook()
  await client.sales.void(voided.order.id)
  await client.transactions.deleteMany(deleted.transactions.map(({ id }) => ({ id })))
  // What the till had wrong: the method, the day, and the amount, the last two one after the other.
  const correct = async (sale: typeof voided, ...changes: object[]) => {
    for (const change of changes) await client.transactions.update(sale.transactions[0]?.id ?? '', change)
  }
  await correct(byCard, { paymentMethod: 'credit_card' })
  await correct(later, { occurredAt: '2026-10-26T10:00:00Z' }, { amount: '65.00' })
  await cook()
  await cook()
  const books = new DatabaseSync(join(cwd, 'books.sqlite'))
  const days = books.prepare("select day, printf('%.2f', sum(amount)) as net from entries group by day order by day")
  const entries = Object.fromEntries(days.all().map(({ day, net }) => [day, net]))
  assert.deepEqual(entries, { '2026-10-24': '1.00', '2026-10-25': '34.00', '2026-10-26': '65.00' })
  for (const [day, net] of Object.entries(entries)) {
    const report = await client.reports.sales({ from: day, to: day })
    assert.ok('totals' in report)
    assert.equal(report.totals.net, net)
  }
  const cards = books.prepare("select day, amount from entries where account = 'credit_card'").all()
  assert.deepEqual(
    cards.map((entry) => ({ ...entry })),
    [{ day: '2026-10-25', amount: '32.00' }],
  )
  // After a pause of more than 30 days no event says what was deleted.
  await client.transactions.deleteMany(byCard.transactions.map(({ id }) => ({ id })))
  books.exec(
    `update state set ranAt = 0, cursor = '${(await client.events.list({ since: new Date() }).page()).nextCursor}'`,
  )
  await cook()
  assert.equal(days.all().find(({ day }) => day === '2026-10-25')?.net, '2.00')
  books.close()
})

test('sales of a till without a network arrive once, with their time, though an answer is lost and it is killed', async (t) => {
  const { client, outlet, cook, killed } = await kitchen('offline-till')
  const { id: productId } = await client.products.create({ name: 'Mug' })
  const inventory = [{ outletId: outlet.id, stock: 2 }]
  const variant = await client.variants.create({ productId, price: 15, manageStock: true, inventory })
  const line = { variantId: variant.id, price: '15.00', quantity: 1 }
  const sale = { outletId: outlet.id, lineItems: [line], payments: [{ paymentMethod: 'cash', amount: '20.00' }] }
  for (const receipt of ['R-1', 'R-2', 'R-3']) await cook('sell', receipt, JSON.stringify(sale))
  await cook('sell', 'R-4', JSON.stringify({ ...sale, lineItems: [{ ...line, price: 'much' }] }))
  const online = new Date()
  const seen = await killed(t, (request) => (request === 0 ? 'answer lost' : 'refused'), 2)
  // Further attempts before the kill are refused as well.
  assert.ok(seen.length >= 2)
  // Another run has another key: only their numbers say which sales were made.
  assert.match(await cook(), /^R-4: .+\n$/)
  assert.match(await cook(), /^R-4: .+\n$/)
  const orders = await client.orders.list({ sortBy: 'createdAt', sortOrder: 'asc' }).toArray()
  assert.deepEqual(orders.map(({ receiptId }) => receiptId).sort(), ['R-1', 'R-2', 'R-3'])
  assert.ok(orders.every(({ occurredAt = '' }) => new Date(occurredAt) < online))
  const [level] = await client.inventory.list({ variantId: variant.id }).toArray()
  assert.equal(level?.stock, -1, 'The third mug was sold from a shelf that had two.')
})

test('a nightly load makes new products and sets the stock; an unknown SKU and a line without a quantity harm no other, and a second run changes nothing', async () => {
  const { client, cwd, cook } = await kitchen('warehouse')
  const catalogue = 'ID,Type,SKU,Name,Published,Regular price\n1,simple,TEA,Tea,1,5.00\n2,simple,MUG,Mug,1,15.00\n'
  await writeFile(join(cwd, 'catalog.csv'), catalogue)
  await writeFile(join(cwd, 'stock.csv'), 'TEA,40\nNONE,1\nMUG,5\nTEA,\n')
  const printed = (made: number, set: number) =>
    `catalogue: ${made} new variants, 0 lines refused\nunknown: NONE\nno quantity: TEA\nstock: ${set} set, ${2 - set} unchanged\n`
  assert.equal(await cook(), printed(2, 2))
  const levels = await client.inventory.list({ sortBy: 'stock' }).toArray()
  assert.deepEqual(levels.map(({ stock }) => stock).sort(), [40, 5])
  const [last] = await client.events.list({ type: 'inventory.*' }).toArray()
  assert.ok(last)
  assert.equal(await cook(), printed(0, 0))
})

test('what runs out is ordered once, and again after it was filled, also if the supplier’s answer was lost', async (t) => {
  const orders = new Map<string, string>()
  const reply: Reply = ({ path, text }, response, count) => {
    orders.set(path, text)
    if (count === 1) return response.destroy()
    response.end()
  }
  const supplier = await receiver(t, reply)
  const { client, outlet, cwd, cook } = await kitchen('reorder', { SUPPLIER: supplier.url.slice(0, -1) })
  const { id: productId } = await client.products.create({ name: 'Tea' })
  const stock = async (quantity: number) => client.inventory.setLevels([{ ...level, quantity }])
  const inventory = [{ outletId: outlet.id, stock: 3 }]
  const variant = await client.variants.create({ productId, sku: 'TEA', manageStock: true, inventory })
  const level = { productId, variantId: variant.id, outletId: outlet.id }
  await assert.rejects(cook())
  assert.equal(await cook(), 'ordered: 17 of TEA\n')
  assert.equal(await cook(), '')
  assert.deepEqual([...orders.values()], ['{"sku":"TEA","quantity":17}'])
  await stock(20)
  await cook()
  assert.equal(await readFile(join(cwd, 'orders.json'), 'utf8'), '{}')
  await stock(1)
  assert.equal(await cook(), 'ordered: 19 of TEA\n')
  assert.equal(orders.size, 2)
})

test('the guide shows the recipes exactly as they are in their files', async () => {
  const guide = await readFile(join(root, 'docs/guides/recipes.md'), 'utf8')
  const shown = Array.from(guide.matchAll(/^```ts\n(.*?)^```$/gms), ([, block]) => block)
  const files = ['web-shop', 'accounting', 'offline-till', 'warehouse', 'reorder']
  assert.deepEqual(
    shown,
    await Promise.all(files.map((file) => readFile(join(root, `docs/guides/recipes/${file}.ts`), 'utf8'))),
  )
})
