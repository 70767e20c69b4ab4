// The rows of the variants grid: what is stored, what was typed over it, and variants that are not stored yet.
import { newIdempotencyKey } from '../../api/request.ts'
import type { Product, Variant } from '../../api/schemas.ts'
import { differing } from '../../parts/draft.ts'
import { Unreadable } from '../../parts/unreadable.ts'

export type Attribute = NonNullable<Product['attributes']>[number]

/** Members that the grid edits. */
const members = ['attributes', 'sku', 'barcode', 'price', 'salePrice', 'isOnSale'] as const
export type RowMember = (typeof members)[number]
/** As typed; a number that cannot be read is `Unreadable`. */
type RowValues = Readonly<Record<string, unknown>>

export interface Row {
  /** The id of the stored variant, or the idempotency key of a new one. */
  readonly key: string
  /** Undefined for a new one. */
  readonly variant: Variant | undefined
  /** What was stored when typing began. */
  readonly base: RowValues
  readonly values: RowValues
  /** A row to type in, which is not saved if it stays as it was offered. */
  readonly isOffered?: true
}

export const rowOf = (variant: Variant): Row => ({
  key: variant.id,
  variant,
  base: { ...variant },
  values: { ...variant },
})

/** A row for a new variant. */
export const newRow = (values: RowValues = {}): Row => ({
  key: newIdempotencyKey(),
  variant: undefined,
  base: {},
  values: { manageStock: true, ...values },
})

/** A new row to type in. It is saved once something is typed. */
export function offeredRow(values: RowValues = {}): Row {
  const row = newRow(values)
  return { ...row, base: row.values, isOffered: true }
}

/** Members that were changed in a row. */
export const changedIn = ({ base, values }: Row): string[] => differing(members, base, values)

/** The first stock of a new variant, as typed. */
type Levels = readonly { readonly outletId: string; readonly stock: unknown }[]
const levelsOf = ({ values }: Row) => (values.inventory ?? []) as Levels

export const levelOf = (row: Row, outletId: string): unknown =>
  levelsOf(row).find((level) => level.outletId === outletId)?.stock

/** The row of a new variant with its first stock at an outlet; undefined for none. */
export function withLevel(row: Row, outletId: string, stock: unknown): Row {
  const others = levelsOf(row).filter((level) => level.outletId !== outletId)
  const levels = stock === undefined ? others : [...others, { outletId, stock }]
  return { ...row, values: { ...row.values, inventory: levels.length === 0 ? undefined : levels } }
}

/** Whether each number of the row can be read. */
export const isReadable = (row: Row): boolean =>
  ![...Object.values(row.values), ...levelsOf(row).map(({ stock }) => stock)].some(
    (value) => value instanceof Unreadable,
  )

/** Whether a row has something to save. */
export const isToSave = (row: Row): boolean =>
  changedIn(row).length > 0 || (row.variant === undefined && (row.isOffered !== true || levelsOf(row).length > 0))

/** The rows with more of them: variants of their own take the place of a row that was only offered. */
export function withAdded(rows: readonly Row[], more: readonly Row[]): Row[] {
  const isOffer = more.every((row) => row.isOffered)
  return [...rows.filter((row) => isOffer || row.isOffered !== true || isToSave(row)), ...more]
}

type Attributes = readonly { readonly name?: string; readonly value?: string }[]
const attributesOf = (values: RowValues) => (values.attributes ?? []) as Attributes

export const optionOf = (values: RowValues, option: string): string | undefined =>
  attributesOf(values).find(({ name }) => name === option)?.value

/** The row with one member changed. A first sale price puts the variant on sale; without one it is not on sale. */
export function withMember(row: Row, member: RowMember, value: unknown): Row {
  const { salePrice } = row.values
  const sale =
    member !== 'salePrice' || (salePrice === undefined) === (value === undefined)
      ? {}
      : { isOnSale: value !== undefined }
  return { ...row, values: { ...row.values, [member]: value, ...sale } }
}

export function withOption(row: Row, option: string, value: string): Row {
  const attributes = attributesOf(row.values)
  const others = attributes.filter(({ name }) => name !== option)
  const at = attributes.findIndex(({ name }) => name === option)
  const next = value === '' ? others : others.toSpliced(at < 0 ? others.length : at, 0, { name: option, value })
  return withMember(row, 'attributes', next.length === 0 && row.base.attributes === undefined ? undefined : next)
}

/** The names of a product's options, then those that only its variants have. */
export const optionsOf = (attributes: readonly Attribute[], rows: readonly Row[]): string[] => [
  ...new Set([
    ...attributes.flatMap(({ name }) => name || []),
    ...rows.flatMap(({ values }) => attributesOf(values).flatMap(({ name }) => name ?? [])),
  ]),
]

/** The most rows that are added at once. */
const mostAdded = 100

/** Values for which a product has no variant yet: all combinations of the values of its options. */
export function missing(attributes: readonly Attribute[], rows: readonly Row[]): Attributes[] {
  const chosen = attributes.filter(({ name, values }) => name && values?.length)
  if (chosen.length === 0) return []
  let combinations: Attributes[] = [[]]
  for (const { name = '', values = [] } of chosen)
    combinations = combinations
      .slice(0, 10 * mostAdded)
      .flatMap((one) => values.map((value) => [...one, { name, value }]))
  return combinations
    .filter((one) => !rows.some(({ values }) => one.every(({ name = '', value }) => optionOf(values, name) === value)))
    .slice(0, mostAdded)
}
