// Catalogue files from unknown senders: the beginning identifies the file, and no file takes more time or memory than its size justifies.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorError } from '../src/core/operator-error.ts'
import { csvOf } from '../src/features/file-import/csv.ts'
import { formatNamed, formatOf } from '../src/features/file-import/formats.ts'
import { type ImportKind, mappedColumns, type ShopName } from '../src/features/file-import/layout.ts'
import type { ByteSource } from '../src/features/file-import/text-file.ts'
import { imagesOf, listOf, numberOf } from '../src/features/file-import/values.ts'

/** Bytes as a source, in chunks of the given size. */
function source(content: string | Buffer, more: Partial<ByteSource> = {}): ByteSource {
  const bytes = Buffer.from(content)
  return {
    name: 'a.csv',
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
    },
    ...more,
  }
}

const refused = (work: Promise<unknown>, message: RegExp) =>
  assert.rejects(work, (error: Error) => error instanceof OperatorError && message.test(error.message))

const woo = 'ID,Type,SKU,Name,Regular price,Stock,Weight (kg),Attribute 1 name,Attribute 1 value(s)\n'
const shopify = 'Handle,Title,Vendor,Variant Price,Variant SKU,Option1 Name,Option1 Value,Image Alt Text,SEO Title\n'

describe('the beginning of a file', () => {
  test('is recognized as binary if it has bytes of all kinds', async () => {
    const bytes = Buffer.from(Array.from({ length: 8_192 }, (_, n) => (n * 197 + (n >> 3)) % 256))
    await refused(csvOf(source(bytes)), /is not text/)
  })

  test('shows the header, even if it ends in the middle of a character', async () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const bytes = Buffer.from(`\ufeff${woo}1,simple,€€€€`, encoding)
      for (let cut = bytes.length - 6; cut < bytes.length; cut++) {
        const { headings } = await csvOf(source(bytes.subarray(0, cut), { isCut: true }))
        assert.deepEqual([headings[0], headings.length], ['ID', 9])
      }
    }
  })

  test('of only blank lines is an empty file, and a header after some of them is found', async () => {
    assert.equal((await csvOf(source(`${'\r\n'.repeat(900)}${woo}`))).headings.length, 9)
    await refused(csvOf(source('\n'.repeat(100_000))), /is empty/)
  })

  test('shows which shop exported it, and names the other shop if that one was expected', async () => {
    const of = async (content: string, named?: ShopName) => formatOf(await csvOf(source(content)), named).shop
    assert.equal(await of(woo), 'woocommerce')
    assert.equal(await of(shopify), 'shopify')
    assert.equal(await of(shopify, 'shopify'), 'shopify')
    await refused(
      of(shopify, 'woocommerce'),
      /looks like an English product export of Shopify.*Import it as shopify\.$/,
    )
    await refused(
      of('a,b\n'),
      /not an English product export of WooCommerce, Shopify or Lightspeed \(X-Series\), an item library of Square, or .* Its header begins: a, b\. A file of other products needs the columns SKU, Name and Regular price\. A plain file/,
    )
    assert.equal(await of('ID,Name,Price,In stock?\n'), 'woocommerce')
    await refused(of('ID,Type,SKU,Published\n'), /English product export of WooCommerce: it has no column "Name"/)
  })

  test('of the named shop is accepted, even if more of its headings are those of another', async () => {
    const header = 'URL handle,Title,Price,SKU,Type,Published\n'
    assert.equal(formatOf(await csvOf(source(header)), 'shopify').shop, 'shopify')
  })
})

describe('the columns of a file', () => {
  const understood = async (shop: ShopName, header: string, kind: ImportKind = 'catalog') => {
    const mapped = mappedColumns(await csvOf(source(header)), formatNamed({ kind, shop }))
    return Object.fromEntries(mapped.map(({ column, as }) => [column, as]))
  }

  test('are listed with the members that they become, including metadata and ignored ones', async () => {
    assert.deepEqual(await understood('woocommerce', woo), {
      ID: 'externalId',
      Type: 'productType',
      SKU: 'sku',
      Name: 'name',
      'Regular price': 'price',
      Stock: 'stock',
      'Weight (kg)': 'metadata',
      'Attribute 1 name': 'attributes',
      'Attribute 1 value(s)': 'attributes',
    })
    assert.deepEqual(await understood('shopify', shopify), {
      Handle: 'externalId',
      Title: 'name',
      Vendor: 'supplier',
      'Variant Price': 'price',
      'Variant SKU': 'sku',
      'Option1 Name': 'attributes',
      'Option1 Value': 'attributes',
      'SEO Title': 'metadata',
      'Image Alt Text': undefined,
    })
  })

  test('of a plain file of orders become parts of the lines or of the order, as the file means them', async () => {
    const header = 'Order,Ordered at,Quantity,Price,Discount,Order discount,Order total,Floor\n'
    assert.deepEqual(await understood('plain', header, 'orders'), {
      Order: 'externalId',
      'Ordered at': 'occurredAt',
      Quantity: 'lineItems',
      Price: 'lineItems',
      Discount: 'lineItems',
      'Order discount': 'cartDiscount',
      'Order total': 'summary.total',
      Floor: 'metadata',
    })
  })

  test('have a maximum number, and none contains binary data', async () => {
    await refused(csvOf(source(`${'a,'.repeat(2_000)}b\n`)), /has 2001 columns; the maximum is 2000/)
    await refused(csvOf(source(`${woo.trim()},Na\0me\n`)), /contains a NUL character/)
  })
})

test('a file with more rows than the limit is refused, counting blank ones', async () => {
  const read = async (content: string) => {
    const { rows } = await csvOf(source(content, { mostRows: 3 }))
    return (await Array.fromAsync(rows())).length
  }
  assert.equal(await read('a,b\n1,2\n3,4\n5,6\n'), 3)
  await refused(read('a,b\n1,2\n3,4\n5,6\n7,8\n'), /has more than 3 rows/)
  await refused(read('a,b\n\n\n\n\n'), /has more than 3 rows/)
})

describe('a cell of a million characters', () => {
  const many = 1_000_000
  const cell = (text: string) => ({ heading: 'H', text })

  test('is not a number, however many blanks it has between its signs', () => {
    for (const text of [`-${' '.repeat(many)}x`, '1 '.repeat(many), `€${' '.repeat(many)}5`])
      assert.throws(() => numberOf(cell(text), ','), /is not a number/)
  })

  test('is a list of all its values, and one address of all its parts', () => {
    assert.equal(listOf(cell(Array.from({ length: 100_000 }, (_, n) => n).join())).length, 100_000)
    assert.throws(() => imagesOf(cell(`https://a.example/${',b'.repeat(many / 2)}`)), /the maximum is 2048/)
  })
})
