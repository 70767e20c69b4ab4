// Loads a shop's catalogue file into a company through the same operations as the API; a later run changes only what
// differs.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OperatorError } from '../../core/operator-error.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { operations } from '../../engine/operations.ts'
import type { Resource } from '../../engine/resource.ts'
import { category } from '../../resources/category.ts'
import { productOperations } from '../../resources/priced-products.ts'
import { product } from '../../resources/product.ts'
import { variant } from '../../resources/variant.ts'
import { foreseenCreates, limited } from '../plan-limits/limited.ts'
import { planLimits } from '../plan-limits/plan-limits.ts'
import type { CatalogEntry, RefusedRow } from './catalog.ts'
import type { CsvFile } from './csv.ts'
import { holdCompany } from './hold-company.ts'
import { addVariant, emptyShare, parentKey, type Share } from './merge.ts'
import { type Carry, dryUpdates, type Observe, recordWriter, type Summary, type Watch, type Writer } from './records.ts'
import type { Shop } from './shops.ts'
import { settleParents, variantObjection, type Writing, writeAdditions, writeProducts } from './write.ts'

/** What to load, and its target. */
export interface Load {
  readonly database: Database
  readonly scope: Scope
  readonly shop: Shop
  readonly file: CsvFile
  /** The outlet that holds the stock of the file. */
  readonly outletId: string
  /** Counts what would be done, within the plan, and writes nothing. */
  readonly dryRun: boolean
  /** Called once with each refused line. */
  readonly refused: (row: RefusedRow) => void
  /** Called with the bytes done and the total. */
  readonly progress?: (done: number, total: number) => void
  /** Stops it before the next batch, by throwing its reason. */
  readonly signal?: AbortSignal
  readonly carry?: Carry
  readonly observe?: Observe
  readonly watch?: Watch
  /** False leaves all stock unchanged. */
  readonly setsStock?: boolean
  /** The maximum characters kept for images and attributes of products elsewhere in the file. */
  readonly mostAdded?: number
}

/** A batch: as many entries, and as much text, as one statement carries easily. */
const BATCH_ENTRIES = 500
const BATCH_CHARACTERS = 2_000_000
/** Entries after which it yields to other work, however fast they come. */
const TURN_ENTRIES = 500
/** Products without a row of their own that are finished at once, with all their variants. */
const SETTLED = 100

type Of<K> = Extract<CatalogEntry, { kind: K }>

/**
 * Reads the file two or three times instead of keeping it in memory: for what rows add to products elsewhere, for the
 * products with their own variants, and for the variants elsewhere. Only ids and those additions are kept.
 */
export async function loadCatalog(load: Load): Promise<Summary> {
  const { database, scope, shop, file, outletId, dryRun, signal, mostAdded = Number.POSITIVE_INFINITY } = load
  const spoken = shop.spoken(file)
  const place = { database, scope, source: shop.source }
  const plans = planLimits(database)
  const writerOf = (resource: Resource): Writer =>
    dryRun
      ? { createMany: foreseenCreates(resource, database, scope.companyId), updateMany: dryUpdates }
      : limited(resource === product ? productOperations(database) : operations(resource, database), database, plans)
  const writers = { products: writerOf(product), variants: writerOf(variant), categories: writerOf(category) }
  const records = recordWriter(place, outletId, writers, load)
  const refusedLines = new Set<number>()

  function refuse(row: RefusedRow): void {
    if (refusedLines.has(row.line)) return
    refusedLines.add(row.line)
    load.refused(row)
  }

  /** The entries of the file; reading `pass` of `passes`. */
  async function* entries(pass: number, passes: number): AsyncGenerator<CatalogEntry> {
    let reported = 0
    let count = 0
    for await (const entry of shop.read(file)) {
      checkGoesOn()
      if (++count % TURN_ENTRIES === 0) await nextTurn()
      yield load.setsStock === false ? withoutStock(entry) : entry
      if (file.bytesRead() === reported) continue
      reported = file.bytesRead()
      load.progress?.((pass - 1) * file.size + reported, passes * file.size)
    }
  }

  async function* only<K extends CatalogEntry['kind']>(kind: K, pass: number, passes: number): AsyncGenerator<Of<K>> {
    for await (const entry of entries(pass, passes)) if (entry.kind === kind) yield entry as Of<K>
  }

  async function gatherShares(): Promise<Map<string, Share>> {
    const shares = new Map<string, Share>()
    let characters = 0
    for await (const entry of entries(1, 3)) {
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

  const hold = dryRun ? undefined : await holdCompany(database, scope)
  function checkGoesOn(): void {
    signal?.throwIfAborted()
    hold?.check()
  }
  try {
    const shares = await gatherShares()
    const writing: Writing = {
      ...{ place, outletId, spoken, shares, records },
      refuse: (lines, reason) => {
        for (const line of lines) refuse({ line, reason })
      },
    }
    const passes = shares.size > 0 ? 3 : 2
    await inBatches(only('product', 2, passes), (batch) => writeProducts(writing, batch))
    if (shares.size > 0) await inBatches(only('addition', 3, passes), (batch) => writeAdditions(writing, batch))
    const without = [...shares.values()].filter(({ prices }) => prices !== undefined)
    for (let at = 0; at < without.length; at += SETTLED) await settleParents(writing, without.slice(at, at + SETTLED))
    return { ...records.tally(), rowsRefused: refusedLines.size }
  } finally {
    await hold?.release()
  }
}

/** An entry without its stock. */
function withoutStock(entry: CatalogEntry): CatalogEntry {
  if (entry.kind === 'refused') return entry
  return { ...entry, variants: entry.variants.map(({ stock: _, ...variant }) => variant) }
}

/** Writes entries in batches; reads the next batch while one is written. */
async function inBatches<Entry>(
  entries: AsyncIterable<Entry>,
  write: (batch: Entry[]) => Promise<void>,
): Promise<void> {
  let batch: Entry[] = []
  let characters = 0
  let writing = Promise.resolve()
  const flush = async () => {
    await writing
    writing = write(batch)
    // A failure is reported when it is awaited next.
    writing.catch(() => {})
    batch = []
    characters = 0
  }
  try {
    for await (const entry of entries) {
      batch.push(entry)
      characters += JSON.stringify(entry).length
      if (batch.length === BATCH_ENTRIES || characters > BATCH_CHARACTERS) await flush()
    }
    if (batch.length > 0) await flush()
  } finally {
    await writing
  }
}
