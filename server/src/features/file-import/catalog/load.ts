// The formats of catalogues: each shop's is a reader of its files, and all are loaded into a company in the same way.

import { OperatorError } from '../../../core/operator-error.ts'
import type { CsvFile, RefusedRow } from '../csv.ts'
import type { Layout } from '../layout.ts'
import { type Format, inBatches, type Load, type Loading } from '../load.ts'
import {
  addVariant,
  type CatalogEntry,
  membersSetBy,
  noAdditions,
  type ProductAdditions,
  parentKey,
  type SetMembers,
  type SettingColumns,
} from './catalog.ts'
import { type CatalogWrite, settleParents, variantObjection, writeAdditions, writeProducts } from './write.ts'

/** The product export of a shop: its layout, the members that it sets, and its reader. */
interface Catalog<Member extends string> {
  readonly layout: Layout<Member>
  readonly sets: SettingColumns
  readonly read: ReadCatalog
}

/** Reads a file; `outletName` is the name of the outlet of its stock, if any. */
type ReadCatalog = (file: CsvFile, outletName: string | undefined) => AsyncGenerator<CatalogEntry>

/** The format of a shop's product export. */
export const catalogFormat = <Member extends string>({ layout, sets, read }: Catalog<Member>): Format => ({
  ...layout,
  load: (loading) => loadCatalog(loading, read, membersSetBy(loading.load.file, layout, sets)),
})

/** Products without a row of their own that are finished at once, with all their variants. */
const SETTLED = 100

type Of<K> = Extract<CatalogEntry, { kind: K }>

/**
 * Reads the file two or three times instead of keeping it in memory: first for what rows add to products elsewhere,
 * then for the products with their own variants, then for the variants elsewhere. Only ids and these additions are
 * kept.
 */
async function loadCatalog(
  { load, place, records, refuse, followed }: Loading,
  read: ReadCatalog,
  membersSet: SetMembers,
): Promise<void> {
  const { file, outletId } = load
  const outletName = await nameOfOutlet(load)

  async function* entries(pass: number, passes: number): AsyncGenerator<CatalogEntry> {
    for await (const entry of followed(read(file, outletName), pass, passes))
      yield load.setsStock === false ? withoutStock(entry) : entry
  }

  async function* only<K extends CatalogEntry['kind']>(kind: K, pass: number, passes: number): AsyncGenerator<Of<K>> {
    for await (const entry of entries(pass, passes)) if (entry.kind === kind) yield entry as Of<K>
  }

  const additions = await readAdditions(entries(1, 3), load, refuse)
  const writing: CatalogWrite = {
    place,
    outletId,
    membersSet,
    additions,
    records,
    refuse: (lines, reason) => {
      for (const line of lines) refuse({ line, reason })
    },
  }
  const passes = additions.size > 0 ? 3 : 2
  await inBatches(only('product', 2, passes), (batch) => writeProducts(writing, batch))
  if (additions.size > 0) await inBatches(only('addition', 3, passes), (batch) => writeAdditions(writing, batch))
  const without = [...additions.values()].filter(({ prices }) => prices !== undefined)
  for (let at = 0; at < without.length; at += SETTLED) await settleParents(writing, without.slice(at, at + SETTLED))
}

async function nameOfOutlet({ database, scope, outletId }: Load): Promise<string | undefined> {
  const [row] = await database.query(`select body ->> 'name' from outlets where company_id = $1 and id = $2`, [
    scope.companyId,
    outletId,
  ])
  return row?.[0] ?? undefined
}

/** What rows add to products elsewhere in the file. */
async function readAdditions(
  entries: AsyncIterable<CatalogEntry>,
  { file, mostAdded = Number.POSITIVE_INFINITY }: Load,
  refuse: (row: RefusedRow) => void,
): Promise<Map<string, ProductAdditions>> {
  const additions = new Map<string, ProductAdditions>()
  let characters = 0
  for await (const entry of entries) {
    if (entry.kind === 'refused') refuse(entry)
    if (entry.kind !== 'addition') continue
    const key = parentKey(entry.parent)
    const own = additions.get(key) ?? noAdditions()
    additions.set(key, own)
    characters += JSON.stringify([
      entry.images,
      entry.variants.map(({ externalId, variant }) => [externalId, variant.attributes]),
    ]).length
    if (characters > mostAdded)
      throw new OperatorError(`${file.name} has too many variations. Split it into several files.`)
    for (const image of entry.images) own.images.add(image)
    // A refused variant must not cause its product to be refused.
    for (const one of entry.variants) if (variantObjection(one) === undefined) addVariant(own, one)
  }
  return additions
}

function withoutStock(entry: CatalogEntry): CatalogEntry {
  if (entry.kind === 'refused') return entry
  return { ...entry, variants: entry.variants.map(({ stock: _, ...variant }) => variant) }
}
