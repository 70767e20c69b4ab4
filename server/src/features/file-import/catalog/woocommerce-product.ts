// One row of WooCommerce's product export as a product and a variant, in our own terms; the notations within single
// cells: attributes in numbered columns, category paths, descriptions, sale dates.

import { DESCRIPTION_CHARACTERS } from '../../../core/limits.ts'
import { type ColumnPositions, note, type RowView } from '../columns.ts'
import type { Metadatum } from '../merge.ts'
import { some } from '../merge.ts'
import {
  type Cell,
  codeOf,
  imagesOf,
  listOf,
  numberOf,
  pathOf,
  present,
  Refusal,
  refuse,
  stockOf,
  textOf,
  wordOf,
} from '../values.ts'
import type { CatalogVariant, ProductMembers, VariantMembers } from './catalog.ts'
import { IMPORT_CATEGORIES_OF_ROW } from './limits.ts'

/** One attribute of a row; `text` is its whole value, as a variation has it. */
export interface WooAttribute {
  name: string
  values: string[]
  text: string
}

interface AttributeColumns {
  /** All columns of this attribute that are not read in another way. */
  columns: number[]
  read: (row: { at: (index: number) => Cell }) => WooAttribute[]
}

/** The attributes that a file has columns for: `Attribute 1 name`, `Attribute 1 value(s)` and so on. */
export function attributeColumns(others: ColumnPositions<string>['others']): AttributeColumns[] {
  const byNumber = new Map<number, Record<string, number>>()
  for (const { at, normal } of others) {
    const [, number, part] = /^attribute (\d+) (name|value\(s\)|visible|global)$/.exec(normal) ?? []
    if (part) byNumber.set(Number(number), { ...byNumber.get(Number(number)), [part]: at })
  }
  const numbers = [...byNumber.entries()].sort(([one], [other]) => one - other)
  return numbers.map(([number, parts]) => ({
    columns: Object.values(parts),
    read: ({ at }) => {
      const name = textOf(at(parts.name ?? -1))
      const value = at(parts['value(s)'] ?? -1)
      if (name) return [{ name, values: listOf(value), text: value.text.replaceAll('\\,', ',') }]
      if (value.text) refuse(value, `has no name in the column Attribute ${number} name`)
      return []
    },
  }))
}

/** The categories in a cell: `Clothing > Shirts, Sale`. */
export function pathsOf(cell: Cell): string[][] {
  const paths = listOf(cell, Number.POSITIVE_INFINITY)
  if (paths.length > IMPORT_CATEGORIES_OF_ROW)
    refuse(cell, `names ${paths.length} categories; the maximum is ${IMPORT_CATEGORIES_OF_ROW}`)
  return paths.map((text) => pathOf({ ...cell, text })).filter((path) => path.length > 0)
}

/** A description: the export writes a line break as `\n`, and these two characters as `\\n`. */
function descriptionOf(cell: Cell): string | undefined {
  const text = cell.text.replace(/\\(\\n|n)/g, (_, what) => (what === 'n' ? '\n' : '\\n'))
  return textOf({ ...cell, text }, DESCRIPTION_CHARACTERS)
}

/** True if a sale price is valid today, by its dates. */
function isSaleTime(starts: Cell, ends: Cell, now: number = Date.now()): boolean {
  return momentOf(starts, '00:00:00', Number.NEGATIVE_INFINITY) <= now && now <= momentOf(ends, '23:59:59', Infinity)
}

function momentOf(cell: Cell, time: string, without: number): number {
  if (cell.text === '') return without
  const [, day, clock = time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d{1,2}:\d\d(?::\d\d)?).*)?$/.exec(cell.text) ?? []
  const moment = Date.parse(`${day}T${clock.replace(/^(?=\d:)/, '0')}Z`)
  if (Number.isNaN(moment))
    throw new Refusal(`${cell.heading} "${cell.text}" is not a date such as 2026-05-31`, cell.heading)
  return moment
}

/** The columns with a member of ours, by the headings of the export. */
export const WOO_HEADINGS = {
  id: ['ID'],
  sku: ['SKU'],
  name: ['Name'],
  price: ['Regular price', 'Price'],
  salePrice: ['Sale price'],
  type: ['Type'],
  parent: ['Parent'],
  published: ['Published'],
  shortDescription: ['Short description'],
  description: ['Description'],
  saleStarts: ['Date sale price starts'],
  saleEnds: ['Date sale price ends'],
  stock: ['Stock'],
  backorders: ['Backorders allowed?'],
  barcode: ['GTIN, UPC, EAN, or ISBN'],
  cost: ['Cost of goods'],
  categories: ['Categories'],
  tags: ['Tags'],
  brands: ['Brands'],
  images: ['Images'],
} as const

/** The members of a row. */
export type WooMember = keyof typeof WOO_HEADINGS
/** A row of the export. */
export type WooRow = RowView<WooMember>

const STATUS = { '1': 'active', true: 'active', '0': 'draft', '-1': 'draft', '2': 'draft', false: 'draft' }
const BACKORDERS = { '0': false, no: false, false: false, '1': true, yes: true, true: true, notify: true }

/** The row's name in the shop: its ID, or its SKU if the ID was not exported. */
export function idOf({ cell }: WooRow): string {
  const id = textOf(cell('id')) ?? codeOf(cell('sku'))
  if (id === undefined)
    throw new Refusal('the row has neither an ID nor a SKU, so a later import could not find it again')
  return id
}

/** The product that a variation names: `id:741`, or its SKU. */
export function parentOf({ cell }: WooRow): { externalId: string } | { sku: string } {
  const parent = codeOf(cell('parent'))
  if (parent === undefined) throw new Refusal('the variation names no product in the column Parent', 'Parent')
  const id = /^id:\s*(\S+)$/i.exec(parent)?.[1]
  return id ? { externalId: id } : { sku: parent }
}

/** The product of a row; `variant` is its own variant, if it has one. */
export function productOf(
  { cell }: WooRow,
  productType: string,
  attributes: WooAttribute[],
  metadata: Metadatum[],
  variant?: VariantMembers,
): ProductMembers {
  const name = textOf(cell('name'))
  if (name === undefined) throw new Refusal('the product has no name', cell('name').heading)
  const price = variant?.isOnSale ? variant.salePrice : variant?.price
  return present<ProductMembers>({
    name,
    productType,
    status: wordOf(cell('published'), STATUS) ?? 'active',
    source: 'woo-commerce',
    description: descriptionOf(cell('description')),
    shortDescription: descriptionOf(cell('shortDescription')),
    sku: codeOf(cell('sku')),
    supplier: textOf(cell('brands')),
    images: some(imagesOf(cell('images'))),
    tags: some(listOf(cell('tags'))),
    attributes: some(attributes.map(({ name, values }) => ({ name, values }))),
    metadata: some(metadata),
    minPrice: price,
    maxPrice: price,
  })
}

/** What this row sells: a variation, or a product without variations. */
export function variantOf(row: WooRow, separator: string): CatalogVariant {
  const { cell, line } = row
  const price = numberOf(cell('price'), separator)
  const salePrice = numberOf(cell('salePrice'), separator)
  const isReduced = salePrice !== undefined && (price === undefined || salePrice < price)
  const allowBackorder = wordOf(cell('backorders'), BACKORDERS) ?? false
  // A variation's stock can be that of its product, which is not a quantity of its own.
  const shared = cell('stock').text.toLowerCase() === 'parent'
  const stock = shared ? undefined : stockOf(cell('stock'), separator, allowBackorder)
  const variant = present<VariantMembers>({
    manageStock: stock !== undefined,
    allowBackorder,
    sku: codeOf(cell('sku')),
    barcode: codeOf(cell('barcode')),
    price,
    salePrice,
    isOnSale: isReduced && isSaleTime(cell('saleStarts'), cell('saleEnds')),
    costPrice: numberOf(cell('cost'), separator),
    metadata: some(shared ? note(cell('stock')) : []),
  })
  return { line, externalId: idOf(row), variant, ...(stock !== undefined && { stock }) }
}

/** The variant of a variation, which has its own images, attributes and further facts. */
export function variationOf(
  row: WooRow,
  attributes: WooAttribute[],
  metadata: Metadatum[],
  separator: string,
): CatalogVariant {
  const entry = variantOf(row, separator)
  const chosen = attributes.filter(({ text }) => text !== '').map(({ name, text }) => ({ name, value: text }))
  const own = present<Partial<VariantMembers>>({
    images: some(imagesOf(row.cell('images'))),
    attributes: some(chosen),
    metadata: some([...(entry.variant.metadata ?? []), ...metadata]),
  })
  return { ...entry, variant: { ...entry.variant, ...own } }
}
