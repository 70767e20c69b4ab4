// The formats of catalogues: each shop's is a reader of its files, and all are loaded into a company in the same way.

import { OperatorError } from '../../../core/operator-error.ts'
import type { CsvFile, RefusedRow } from '../csv.ts'
import type { Layout } from '../layout.ts'
import { type Format, inBatches, type Load, type Loading } from '../load.ts'
import { locationOutlets, type OutletOf, withoutOutlet } from '../locations.ts'
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
  /** The locations in the header, with their columns; absent if such files have the stock of one location, without its name. */
  readonly locations?: (file: CsvFile) => LocationColumns
}

/** Reads a file; `outletOf` returns the outlet of a location. */
type ReadCatalog = (file: CsvFile, outletOf: OutletOf) => AsyncGenerator<CatalogEntry>
type LocationColumns = readonly { readonly location: string; readonly heading: string }[]

/** The format of a shop's product export. */
export interface CatalogFormat extends Format {
  readonly read: ReadCatalog
}

export const catalogFormat = <Member extends string>({ layout, sets, ...catalog }: Catalog<Member>): CatalogFormat => ({
  ...layout,
  read: catalog.read,
  load: (loading) => loadCatalog(loading, catalog, membersSetBy(loading.load.file, layout, sets)),
})

/** Characters of images and attributes that rows add to products of other rows: in memory until the whole file is read. */
const IMPORT_ADDED_CHARACTERS = 32 * 1024 * 1024
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
  { read, locations = () => [] }: Pick<Catalog<string>, 'read' | 'locations'>,
  membersSet: SetMembers,
): Promise<void> {
  const { file } = load
  const columns = locations(file)
  const places = await placesIn(load, columns)
  const variants = new Map<string, number>()
  const outletOf = (pass: number) => (location: string) => {
    if (pass === 1) variants.set(location, (variants.get(location) ?? 0) + 1)
    return places.outletOf(location)
  }

  async function* entries(pass: number, passes: number): AsyncGenerator<CatalogEntry> {
    for await (const entry of followed(read(file, outletOf(pass)), pass, passes))
      yield placed(entry, places.outletOf(''))
  }

  async function* only<K extends CatalogEntry['kind']>(kind: K, pass: number, passes: number): AsyncGenerator<Of<K>> {
    for await (const entry of entries(pass, passes)) if (entry.kind === kind) yield entry as Of<K>
  }

  const [firstOpen] = places.open
  if (firstOpen !== undefined) {
    const column = columns.find(({ location }) => location === firstOpen)?.heading
    refuse({ line: 1, reason: withoutOutlet(places.open), ...(column && { column }) })
  }
  const additions = await readAdditions(entries(1, 3), load, refuse)
  const located = columns.map(({ location }) => ({
    location,
    outletId: places.outletOf(location),
    variants: variants.get(location) ?? 0,
  }))
  load.located?.(located)
  const writing: CatalogWrite = {
    place,
    outletIds: places.outletIds,
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

/** The outlets of the stock in a file; none if the run leaves stock unchanged. */
async function placesIn(load: Load, columns: LocationColumns) {
  if (load.setsStock === false) return { outletOf: () => undefined, outletIds: [], open: [] }
  return locationOutlets(load, columns.length > 0 ? columns.map(({ location }) => location) : [''])
}

/** What rows add to products elsewhere in the file. */
async function readAdditions(
  entries: AsyncIterable<CatalogEntry>,
  { file }: Load,
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
    if (characters > IMPORT_ADDED_CHARACTERS)
      throw new OperatorError(`${file.name} has too many variations. Split it into several files.`)
    for (const image of entry.images) own.images.add(image)
    // A refused variant must not cause its product to be refused.
    for (const one of entry.variants) if (variantObjection(one) === undefined) addVariant(own, one)
  }
  return additions
}

/** The entry with the stock of a file without locations at its outlet, if it has one. */
function placed(entry: CatalogEntry, outletId: string | undefined): CatalogEntry {
  if (entry.kind === 'refused') return entry
  const variants = entry.variants.map(({ stock, ...variant }) =>
    stock === undefined || outletId === undefined ? variant : { ...variant, levels: [{ outletId, stock }] },
  )
  return { ...entry, variants }
}
