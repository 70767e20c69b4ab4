// Finds the stored records for a batch of a catalogue file, decides what they should become, and passes that on.
import { newId } from '../../../core/ids.ts'
import { Problem } from '../../../core/problem.ts'
import { type ImportDraft, objection, type RecordWriter, reasonOf } from '../records.ts'
import {
  findParents,
  findProducts,
  findVariants,
  findWithPrices,
  type LookupScope,
  merged,
  type Stored,
  type VariantPrice,
} from '../stored.ts'
import {
  type CatalogAddition,
  type CatalogProduct,
  type CatalogVariant,
  noAdditions,
  type ProductAdditions,
  parentKey,
  priceOf,
  type SetMembers,
  withAdditions,
} from './catalog.ts'

/** One import in progress. */
export interface CatalogWrite {
  readonly place: LookupScope
  /** The outlets of the stock in the file. */
  readonly outletIds: readonly string[]
  readonly membersSet: SetMembers
  /** What other rows of the file add to products, under the names that those rows use. */
  readonly additions: ReadonlyMap<string, ProductAdditions>
  readonly records: RecordWriter
  /** Called with refused lines. */
  readonly refuse: (lines: readonly number[], reason: string) => void
}

interface VariantDraft extends ImportDraft {
  readonly line: number
}

/** Writes products, each with the variants next to it. */
export async function writeProducts(writing: CatalogWrite, batch: readonly CatalogProduct[]): Promise<void> {
  const { place, membersSet, records } = writing
  const entries = batch.flatMap((entry) => soundProduct(writing, entry))
  const found = await findProducts(
    place,
    entries.map(({ externalId }) => externalId),
  )
  const own = entries.flatMap(({ externalId, variants }) =>
    variants.map((variant) => ({ variant, productId: found.get(externalId)?.id })),
  )
  const draftOf = await draftVariants(writing, own, membersSet.variant)
  const ids = [...found.values()].map(({ id }) => id)
  const priced = new Map((await findWithPrices(place, ids)).map(({ id, variants }) => [id, variants]))
  const idOf = await records.categoryIds(entries.flatMap(({ categories }) => categories))
  const drafts = entries.map((entry) => {
    const variants = entry.variants.flatMap((variant) => draftOf.get(variant) ?? [])
    const categories = [...new Set(entry.categories.map(idOf))]
    const stored = found.get(entry.externalId)
    const known = priced.get(stored?.id ?? '') ?? []
    return { entry, variants, ...draftProduct(writing, entry, stored, categories, variants, known) }
  })
  const variants: VariantDraft[] = []
  for (const [draft, outcome] of await records.put('products', drafts)) {
    if (outcome instanceof Problem) {
      refuseProduct(writing, draft.entry, reasonOf(outcome))
      continue
    }
    // The additions kept for this product are written; its id is needed further on.
    for (const own of additionsOf(writing, draft.entry)) Object.assign(own, noAdditions(), { productId: outcome })
    for (const variant of draft.variants)
      variants.push({ ...variant, record: { ...variant.record, productId: outcome } })
  }
  await putVariants(writing, variants)
}

/** A product as it should be, with its categories and the prices of all its variants: those in its rows, added ones, and other stored ones. */
function draftProduct(
  writing: CatalogWrite,
  entry: CatalogProduct,
  stored: Stored | undefined,
  categories: readonly string[],
  variants: readonly VariantDraft[],
  known: readonly VariantPrice[],
): ImportDraft {
  const { membersSet } = writing
  const additions = additionsOf(writing, entry)
  const hasMore = additions.some(({ filePrices }) => filePrices.size > 0)
  const wanted = {
    ...entry.product,
    externalId: entry.externalId,
    ...(categories.length > 0 && { categories }),
    // A Shopify product that seemed to have a single variant has more of them further down.
    ...(variants.length > 0 && hasMore && { productType: 'variable', sku: undefined }),
  }
  // Without any variant the file does not contain the product's price.
  const members = variants.length > 0 || hasMore ? [...membersSet.product, 'minPrice', 'maxPrice'] : membersSet.product
  const added = addedAndKept(writing, variants, additions, known)
  const prices = [...variants.map(({ record }) => priceOf(record)), ...added]
  return {
    stored,
    record: merged(stored?.record, withAdditions(wanted, prices, additions), members, membersSet.metadata),
  }
}

/** The prices of a product's added variants as they will be, and of its stored variants that the file does not have. */
function addedAndKept(
  { membersSet }: CatalogWrite,
  variants: readonly VariantDraft[],
  additions: readonly ProductAdditions[],
  known: readonly VariantPrice[],
): (number | undefined)[] {
  const besideIt = new Set(variants.map(({ stored }) => stored?.id))
  const added = new Map(additions.flatMap(({ filePrices }) => [...filePrices]))
  const keepsSales = !membersSet.addedVariant.includes('isOnSale')
  const kept = known.flatMap(({ id, externalId, isOnSale, price }) => {
    if (besideIt.has(id)) return []
    if (added.has(externalId)) {
      if (!isOnSale || !keepsSales) return []
      added.delete(externalId)
    }
    return [price]
  })
  return [...added.values(), ...kept]
}

/** Writes variants whose product is elsewhere: in another row, or in the company from an earlier import. */
export async function writeAdditions(writing: CatalogWrite, batch: readonly CatalogAddition[]): Promise<void> {
  const { place, membersSet, refuse } = writing
  const ownAdditions = ({ parent }: CatalogAddition) => writing.additions.get(parentKey(parent)) as ProductAdditions
  const strange = batch.filter((entry) => ownAdditions(entry).productId === undefined)
  const found = await findParents(place, [...new Set(strange.map(({ parent }) => parentKey(parent)))])
  const before = await findWithPrices(place, [...new Set(found.values())])
  const records = new Map(before.map(({ id, record }) => [id, record]))
  for (const entry of strange) {
    const productId = found.get(parentKey(entry.parent))
    if (productId === undefined) continue
    const { minPrice, maxPrice } = records.get(productId) ?? {}
    Object.assign(ownAdditions(entry), { productId, prices: new Map(), range: { minPrice, maxPrice } })
  }
  const taken = batch.flatMap((entry) => {
    const own = ownAdditions(entry)
    if (own.productId !== undefined)
      return soundVariants(writing, entry.variants).map((variant) => ({ variant, own, productId: own.productId }))
    refuse(entry.variants.length > 0 ? entry.variants.map(({ line }) => line) : [entry.line], orphaned(entry, own))
    return []
  })
  const draftOf = await draftVariants(writing, taken, [...membersSet.addedVariant, 'productId'])
  for (const { variant, own } of taken) {
    const { stored, record } = draftOf.get(variant) as VariantDraft
    own.prices?.set(stored?.id ?? variant.externalId, priceOf(record))
  }
  await putVariants(writing, [...draftOf.values()])
}

/** Updates products that have no row in this file for the variants that it adds to them. */
export async function settleParents(writing: CatalogWrite, additions: readonly ProductAdditions[]): Promise<void> {
  const byProduct = Map.groupBy(additions, ({ productId = '' }) => productId)
  const products = await findWithPrices(writing.place, [...byProduct.keys()])
  const drafts = products.map(({ variants, ...stored }) => {
    const own = byProduct.get(stored.id) ?? []
    const prices = variants.map(({ id, price }) => [id, price] as const)
    const now = new Map([...prices, ...own.flatMap((added) => [...(added.prices ?? [])])])
    const record = withAdditions(stored.record, [...now.values()], own)
    // Writing the variants has already updated the product's prices, so compare with the prices from before.
    return { stored: { ...stored, record: { ...stored.record, ...own[0]?.range } }, record }
  })
  await writing.records.put('products', drafts)
}

/**
 * The additions of a product: other rows name it by its id or by its SKU; of several with one SKU the first is meant.
 */
function additionsOf({ additions }: CatalogWrite, { externalId, product }: CatalogProduct): ProductAdditions[] {
  const named = [`id:${externalId}`, `sku:${product.sku}`].flatMap((key) => additions.get(key) ?? [])
  for (const own of named) own.owner ??= externalId
  return named.filter(({ owner }) => owner === externalId)
}

/** A product with the variants that the API would accept; none if no variant is left. */
function soundProduct(writing: CatalogWrite, entry: CatalogProduct): CatalogProduct[] {
  const wrong = objection('products', { ...entry.product, externalId: entry.externalId })
  if (wrong === undefined) {
    const variants = soundVariants(writing, entry.variants)
    if (variants.length > 0 || entry.variants.length === 0) return [{ ...entry, variants }]
  }
  refuseProduct(writing, entry, wrong ?? 'no variant of the product can be imported')
  return []
}

function refuseProduct(writing: CatalogWrite, entry: CatalogProduct, reason: string): void {
  const { line, externalId, variants } = entry
  writing.refuse([line], reason)
  writing.refuse(
    variants.map((variant) => variant.line),
    `the product "${externalId}" was refused in line ${line}`,
  )
  for (const own of additionsOf(writing, entry)) own.refusedIn = line
}

function orphaned({ parent }: CatalogAddition, { refusedIn }: ProductAdditions): string {
  const name = 'externalId' in parent ? parent.externalId : parent.sku
  return refusedIn === undefined
    ? `neither the company nor the imported lines of this file have a product "${name}"`
    : `the product "${name}" was refused in line ${refusedIn}`
}

/** The variants that the API would accept; refuses the others. */
const soundVariants = ({ refuse }: CatalogWrite, variants: readonly CatalogVariant[]): CatalogVariant[] =>
  variants.filter((entry) => {
    const wrong = variantObjection(entry)
    if (wrong !== undefined) refuse([entry.line], wrong)
    return wrong === undefined
  })

/** Why the API would refuse a variant. */
export const variantObjection = ({ externalId, variant, levels }: CatalogVariant): string | undefined =>
  objection('variants', {
    ...variant,
    externalId,
    productId: anyId,
    ...(levels && { inventory: levels.map(({ outletId, stock }) => ({ outletId: outletId || anyId, stock })) }),
  })

const anyId = newId()

/** What variants should become, by entry. */
async function draftVariants(
  { place, outletIds, membersSet: { metadata } }: CatalogWrite,
  wanted: readonly { variant: CatalogVariant; productId: string | undefined }[],
  membersSet: readonly string[],
): Promise<Map<CatalogVariant, VariantDraft>> {
  const ids = wanted.map(({ variant, productId }) => ({ externalId: variant.externalId, productId }))
  const found = await findVariants(place, outletIds, ids)
  return new Map(
    wanted.map(({ variant: entry, productId }) => {
      const { line, levels, externalId, variant } = entry
      const stored = found.get(externalId)
      const record = merged(stored?.record, { ...variant, externalId, productId }, membersSet, metadata)
      return [entry, { line, levels, stored, record }]
    }),
  )
}

async function putVariants({ records, refuse }: CatalogWrite, drafts: readonly VariantDraft[]): Promise<void> {
  for (const [{ line }, outcome] of await records.put('variants', drafts))
    if (outcome instanceof Problem) refuse([line], reasonOf(outcome))
}
