// Jobs about what was sold: a customer by phone number, last week's sales as a file, a refund of one line.
import { readFile } from 'node:fs/promises'
import { expect, type Job } from './job.ts'
import type { Shop } from './shop.ts'

/** Types the phone number as given by `write` into the search over everything, and opens what it finds. */
const findCustomer = (name: string, write: (phone: string) => string): Job => ({
  name,
  async run({ page, press, type, see }, { shop: { send, customer } }) {
    const { phone } = await send('GET', `/v1/customer/${customer.id}`)
    await press('Control+k')
    await type(write(phone))
    await press('Enter')
    await see(page.getByRole('heading', { level: 1, name: customer.name }))
    return async () => expect('the open customer', new URL(page.url()).pathname.split('/').at(-1), customer.id)
  },
})

const exportLastWeek: Job = {
  name: "last week's sales by outlet and product, as CSV",
  async run({ page, click, see }, { shop }) {
    const choose = async (input: string, option: string) => {
      await click(page.getByRole('combobox', { name: input }))
      await click(page.getByRole('option', { name: option, exact: true }))
    }
    await click(page.getByRole('link', { name: 'Reports' }))
    await choose('Period', 'Last week')
    await choose('Group by', 'Outlet')
    await choose('Then by', 'Product')
    await see(page.getByRole('heading', { name: 'Net sales by outlet' }))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      click(page.getByRole('button', { name: 'Download CSV' })),
    ])
    return async () => checkReport(shop, file.suggestedFilename(), await readFile(await file.path(), 'utf8'))
  },
}

/** The file has the groups of the API's own report of the Monday to Sunday before this week. */
async function checkReport({ send }: Shop, name: string, text: string): Promise<void> {
  const dayMs = 86_400_000
  const today = new Date()
  const monday = Date.parse(today.toISOString().slice(0, 10)) - ((today.getUTCDay() + 6) % 7) * dayMs
  const [from, to] = [monday - 7 * dayMs, monday - dayMs].map((time) => new Date(time).toISOString().slice(0, 10))
  expect('the name of the file', name, `sales-${from}-${to}.csv`)
  const { groups } = await send(
    'GET',
    `/v1/reports/sales?from=${from}&to=${to}&groupBy=outletId,productId&compare=previous`,
  )
  const [head = '', ...lines] = text.replace('\ufeff', '').trim().split('\r\n')
  const columns = head.split(',')
  const keyOf = (values: readonly unknown[]) => values.join(' ')
  const ofFile = lines.map((line) => {
    const cells = line.split(',')
    return keyOf(['Outlet id', 'Product id', 'Net sales'].map((column) => cells[columns.indexOf(column)]))
  })
  const ofReport = groups.map((group: any) => keyOf([group.outletId, group.productId, group.netSales]))
  expect('the groups of the file', ofFile.toSorted(), ofReport.toSorted())
}

const refundOneLine: Job = {
  name: 'one line of an order is refunded',
  async run({ page, press, type, click, fill, see }, { shop: { send, order } }) {
    const { lineItems } = await send('GET', `/v1/order/${order.id}`)
    const [{ name, price }] = lineItems
    await press('Control+k')
    await type(order.receiptId)
    await press('Enter')
    await click(page.getByRole('button', { name: 'Refund', exact: true }))
    const dialog = page.getByRole('dialog')
    await fill(dialog.getByLabel(`${name}: quantity`), '2')
    await press('Enter')
    await see(dialog.getByText(/^Paid back/))
    await click(dialog.getByRole('button', { name: 'Done' }))
    return async () => {
      const { data } = await send('GET', `/v1/refunds?orderId=${order.id}`)
      const sums = data.map(({ summary }: any) => summary.total)
      expect('the refund of the order', sums, [(2 * Number(price)).toFixed(2)])
      const { status } = await send('GET', `/v1/order/${order.id}`)
      expect('the status of the order', status, 'partial-refund')
    }
  },
}

export const selling: readonly Job[] = [
  findCustomer('a customer is found by a phone number, typed as 0679…', (phone) => phone.replace('+43 ', '0')),
  findCustomer('the same, typed as +43 679…', (phone) => phone),
  exportLastWeek,
  refundOneLine,
]
