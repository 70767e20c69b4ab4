// Reads Shopify's product export: the rows of one handle are a product, its first row describes it, each row may add a
// variant or an image.

import { DESCRIPTION_CHARACTERS, VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import type { CsvFile } from '../csv.ts'
import { brokenRow, cellAsMetadata, columnsOf, type RowView, refusedRow, refuseRepeated, rowViews } from '../layout.ts'
import {
  codeOf,
  imageOf,
  listOf,
  type Metadatum,
  numberOf,
  pathOf,
  presentMembers,
  Refusal,
  some,
  stockOf,
  textOf,
  wordOf,
} from '../values.ts'
import {
  type CatalogEntry,
  type CatalogProduct,
  type CatalogVariant,
  completedProduct,
  type ProductMembers,
  type VariantMembers,
} from './catalog.ts'
import { catalogFormat } from './load.ts'
import { noteColumn, SHOPIFY, SHOPIFY_SETS, type ShopifyMember } from './shopify-columns.ts'

/** What is kept of a product until the end of the file. */
interface KnownProduct {
  line: number
  name: string
  options: string[]
}

/** Consecutive rows of one handle. */
interface HandleRows {
  handle: string
  line: number
  /** The product of these rows, or why they have none. */
  of: KnownProduct | { first: Refusal; further: Refusal }
  /** Absent if the product is further up and these rows add to it. */
  product?: CatalogProduct
  variants: CatalogVariant[]
  images: { url: string; position: number }[]
  refusedVariants: number
}

/** What is kept of the whole file, a few words for each product and variant. */
interface Memory {
  separator: string
  notes: { at: number; of: 'product' | 'variant'; silent: string[] }[]
  products: Map<string, KnownProduct>
  variants: Map<string, number>
}

// A Shopify product has at most 2,048 variants and 250 images; a file with a single handle must not fill the memory.
const GROUP_RECORDS = 2500

/** The catalogue in a product export of Shopify. A handle that appears again further down yields an addition. */
async function* readShopify(file: CsvFile): AsyncGenerator<CatalogEntry> {
  const columns = columnsOf(file, SHOPIFY)
  const view = rowViews(file, columns)
  const notes = columns.others.flatMap(({ at, normal }) => {
    const column = noteColumn(normal)
    return column ? [{ at, ...column }] : []
  })
  const memory: Memory = { separator: file.separator, notes, products: new Map(), variants: new Map() }
  let group: HandleRows | undefined
  for await (const raw of file.rows()) {
    if ('problem' in raw) {
      yield brokenRow(raw)
      continue
    }
    const row = view(raw)
    try {
      const handle = textOf(row.cell('handle'))
      if (handle === undefined) throw new Refusal('the row has no handle', row.cell('handle').heading)
      if (group && (group.handle !== handle || group.variants.length + group.images.length >= GROUP_RECORDS)) {
        yield* close(group, memory)
        group = undefined
      }
      group ??= begin(row, handle, memory)
      add(row, group, memory)
    } catch (cause) {
      yield refusedRow(row.line, cause)
    }
  }
  if (group) yield* close(group, memory)
}

function begin(row: ShopifyRow, handle: string, memory: Memory): HandleRows {
  const { line } = row
  const empty = { handle, line, variants: [], images: [], refusedVariants: 0 }
  const known = memory.products.get(handle)
  if (known) return { ...empty, of: known }
  try {
    const product = productOf(row, handle, notesOf(row, 'product', memory))
    const of = { line, name: product.product.name, options: optionNames(row) }
    memory.products.set(handle, of)
    return { ...empty, of, product }
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    const further = new Refusal(`the product "${handle}" was refused in line ${line}`)
    return { ...empty, of: { first: cause, further } }
  }
}

function add(row: ShopifyRow, group: HandleRows, memory: Memory): void {
  const { handle, of } = group
  if ('first' in of) throw row.line === group.line ? of.first : of.further
  const isVariant = saysVariant(row)
  const title = row.cell('title')
  const image = row.cell('image')
  try {
    if (title.text !== '' && title.text !== of.name) {
      throw new Refusal(`line ${of.line} gives the product "${handle}" another title`, title.heading)
    }
    if (!isVariant && !image.text && !title.text) throw new Refusal('the row names neither a variant nor an image')
    const position = Number.parseInt(row.cell('imagePosition').text, 10) || Number.MAX_SAFE_INTEGER
    const images = image.text ? [{ url: imageOf(image), position }] : []
    if (isVariant) {
      const variant = variantOf(row, handle, of.options, notesOf(row, 'variant', memory), memory.separator)
      refuseRepeated(memory.variants, variant.externalId, row.line)
      group.variants.push(variant)
    }
    group.images.push(...images)
  } catch (cause) {
    if (isVariant) group.refusedVariants++
    throw cause
  }
}

function* close({ handle, line, of, product, variants, refusedVariants, ...group }: HandleRows, memory: Memory) {
  if ('first' in of) return
  const sorted = group.images.sort((one, other) => one.position - other.position)
  const images = [...new Set(sorted.map(({ url }) => url))]
  let entry: CatalogEntry | undefined
  if (!product) {
    entry = { kind: 'addition', line, parent: { externalId: handle }, images, variants }
  } else if (variants.length > 0) {
    entry = { kind: 'product', ...completedProduct({ ...product, variants }, images) }
  } else if (refusedVariants === 0) {
    // A product without any row for a variant is still one thing to sell.
    const alone = { line, externalId: handle, variant: { manageStock: false, allowBackorder: false } }
    entry = { kind: 'product', ...completedProduct({ ...product, variants: [alone] }, images) }
  } else {
    memory.products.delete(handle)
  }
  if (entry && (product || variants.length + images.length > 0)) yield entry
}

const notesOf = (row: ShopifyRow, of: 'product' | 'variant', { notes }: Memory) =>
  notes.flatMap((column) => (column.of === of ? cellAsMetadata(row.at(column.at), column.silent) : []))

export const shopifyCatalog = catalogFormat({ layout: SHOPIFY, sets: SHOPIFY_SETS, read: readShopify })

/** A row of the export. */
type ShopifyRow = RowView<ShopifyMember>

const OPTIONS = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const
const VARIANT_MEMBERS = ['sku', 'barcode', 'price', 'compareAtPrice', 'cost', 'stock', 'variantImage'] as const
const PUBLISHED = { true: 'active', '1': 'active', yes: 'active', false: 'draft', '0': 'draft', no: 'draft' }
const POLICY = { continue: true, true: true, yes: true, '1': true, deny: false, false: false, no: false, '0': false }

/** False for a row that only adds an image. */
const saysVariant = ({ cell }: ShopifyRow): boolean =>
  [...VARIANT_MEMBERS, ...OPTIONS.map(([, value]) => value)].some((member) => cell(member).text !== '')

/** The names of a product's options by position; only its first row has them. */
const optionNames = ({ cell }: ShopifyRow): string[] => OPTIONS.map(([name]) => textOf(cell(name)) ?? '')

/** The product of a handle's first row, without the members that depend on its variants and images. */
function productOf({ cell, line }: ShopifyRow, externalId: string, notes: Metadatum[]): CatalogProduct {
  const name = textOf(cell('title'))
  if (name === undefined) throw new Refusal(`no row above gives the product "${externalId}" a title`)
  const type = textOf(cell('type'))
  const collection = textOf(cell('collection'))
  const path = pathOf(cell('taxonomy'))
  // The merchant's own type says more about the shop than Shopify's general taxonomy.
  const metadata = [...(type ? cellAsMetadata(cell('taxonomy')) : []), ...notes]
  const categories = [type ? [type] : path, collection ? [collection] : []]
  const status = textOf(cell('status'), VOCABULARY_CHARACTERS)?.toLowerCase()
  const product = presentMembers<ProductMembers>({
    name,
    productType: 'simple',
    status: status ?? wordOf(cell('published'), PUBLISHED) ?? 'active',
    source: 'shopify',
    description: textOf(cell('description'), DESCRIPTION_CHARACTERS),
    supplier: textOf(cell('vendor')),
    tags: some(listOf(cell('tags'))),
    metadata: some(metadata),
  })
  return { line, externalId, product, categories: categories.filter((names) => names.length > 0), variants: [] }
}

/** The variant of a row. The export has no ids for variants, but their options are unique within a product. */
function variantOf(
  { cell, line }: ShopifyRow,
  handle: string,
  options: string[],
  notes: Metadatum[],
  separator: string,
): CatalogVariant {
  const attributes = OPTIONS.flatMap(([, member], index) => {
    const name = options[index] ?? ''
    const value = textOf(cell(member))
    if (value === undefined || (name === 'Title' && value === 'Default Title')) return []
    if (name === '') throw new Refusal(`${cell(member).heading} "${value}" has no option name`, cell(member).heading)
    return [{ name, value }]
  })
  const id = [handle, ...attributes.map(({ value }) => value)].join('/')
  const price = numberOf(cell('price'), separator)
  const compareAt = numberOf(cell('compareAtPrice'), separator)
  const isOnSale = price !== undefined && compareAt !== undefined && compareAt > price
  const allowBackorder = wordOf(cell('policy'), POLICY) ?? false
  const stock = stockOf(cell('stock'), separator)
  const tracker = cell('tracker')
  const variant = presentMembers<VariantMembers>({
    // Without the column, a quantity is the only sign that stock is tracked.
    manageStock: tracker.heading === '' ? stock !== undefined : tracker.text !== '',
    allowBackorder,
    sku: codeOf(cell('sku')),
    barcode: codeOf(cell('barcode')),
    price: isOnSale ? compareAt : price,
    salePrice: isOnSale ? price : undefined,
    isOnSale,
    costPrice: numberOf(cell('cost'), separator),
    images: cell('variantImage').text ? [imageOf(cell('variantImage'))] : undefined,
    attributes: some(attributes),
    metadata: some(notes),
  })
  return {
    line,
    externalId: textOf({ heading: 'Handle with options', text: id }) ?? handle,
    variant,
    ...(stock !== undefined && { stock }),
  }
}
