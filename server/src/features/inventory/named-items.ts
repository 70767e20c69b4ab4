// Items of set-levels and adjust that name their variant by a code, such as its SKU: other systems do not know its id.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { mapInSlices } from '../../concurrency/time-slices.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { bodyError, invalid, type MemberError, Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { externalId, type Fields, name, reference, unsetWhenEmpty } from '../../engine/field.ts'
import type { JsonObject } from '../../engine/record.ts'
import { type BodySchema, bodySchema } from '../../engine/schema.ts'
import { otherNames } from '../../resources/shapes.ts'
import {
  hasCode,
  namedVariants,
  severalVariants,
  type VariantsByCode,
  variantCodes,
  variantsByCode,
} from '../../resources/variant-codes.ts'

/** The members of an item that name its variant. One is required. */
export const variantFields = {
  variantId: reference({
    description: 'The variant whose stock is written. It need not exist. Required unless a code names the variant.',
  }),
  sku: unsetWhenEmpty(
    name({ description: 'In place of `variantId`: the `sku` of the variant.', example: 'ESP-1-250' }),
  ),
  barcode: unsetWhenEmpty(
    name({ description: 'In place of `variantId`: the `barcode` of the variant.', example: '4006381333931' }),
  ),
  variantExternalId: externalId({
    description: 'In place of `variantId`: the `externalId` of the variant.',
    example: 'woo-119',
  }),
} as const satisfies Fields

/** What the APIs of others call members of items. */
const outletNames = otherNames('outletId', 'locationId', 'storeId', 'warehouseId', 'location', 'outlet')

const needed = 'is required, or the sku, barcode or variantExternalId of the variant'

/** The members of an item, and what the APIs of others call them. */
export interface ItemRules {
  readonly fields: Fields
  /** Those that are required beside a `variantId`; a code of a variant says its product too. */
  readonly beside: readonly string[]
  readonly elsewhere: Readonly<Record<string, string>>
}

/** Makes the check of an item: its members, and that it names a variant. */
export function itemCheck({ fields, beside, elsewhere }: ItemRules): BodySchema['create'] {
  const check = bodySchema({ fields, requireOneOf: [], elsewhere: { ...outletNames, ...elsewhere } }).create
  return (value, at = '') => {
    const checked = check(value, at)
    const sent = (value ?? {}) as JsonObject
    const isSent = (member: string) => sent[member] !== undefined && sent[member] !== null && sent[member] !== ''
    const lacks = (member: string, message: string) => bodyError(`${at}/${member}`, 'required', message)
    const missing = isSent('variantId')
      ? beside.filter((member) => !isSent(member)).map((member) => lacks(member, 'is required'))
      : variantCodes.some(isSent)
        ? []
        : [lacks('variantId', needed)]
    if (missing.length === 0) return checked
    return checked instanceof Problem && checked.code !== 'validation_failed'
      ? checked
      : invalid([...missing, ...(checked instanceof Problem ? checked.errors : [])])
  }
}

/** What the look-up of codes needs besides the items. */
interface CodeParts {
  readonly database: Database
  readonly contended: FairSemaphore
  readonly companyId: string
  readonly isGone: IsGone
}

/** A checked item of a request that moves stock, and its pointer. */
export interface StockItem {
  readonly set: JsonObject
  readonly at: string
}

/**
 * Adds the variant and its product to each item that names it by a code; problems stay, and so do all other items, without a
 * statement. A problem if no variant has the code, or several have it: stock of the wrong variant would move, or none.
 */
export async function withNamedVariants(
  { database, contended, companyId, isGone }: CodeParts,
  items: readonly (StockItem | Problem)[],
): Promise<readonly (StockItem | Problem)[]> {
  const unnamed = items.flatMap((item) => (item instanceof Problem || !isUnnamed(item) ? [] : [item.set]))
  if (unnamed.length === 0) return items
  const found = await contended({ tenant: companyId, isGone }, () => variantsByCode(database, companyId, unnamed))
  return mapInSlices(items, companyId, (item) =>
    item instanceof Problem || !isUnnamed(item) ? item : withVariant(item, found),
  )
}

const isUnnamed = ({ set }: StockItem): boolean => set.variantId === undefined && hasCode(set)

function withVariant({ set, at }: StockItem, found: VariantsByCode): StockItem | Problem {
  const named = namedVariants(set, found)
  if (named === undefined) return unknownCode(set, at)
  const { code, variants } = named
  const [only, another] = variants
  if (only === undefined || another !== undefined)
    return severalVariants(
      variants.map(({ id }) => id),
      `${at}/${code}`,
      'meant',
    )
  return { set: { ...set, variantId: only.id, productId: set.productId ?? (only.productId || undefined) }, at }
}

/** 400 at each code of an item: no variant has any of them, or none of the product that was sent. */
function unknownCode(set: JsonObject, at: string): Problem {
  const of = set.productId === undefined ? '' : ' of the product'
  const unknown = (code: string): MemberError =>
    bodyError(
      `${at}/${code}`,
      'reference',
      `must be the ${code === 'variantExternalId' ? 'externalId' : code} of a variant${of}`,
    )
  return invalid(variantCodes.filter((code) => set[code] !== undefined).map(unknown))
}
