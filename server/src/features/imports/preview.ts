// What a check shows of a file before it is run: its column mapping, and its first records as they would be.

import type { JsonSchema } from '../../core/json-schema.ts'
import { type Fields, list, number, object, required, text } from '../../engine/field.ts'
import type { JsonObject } from '../../engine/record.ts'
import { customer } from '../../resources/customer.ts'
import { order } from '../../resources/order.ts'
import { product } from '../../resources/product.ts'
import { variant } from '../../resources/variant.ts'
import { priceOf } from '../file-import/catalog/catalog.ts'
import type { MappedColumn } from '../file-import/layout.ts'
import type { FileLocation } from '../file-import/locations.ts'
import { type ImportDraft, type KindCounts, movedLevels, type Observe } from '../file-import/records.ts'
import { changeOf } from '../file-import/stored.ts'

/** Products that a preview shows, variants of each, and characters of a text in it. */
const PREVIEWED_PRODUCTS = 20
const PREVIEWED_VARIANTS = 50
const PREVIEWED_CHARACTERS = 1_000
/** Records in a preview's comparison with what is stored. */
const PREVIEWED_CHANGES = 100
/** Characters of a preview, after which no further product or variant is shown: it is built and sent as a whole. */
const PREVIEW_CHARACTERS = 1024 * 1024

const { categories: _, ...productMembers } = membersOf(product.fields)
const { inventory: __, ...variantMembers } = membersOf(variant.fields)
const customerMembers = membersOf(customer.fields)
const orderMembers = membersOf(order.fields)

/** The kinds whose changes are shown, and the member that names a record of each. */
const singular = {
  products: 'product',
  variants: 'variant',
  customers: 'customer',
  orders: 'order',
  transactions: 'transaction',
  refunds: 'refund',
} as const
const names = {
  products: 'name',
  variants: 'sku',
  customers: 'email',
  orders: 'receiptId',
  transactions: 'receiptId',
  refunds: 'externalId',
}

/** The members that a caller may set, all optional. */
function membersOf(fields: Fields): Record<string, Fields[string]> {
  const own = Object.entries(fields).filter(([, { serverOwned }]) => !serverOwned)
  return Object.fromEntries(own.map(([member, field]) => [member, { ...field, required: false }]))
}

/** The result of a previewed record, as in the summary. */
const outcome: Fields[string] = {
  ...text(),
  schema: { type: 'string', enum: ['created', 'updated', 'unchanged'], description: 'What the run would do with it.' },
}

const previewed = object(
  {
    outcome: required(outcome),
    ...productMembers,
    categories: list(text(), { description: 'Paths of names: `Clothing > Shirts`.' }),
    variantsCount: required(
      number({
        description: `The number of its variants in the file; at most the first ${PREVIEWED_VARIANTS} are listed here.`,
      }),
    ),
    variants: required(
      list(
        object(
          {
            outcome: required(outcome),
            ...variantMembers,
            sellingPrice: number({
              description: 'The price that the customer pays: `salePrice` if it is on sale, else `price`.',
            }),
            stock: number({
              description: 'The stock that the variant would have at the outlets of the file, added up.',
            }),
          },
          {
            title: 'PreviewedVariant',
            description: 'A variant as it would be after the run, with the members of a variant.',
          },
        ),
        { description: 'The first variants of the product in the file.' },
      ),
    ),
  },
  {
    title: 'PreviewedProduct',
    description: `A product as it would be after the run, with the members of a product. Texts longer than ${PREVIEWED_CHARACTERS.toLocaleString('en')} characters and lists of more than ${PREVIEWED_VARIANTS} are cut.`,
  },
)

/** A customer or an order in a preview. */
const alone = (name: 'customer' | 'order', members: Record<string, Fields[string]>) =>
  object(
    { outcome: required(outcome), ...members },
    {
      title: `Previewed${name === 'customer' ? 'Customer' : 'Order'}`,
      description: `The ${name} as it would be after the run, with the members of ${name}s. Long texts and lists are cut.`,
    },
  )
const firstOf = (what: string) =>
  `The first ${what} of a file of ${what}, at most ${PREVIEWED_PRODUCTS}; fewer if their texts are long.`

/** The answer of a preview. */
export const previewSchema: JsonSchema = {
  title: 'ImportPreview',
  type: 'object',
  properties: {
    columns: {
      type: 'array',
      description: 'The columns of the file, in its order.',
      items: {
        title: 'PreviewedColumn',
        type: 'object',
        properties: {
          column: { type: 'string', description: 'The heading.' },
          as: { type: 'string', description: 'The member that it is imported as; absent if the column is ignored.' },
        },
        required: ['column'],
      },
    },
    preview: {
      type: 'array',
      description: `The first products, at most ${PREVIEWED_PRODUCTS}; fewer products and variants if their texts are long.`,
      items: previewed.schema,
    },
    customers: {
      type: 'array',
      description: firstOf('customers'),
      items: alone('customer', customerMembers).schema,
    },
    orders: { type: 'array', description: firstOf('orders'), items: alone('order', orderMembers).schema },
    locations: {
      type: 'array',
      description:
        'The locations of the file. Absent if the file names none: its stock is then that of the import’s outlet.',
      items: {
        title: 'PreviewedLocation',
        type: 'object',
        properties: {
          location: { type: 'string', description: 'The location, as the file names it.', examples: ['Main Street'] },
          outletId: {
            type: 'string',
            description:
              'The outlet of its stock: the chosen one, else the one with the same name or alias. Absent if the stock of the location is not imported.',
          },
          variants: {
            type: 'integer',
            description: 'The number of variants whose stock at the location is in the file.',
            examples: [12],
          },
        },
        required: ['location', 'variants'],
      },
    },
    changes: {
      type: 'array',
      description: `The first existing records that would change, at most ${PREVIEWED_CHANGES}; fewer if their texts are long.`,
      items: {
        title: 'PreviewedChange',
        type: 'object',
        properties: {
          resource: { type: 'string', enum: Object.values(singular), description: 'The kind of the record.' },
          id: { type: 'string', description: 'Identifies the existing record.' },
          name: {
            type: 'string',
            description:
              'The name of a product, the SKU of a variant, the e-mail address of a customer, the receipt’s number of an order.',
          },
          members: {
            type: 'array',
            description:
              'What would be overwritten, except stock. `before` or `after` is absent if there is no value; categories are paths of names, as far as the file names them.',
            items: {
              title: 'PreviewedMember',
              type: 'object',
              properties: {
                member: { type: 'string', description: 'Name of the member in JSON.' },
                before: { description: 'The stored value.' },
                after: { description: 'The value that the file has.' },
              },
              required: ['member'],
            },
          },
          stock: {
            title: 'PreviewedStock',
            type: 'object',
            description:
              'The stock that would be set at an outlet; absent if it does not change. A variant whose stock changes at several outlets is listed once for each. A run with `stock: false` does not change stock.',
            properties: {
              outletId: { type: 'string', description: 'The outlet; absent if the run creates it.' },
              before: { type: 'number', description: 'Units on hand now; absent if nothing was counted yet.' },
              after: { type: 'number', description: 'Units on hand after the run.', examples: [12] },
            },
            required: ['after'],
          },
        },
        required: ['resource', 'id', 'members'],
      },
    },
  },
  required: ['columns', 'preview', 'changes'],
}

/** What a preview shows of customers and orders. */
const shownAlone = { customers: customerMembers, orders: orderMembers }

interface PreviewedRecord {
  readonly outcome: keyof KindCounts
  readonly record: JsonObject
  readonly variants: object[]
  variantsCount: number
}

/** Collects a preview while a file is checked: `observe` receives its records, `text` is the preview as JSON. */
export function previewer(): {
  observe: Observe
  text(columns: readonly MappedColumn[], locations: readonly FileLocation[]): string
} {
  const products = new Map<string, PreviewedRecord>()
  const changes: object[] = []
  const others = { customers: [] as object[], orders: [] as object[] }
  const categories = new Map<string, { readonly name: string; readonly parentId: string | undefined }>()
  let characters = 0

  function pathOf(id: string): string {
    const { name, parentId } = categories.get(id) ?? { name: id, parentId: undefined }
    return parentId === undefined ? name : `${pathOf(parentId)} > ${name}`
  }

  /** Stores which values of an existing record would be overwritten. */
  function compare(kind: keyof typeof singular, draft: ImportDraft, id: string): void {
    if (draft.stored === undefined || changes.length >= PREVIEWED_CHANGES || characters > PREVIEW_CHARACTERS) return
    for (const own of overwritten(kind, draft, id, pathOf)) {
      characters += JSON.stringify(own).length
      changes.push(own)
    }
  }

  return {
    observe(kind, draft, { id, as }) {
      const { record, stored, levels = [] } = draft
      if (kind !== 'categories') compare(kind, draft, id)
      if (kind === 'categories')
        categories.set(id, { name: String(record.name), parentId: record.parentId as string | undefined })
      else if (kind === 'customers' || kind === 'orders') {
        if (others[kind].length >= PREVIEWED_PRODUCTS || characters > PREVIEW_CHARACTERS) return
        const shown = { outcome: as, ...chosen(record, shownAlone[kind]) }
        characters += JSON.stringify(shown).length
        others[kind].push(shown)
      } else if (kind === 'products') {
        if (products.size >= PREVIEWED_PRODUCTS || products.has(id) || characters > PREVIEW_CHARACTERS) return
        const paths = ((record.categories ?? []) as string[]).slice(0, PREVIEWED_VARIANTS).map(pathOf)
        const shown = { ...chosen(record, productMembers), ...(paths.length > 0 && { categories: paths }) }
        characters += JSON.stringify(shown).length
        products.set(id, { outcome: as, record: shown, variants: [], variantsCount: 0 })
      } else if (kind === 'variants') {
        const own = products.get(String(record.productId))
        if (own === undefined) return
        own.variantsCount++
        if (own.variants.length >= PREVIEWED_VARIANTS || characters > PREVIEW_CHARACTERS) return
        const stock = [...(stored?.levels ?? []), ...levels.map(({ outletId, stock }) => [outletId, stock] as const)]
        const onHand = stock.length > 0 ? [...new Map(stock).values()].reduce((sum, own) => sum + own) : undefined
        const { productId, ...members } = chosen(record, variantMembers)
        characters += JSON.stringify(members).length
        const sellingPrice = priceOf(record)
        const price = sellingPrice !== undefined && { sellingPrice }
        own.variants.push({ outcome: as, ...members, ...price, ...(onHand !== undefined && { stock: onHand }) })
      }
    },
    text(columns, locations) {
      const preview = [...products.values()].map(({ outcome, record, variantsCount, variants }) => ({
        outcome,
        ...record,
        variantsCount,
        variants,
      }))
      return JSON.stringify({ columns, preview, ...others, ...(locations.length > 0 && { locations }), changes })
    },
  }
}

/** The values of an existing record that would be overwritten, with the first level; each further level has an entry of its own. */
function overwritten(
  kind: keyof typeof singular,
  { record, stored, levels = [] }: ImportDraft,
  id: string,
  pathOf: (categoryId: string) => string,
): object[] {
  if (stored === undefined) return []
  const change = changeOf(stored.record, record) ?? {}
  const [first, ...more] = movedLevels(levels, stored).map(({ outletId, stock }) => ({
    stock: { ...(outletId && { outletId }), before: stored.levels?.get(outletId), after: stock },
  }))
  if (Object.keys(change).length === 0 && first === undefined) return []
  const shown = (member: string, value: unknown) => {
    if (member === 'categories' && Array.isArray(value)) return value.slice(0, PREVIEWED_VARIANTS).map(pathOf)
    return value === null ? undefined : cut(value)
  }
  const own = { resource: singular[kind], id, name: record[names[kind]] ?? record.externalId }
  const changed = {
    ...own,
    members: Object.entries(change).map(([member, after]) => ({
      member,
      before: shown(member, stored.record[member]),
      after: shown(member, after),
    })),
    ...first,
  }
  return [changed, ...more.map((level) => ({ ...own, members: [], ...level }))]
}

/** The shown members of a record, cut if they are long. */
const chosen = (record: JsonObject, members: Fields): JsonObject =>
  Object.fromEntries(
    Object.keys(members).flatMap((member) => (record[member] === undefined ? [] : [[member, cut(record[member])]])),
  )

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > PREVIEWED_CHARACTERS ? `${value.slice(0, PREVIEWED_CHARACTERS).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, PREVIEWED_VARIANTS).map(cut)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([member, own]) => [member, cut(own)]))
  return value
}
