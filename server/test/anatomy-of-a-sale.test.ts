// The guide to a sale, exactly as written there: its requests work, and every amount in it adds up to the cent.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sharedService } from './support/service.ts'

const service = sharedService()
const guide = readFileSync(new URL('../../docs/guides/anatomy-of-a-sale.md', import.meta.url), 'utf8')

/** The guide's commands, in their order: blocks indented by four, except the receipt and a response. */
const commands = [...guide.matchAll(/^ {4}\S.*\n(?: {4}.*\n)*/gm)]
  .map(([text]) => text.replace(/^ {4}/gm, ''))
  .filter((block) => /^(URL=|[A-Z]+=\$\(|send |get )/.test(block))

/** The guide's report, and the same until its sums are complete, which takes longer on a busy machine. */
const askedReport = 'get /v1/reports/sales\n'
const completeReport = `until REPORT=$(get /v1/reports/sales); echo "$REPORT" | grep '"isComplete":true'; do sleep 0.1; done\n`
const missing = spawnSync('curl', ['--version']).error && 'No curl is found: `apt-get install curl`.'

const cents = (amount: string | undefined): number => Math.round(Number(amount ?? 0) * 100)
const sum = <T>(items: readonly T[], amountOf: (item: T) => string | undefined): number =>
  items.reduce((total, item) => total + cents(amountOf(item)), 0)

/** Checks that the lines of an order or a refund add up to its totals, as the descriptions of the members say. */
function assertAddsUp({ lineItems, cartDiscount, summary }: any) {
  for (const { price, quantity, subTotal, discount, total, totalTax, taxes } of lineItems) {
    const discounts = cents(discount.itemDiscount?.amount) + cents(discount.cartDiscount?.amount)
    assert.equal(cents(subTotal), cents(price) * quantity)
    assert.equal(cents(total), cents(subTotal) - discounts)
    assert.equal(
      cents(totalTax),
      sum<any>(taxes, ({ amount }) => amount),
    )
    for (const { percentage, amount } of taxes)
      assert.equal(cents(amount), Math.round((cents(total) * percentage) / 100), 'each line is rounded on its own')
  }
  const parts = sum<any>(lineItems, ({ discount }) => discount.cartDiscount?.amount)
  if (cartDiscount) assert.equal(cents(cartDiscount.amount), parts)
  assert.equal(
    cents(summary.subTotal),
    sum<any>(lineItems, ({ subTotal }) => subTotal),
  )
  assert.equal(
    cents(summary.discountTotal),
    parts + sum<any>(lineItems, ({ discount }) => discount.itemDiscount?.amount),
  )
  assert.equal(
    cents(summary.totalTaxes),
    sum<any>(lineItems, ({ totalTax }) => totalTax),
  )
  assert.equal(
    cents(summary.totalTaxes),
    sum<any>(summary.taxes, ({ amount }) => amount),
  )
  assert.equal(
    cents(summary.total),
    cents(summary.subTotal) - cents(summary.discountTotal) + cents(summary.totalTaxes) + cents(summary.tip?.amount),
  )
}

test('the calls of the guide to a sale work as they are typed, and their amounts add up', {
  skip: missing,
}, async () => {
  const { key, call } = await service.company()
  const typed = commands
    .join('\n')
    .replace('http://127.0.0.1:8080', service.url)
    .replace(askedReport, () => completeReport)
  const { stdout } = await promisify(execFile)('/bin/sh', ['-ec', typed], { env: { ...process.env, KEY: key } })
  assert.doesNotMatch(stdout, /"status":[45]\d\d/)

  const listed = async (many: string): Promise<any[]> => (await call('GET', `/v1/${many}`)).body.data
  const [[sold, ...later], [refund], [session]] = (await Promise.all(['orders', 'refunds', 'sessions'].map(listed))) as [any[], any[], any[]] // biome-ignore format: one thought
  const [exchange, order] = later.slice(-2)
  const all = await listed('transactions')
  const transactions = all.filter(({ orderId }) => orderId === sold.id)
  for (const record of [sold, refund, order]) assertAddsUp(record)

  // The sale in one request has the amounts of the records that the till writes itself.
  const amountsIn = (record: any) =>
    JSON.stringify(record)
      .match(/"\d+\.\d\d"/g)
      ?.sort()
  for (const member of ['lineItems', 'summary', 'cartDiscount'])
    assert.deepEqual(amountsIn({ of: sold[member] }), amountsIn({ of: order[member] }), member)
  assert.deepEqual(
    [refund.balance, sold.paymentMethods[1].change, sold.status, order.status, order.due],
    ['29.83', '5.00', 'partial-refund', 'completed', '0.00'],
  )
  const returned = refund.lineItems[0]
  const { subTotal, discount, total, totalTax } = returned
  const inTable = [subTotal, discount.itemDiscount.amount, discount.cartDiscount.amount, total, totalTax]
  const rows = [...guide.matchAll(/^\| `[\w.]+` \| \d+\.\d\d \| (\d+\.\d\d) \| \d+\.\d\d \|$/gm)].map(
    ([, amount]) => amount,
  )
  assert.deepEqual(inTable, rows, 'the line that came back is the one of the guide')

  const paid = transactions.filter(({ type }) => type === 'sale')
  const back = transactions.filter(({ type }) => type === 'refund')
  for (const own of [sold, order])
    assert.deepEqual(
      own.paymentMethods.map(({ transactionId, paymentType, amount }: any) => [transactionId, paymentType, amount]),
      all
        .filter(({ orderId, type }) => orderId === own.id && type === 'sale')
        .map(({ id, paymentMethod, amount }) => [id, paymentMethod, amount]),
    )
  assert.equal(sum(paid, ({ amount }) => amount), cents(sold.summary.total)) // biome-ignore format: one thought
  assert.equal(sum(back, ({ amount }) => amount), cents(refund.summary.total)) // biome-ignore format: one thought
  assert.deepEqual(refund.payment, [{ paymentType: 'cash', amount: '10.63', transactionId: back[0].id }])
  assert.equal(cents(refund.balance), cents(sold.summary.total) - cents(refund.summary.total))

  const cash = paid.find(({ paymentMethod }) => paymentMethod === 'cash')
  assert.equal(
    cents(session.closingAmount),
    cents(session.openingAmount) + cents(cash.amount) - cents(refund.summary.total),
  )
  const levels = await listed('inventories')
  assert.deepEqual(levels.map(({ stock }) => stock).sort(), [3, 8])
  const web = (await listed('orders?source=web'))[0]
  assert.deepEqual([web.paid, web.due, web.paymentStatus], ['23.88', '0.00', 'paid'], 'the web shop’s order is paid')
  const parked = (await listed('orders?sortBy=createdAt&sortOrder=asc')).find(({ paid }) => paid === '2.40')
  assert.deepEqual([parked.paid, parked.due], ['2.40', '0.00'], 'the parked sale is paid')
  assert.deepEqual([exchange.summary.total, exchange.due, exchange.paymentMethods[0].change], ['3.60', '0.00', '1.40'])
  const report = /"totals":\{[^}]*\}/.exec(guide)?.[0]
  assert.ok(report && stdout.includes(report), 'the report is the one of the guide')
  const balances = /"balances":\[[^\]]*\]/.exec(guide)?.[0]
  assert.ok(balances && stdout.includes(balances), 'the closing is the one of the guide')
  const repeated = /"total":2,"succeeded".*"unchanged"/.exec(guide)?.[0]
  assert.ok(repeated && stdout.includes(repeated), 'the repeated sale is the one of the guide')
  const quote = /"checks":\[\],"currency":.*/.exec(guide)?.[0]
  assert.ok(quote && stdout.includes(quote), 'the quote is the one of the guide')
})
