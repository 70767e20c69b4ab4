// The rows of a sheet: variants, read page by page and updated in place.
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { type CompanyScope, get } from '../../api/request.ts'
import type { InventoryPage, Variant, VariantPage } from '../../api/schemas.ts'
import { readByIds } from '../../api/versions.ts'

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

/** Rows per request: with dozens of outlets, each takes some KB. */
const pageRows = 250
/** Levels per request, whose variants are one more. */
const lowLevels = 100

export const rowsQuery = (scope: CompanyScope, view: View) =>
  infiniteQueryOptions({
    queryKey: [scope.companyId, 'variants', 'sheet', view],
    queryFn: ({ pageParam, signal }) => read(scope, view, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 30_000,
  })

function read(scope: CompanyScope, view: View, cursor: string | undefined, signal: AbortSignal): Promise<RowsPage> {
  if (view.below !== undefined) return readBelow(scope, view, view.below, cursor, signal)
  if (view.q) return readFitting(scope, view, view.q, cursor, signal)
  return readVariants(scope, { productId: view.productId, cursor }, signal)
}

async function readVariants(
  scope: CompanyScope,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<RowsPage> {
  const { data, meta } = await get<VariantPage>(scope, '/v1/variants', { query: { ...query, limit: pageRows }, signal })
  return { variants: data, count: meta.count, next: meta.nextCursor }
}

/** First the matches by SKU, then those by barcode. */
async function readFitting(
  scope: CompanyScope,
  { productId }: View,
  q: string,
  place = 'sku:',
  signal: AbortSignal,
): Promise<RowsPage> {
  const member = place.slice(0, place.indexOf(':'))
  const cursor = place.slice(place.indexOf(':') + 1)
  const search = member === 'sku' ? { searchBySku: q } : { searchByBarcode: q }
  const page = await readVariants(scope, { productId, ...search, cursor: cursor || undefined }, signal)
  const next = page.next !== undefined ? `${member}:${page.next}` : member === 'sku' ? 'barcode:' : undefined
  return { ...page, count: undefined, next }
}

/** Levels from the lowest up, and their variants. */
async function readBelow(
  scope: CompanyScope,
  { productId }: View,
  below: number,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<RowsPage> {
  const query = { sortBy: 'stock', productId, cursor, limit: lowLevels }
  const { data, meta } = await get<InventoryPage>(scope, '/v1/inventories', { query, signal })
  const low = data.filter(({ stock }) => stock !== undefined && stock < below)
  const ids = [...new Set(low.map(({ variantId }) => variantId))]
  const variants = await readEach(scope, ids, signal)
  return {
    variants: variants.filter(({ manageStock }) => manageStock),
    count: undefined,
    next: low.length < data.length ? undefined : meta.nextCursor,
  }
}

/** Variants in the order of their ids; without those that are deleted, or of another system. */
export async function readEach(scope: CompanyScope, ids: readonly string[], signal?: AbortSignal): Promise<Variant[]> {
  const own = ids.filter((id) => /^[0-9a-f]{24}$/.test(id))
  const read = await readByIds<Variant>(scope, 'variants', own, { signal })
  const variants = new Map(read.map((variant) => [variant.id, variant]))
  return ids.flatMap((id) => variants.get(id) ?? [])
}

export interface Row {
  readonly id: string
  readonly productId: string
  readonly sku: string | undefined
  readonly barcode: string | undefined
  readonly attributes: string
  /** Why the cells of the row are pale. */
  readonly badge?: { readonly label: string; readonly hint: string }
  /** By the id of the column. */
  readonly values: ReadonlyMap<string, number>
}

/** Makes rows of variants: the same object for an unchanged variant, so that only changed rows are rendered again. */
export function rowMaker(special: (variant: Variant) => Pick<Row, 'badge' | 'values'>): (variant: Variant) => Row {
  const made = new WeakMap<Variant, Row>()
  return (variant) => {
    const known = made.get(variant)
    if (known) return known
    const { id, productId, sku, barcode, attributes } = variant
    const values = (attributes ?? []).flatMap(({ value }) => value ?? [])
    const row: Row = { id, productId, sku, barcode, attributes: values.join(' / '), ...special(variant) }
    made.set(variant, row)
    return row
  }
}

export type RowsData = InfiniteData<RowsPage>

/** All variants read so far, each once. */
export function variantsOf(data: RowsData | undefined): Variant[] {
  const variants = new Map<string, Variant>()
  for (const page of data?.pages ?? [])
    for (const variant of page.variants) if (!variants.has(variant.id)) variants.set(variant.id, variant)
  return [...variants.values()]
}

/** Shows variants as `changed` returns them, in every sheet that shows them. */
export function showVariants(
  client: QueryClient,
  { companyId }: CompanyScope,
  ids: ReadonlySet<string>,
  changed: (variant: Variant) => Variant,
): void {
  client.setQueriesData<RowsData>(
    { queryKey: [companyId, 'variants', 'sheet'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) =>
          page.variants.some(({ id }) => ids.has(id))
            ? { ...page, variants: page.variants.map((variant) => (ids.has(variant.id) ? changed(variant) : variant)) }
            : page,
        ),
      },
  )
}
