// The rows of the sheet: variants with their stock at each outlet, read page by page and updated in place.
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { InventoryPage, Variant, VariantPage } from '../../api/schemas.ts'

/** Which variants are shown; kept in the address. */
export interface View {
  readonly productId?: string
  /** Part of a SKU or barcode. */
  readonly q?: string
  /** Only managed variants with less than this at some outlet. */
  readonly below?: number
}

interface RowsPage {
  readonly variants: readonly Variant[]
  readonly count: number | undefined
  readonly next: string | undefined
}

type Whose = { readonly companyId: string }

/** Rows per request: with dozens of outlets, each takes some KB. */
const pageRows = 250
/** Levels per request; each of their variants is requested separately. */
const lowLevels = 40
/** Concurrent requests for single variants: browsers send no more to one host. */
const atOnce = 6

export const rowsQuery = (whose: Whose, view: View) =>
  infiniteQueryOptions({
    queryKey: [whose.companyId, 'variants', 'stock', view],
    queryFn: ({ pageParam, signal }) => read(whose, view, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 30_000,
  })

function read(whose: Whose, view: View, cursor: string | undefined, signal: AbortSignal): Promise<RowsPage> {
  if (view.below !== undefined) return readBelow(whose, view, view.below, cursor, signal)
  if (view.q) return readFitting(whose, view, view.q, cursor, signal)
  return readVariants(whose, { productId: view.productId, cursor }, signal)
}

async function readVariants(
  whose: Whose,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<RowsPage> {
  const { data, meta } = await get<VariantPage>(whose, '/v1/variants', { query: { ...query, limit: pageRows }, signal })
  return { variants: data, count: meta.count, next: meta.nextCursor }
}

/** First the matches by SKU, then those by barcode. */
async function readFitting(
  whose: Whose,
  { productId }: View,
  q: string,
  place = 'sku:',
  signal: AbortSignal,
): Promise<RowsPage> {
  const [member, cursor] = [place.slice(0, place.indexOf(':')), place.slice(place.indexOf(':') + 1)]
  const search = member === 'sku' ? { searchBySku: q } : { searchByBarcode: q }
  const page = await readVariants(whose, { productId, ...search, cursor: cursor || undefined }, signal)
  const next = page.next !== undefined ? `${member}:${page.next}` : member === 'sku' ? 'barcode:' : undefined
  return { ...page, count: undefined, next }
}

/** Levels from the lowest up, and their variants. */
async function readBelow(
  whose: Whose,
  { productId }: View,
  below: number,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<RowsPage> {
  const query = { sortBy: 'stock', productId, cursor, limit: lowLevels }
  const { data, meta } = await get<InventoryPage>(whose, '/v1/inventories', { query, signal })
  const low = data.filter(({ stock }) => stock !== undefined && stock < below)
  const ids = [...new Set(low.map(({ variantId }) => variantId))]
  const variants = await readEach(whose, ids, signal)
  return {
    variants: variants.filter(({ manageStock }) => manageStock),
    count: undefined,
    next: low.length < data.length ? undefined : meta.nextCursor,
  }
}

/** Variants by their ids; deleted ones are left out. */
export async function readEach(whose: Whose, ids: readonly string[], signal?: AbortSignal): Promise<Variant[]> {
  const found: (Variant | undefined)[] = new Array(ids.length)
  const waiting = ids.entries()
  const lane = async () => {
    for (const [index, id] of waiting)
      found[index] = await get<Variant>(whose, `/v1/variant/${encodeURIComponent(id)}`, { signal }).catch((error) => {
        if (asProblem(error).status === 404) return undefined
        throw error
      })
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return found.filter((variant) => variant !== undefined)
}

export interface Row {
  readonly id: string
  readonly productId: string
  readonly sku: string | undefined
  readonly barcode: string | undefined
  readonly attributes: string
  readonly isManaged: boolean
  readonly levels: ReadonlyMap<string, number>
}

const made = new WeakMap<Variant, Row>()

/** The same row object for an unchanged variant, so that only changed rows are rendered again. */
function rowOf(variant: Variant): Row {
  const known = made.get(variant)
  if (known) return known
  const row: Row = {
    id: variant.id,
    productId: variant.productId,
    sku: variant.sku,
    barcode: variant.barcode,
    attributes: (variant.attributes ?? []).flatMap(({ value }) => value ?? []).join(' / '),
    isManaged: variant.manageStock === true,
    levels: new Map(variant.inventory.map(({ outletId, stock }) => [outletId, stock])),
  }
  made.set(variant, row)
  return row
}

/** All rows read so far, each once. */
export function rowsOf(data: InfiniteData<RowsPage> | undefined): Row[] {
  const rows = new Map<string, Row>()
  for (const { variants } of data?.pages ?? [])
    for (const variant of variants) if (!rows.has(variant.id)) rows.set(variant.id, rowOf(variant))
  return [...rows.values()]
}

/** Stock by outlet, by variant. */
export type Levels = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Updates stock wherever the sheet shows it. */
export function showLevels(client: QueryClient, { companyId }: Whose, levels: Levels): void {
  client.setQueriesData<InfiniteData<RowsPage>>(
    { queryKey: [companyId, 'variants', 'stock'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) =>
          page.variants.some(({ id }) => levels.has(id))
            ? { ...page, variants: page.variants.map((variant) => withLevels(variant, levels.get(variant.id))) }
            : page,
        ),
      },
  )
}

function withLevels(variant: Variant, levels: ReadonlyMap<string, number> | undefined): Variant {
  if (levels === undefined) return variant
  const others = variant.inventory.filter(({ outletId }) => !levels.has(outletId))
  return { ...variant, inventory: [...others, ...[...levels].map(([outletId, stock]) => ({ outletId, stock }))] }
}

/** Stock by outlet, in the form of a variant. */
export const levelsOf = (variants: readonly Variant[]): Levels =>
  new Map(variants.map((variant) => [variant.id, rowOf(variant).levels]))
