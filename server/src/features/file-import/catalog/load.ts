// Loads the catalogue file of a shop into a company.

import { OperatorError } from '../../../core/operator-error.ts'
import type { RefusedRow } from '../csv.ts'
import { inBatches, type Load, type Loading } from '../load.ts'
import { addVariant, type CatalogEntry, emptyShare, type ProductAdditions, parentKey } from './catalog.ts'
import type { Shop } from './shops.ts'
import { type CatalogWrite, settleParents, variantObjection, writeAdditions, writeProducts } from './write.ts'

/** Products without a row of their own that are finished at once, with all their variants. */
const SETTLED = 100

type Of<K> = Extract<CatalogEntry, { kind: K }>

/**
 * Reads the file two or three times instead of keeping it in memory: first for what rows add to products elsewhere,
 * then for the products with their own variants, then for the variants elsewhere. Only ids and these additions are
 * kept.
 */
export async function loadCatalog(shop: Shop, { load, place, records, refuse, followed }: Loading): Promise<void> {
  const { file, outletId } = load
  const membersSet = shop.membersSet(file)

  async function* entries(pass: number, passes: number): AsyncGenerator<CatalogEntry> {
    for await (const entry of followed(shop.read(file), pass, passes))
      yield load.setsStock === false ? withoutStock(entry) : entry
  }

  async function* only<K extends CatalogEntry['kind']>(kind: K, pass: number, passes: number): AsyncGenerator<Of<K>> {
    for await (const entry of entries(pass, passes)) if (entry.kind === kind) yield entry as Of<K>
  }

  const shares = await sharesOf(entries(1, 3), load, refuse)
  const writing: CatalogWrite = {
    ...{ place, outletId, membersSet, shares, records },
    refuse: (lines, reason) => {
      for (const line of lines) refuse({ line, reason })
    },
  }
  const passes = shares.size > 0 ? 3 : 2
  await inBatches(only('product', 2, passes), (batch) => writeProducts(writing, batch))
  if (shares.size > 0) await inBatches(only('addition', 3, passes), (batch) => writeAdditions(writing, batch))
  const without = [...shares.values()].filter(({ prices }) => prices !== undefined)
  for (let at = 0; at < without.length; at += SETTLED) await settleParents(writing, without.slice(at, at + SETTLED))
}

/** What rows add to products elsewhere in the file. */
async function sharesOf(
  entries: AsyncIterable<CatalogEntry>,
  { file, mostAdded = Number.POSITIVE_INFINITY }: Load,
  refuse: (row: RefusedRow) => void,
): Promise<Map<string, ProductAdditions>> {
  const shares = new Map<string, ProductAdditions>()
  let characters = 0
  for await (const entry of entries) {
    if (entry.kind === 'refused') refuse(entry)
    if (entry.kind !== 'addition') continue
    const key = parentKey(entry.parent)
    const share = shares.get(key) ?? emptyShare()
    shares.set(key, share)
    characters += JSON.stringify([entry.images, entry.variants.map(({ variant }) => variant.attributes)]).length
    if (characters > mostAdded)
      throw new OperatorError(`${file.name} has too many variations. Split it into several files.`)
    for (const image of entry.images) share.images.add(image)
    // A refused variant must not cause its product to be refused.
    for (const one of entry.variants) if (variantObjection(one) === undefined) addVariant(share, one.variant)
  }
  return shares
}

/** An entry without its stock. */
function withoutStock(entry: CatalogEntry): CatalogEntry {
  if (entry.kind === 'refused') return entry
  return { ...entry, variants: entry.variants.map(({ stock: _, ...variant }) => variant) }
}
