// Jobs about the catalogue: a new product, prices by percent, and a shelf that is counted.
import { expect, type Job } from './job.ts'
import type { Person } from './person.ts'
import type { Shop } from './shop.ts'

const sizes = [
  { size: 'S', price: '19.90', stock: '5' },
  { size: 'M', price: '21.90', stock: '8' },
  { size: 'L', price: '23.90', stock: '3' },
] as const

/** A picture as a file: what the page shows. */
const picture = async ({ page }: Person) => ({
  name: 'shirt.png',
  mimeType: 'image/png',
  buffer: await page.screenshot(),
})

const newProduct: Job = {
  name: 'a product with three variants, prices, stock and a picture',
  async run(person, { shop }) {
    const { page, click, type, press, choose, see } = person
    await click(page.getByRole('link', { name: 'Products', exact: true }))
    await click(page.getByRole('link', { name: 'New product' }))
    await see(page.getByRole('heading', { level: 1, name: 'New product' }))
    await type('Linen shirt')
    await click(page.getByRole('button', { name: 'Options' }))
    const options = page.getByRole('group', { name: 'Options' })
    await click(options.getByRole('button', { name: 'Add', exact: true }))
    await type('Size')
    await press('Tab')
    for (const { size } of sizes) {
      await type(size)
      await press('Enter')
    }
    await click(page.getByRole('button', { name: 'Add the 3 missing variants' }))
    await click(page.getByLabel('Price of S', { exact: true }))
    await typeDown(person, sizes, 'price')
    await click(page.getByLabel('Stock of S at Centre'))
    await typeDown(person, sizes, 'stock')
    await choose(page.getByRole('button', { name: 'Choose pictures' }), await picture(person))
    await see(page.getByRole('img', { name: 'Picture 1' }))
    await click(page.getByRole('button', { name: 'Create product' }))
    await see(page.getByRole('heading', { level: 1, name: 'Linen shirt' }))
    return () => checkProduct(shop)
  },
}

/** Types a column of the variants: Enter goes down. */
async function typeDown({ type, press }: Person, rows: typeof sizes, column: 'price' | 'stock'): Promise<void> {
  for (const row of rows) {
    await type(row[column])
    await press('Enter')
  }
}

async function checkProduct({ send, outlets }: Shop): Promise<void> {
  const { data } = await send('GET', '/v1/products?searchByName=Linen%20shirt')
  const [product] = data
  expect('products of that name', data.length, 1)
  expect('pictures of the product', product.images.length, 1)
  const variants = await send('GET', `/v1/variants?productId=${product.id}&sortBy=price&sortOrder=asc`)
  const found = variants.data.map(({ attributes, price, inventory }: any) => {
    const level = inventory.find(({ outletId }: any) => outletId === outlets[0])
    return { size: attributes[0].value, price: price.toFixed(2), stock: String(level?.stock) }
  })
  expect('the variants', found, sizes)
}

const raisePrices: Job = {
  name: '200 prices are raised by 5 %',
  async run({ page, click, fill, type, press, see }, { shop: { send, groceries } }) {
    await click(page.getByRole('link', { name: 'Prices' }))
    await fill(page.getByRole('searchbox', { name: 'Find a variant' }), 'GRO-')
    await press('Enter')
    await see(page.getByText('Matching “GRO-”').first())
    await click(page.getByRole('button', { name: 'Change by percent' }))
    await type('5')
    await see(page.getByText('200 prices will change.'))
    await press('Enter')
    await press('Control+s')
    await see(page.getByRole('status').getByText('200 cells saved.'))
    return async () => {
      const { data } = await send('GET', '/v1/variants?searchBySku=GRO-&limit=1000')
      const now = new Map(data.map(({ id, price }: any) => [id, price]))
      // Half a cent is rounded up, as the dialog says; the sums are whole.
      const raised = ({ price }: { price: number }) => Math.round((Math.round(price * 100) * 105) / 100) / 100
      expect('prices that are 5 % higher', groceries.filter((one) => now.get(one.id) === raised(one)).length, 200)
    }
  },
}

/** What is counted: another quantity than the service has. */
const counted = (n: number): string => String(31 + n)
const SHELF = 10

const countShelf: Job = {
  name: 'a shelf of ten variants is counted by scanning, and saved',
  async run({ page, click, scan, type, press, see }, { shop: { send, groceries, outlets } }) {
    const shelf = Array.from({ length: SHELF }, (_, n) => groceries[n * 19 + 3] as Shop['groceries'][number])
    await click(page.getByRole('link', { name: 'Stock', exact: true }))
    await click(page.getByRole('gridcell').first())
    for (const [n, { barcode, name }] of shelf.entries()) {
      await scan(barcode)
      await see(page.getByText(`${name}, Centre`, { exact: true }))
      await type(counted(n))
      await press('Enter')
    }
    await press('Control+s')
    await see(page.getByRole('status').getByText('10 cells saved.'))
    return async () => {
      for (const [n, { id }] of shelf.entries()) {
        const { inventory } = await send('GET', `/v1/variant/${id}`)
        const level = inventory.find(({ outletId }: any) => outletId === outlets[0])
        expect(`the stock of ${id}`, level.stock, Number(counted(n)))
      }
    }
  },
}

export const catalogue: readonly Job[] = [newProduct, raisePrices, countShelf]
