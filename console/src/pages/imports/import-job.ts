// Imports as the API shows them, and the requests for them.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useWhose } from '../../api/company.ts'
import { get } from '../../api/request.ts'

export interface Counts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export interface ImportJob {
  readonly id: string
  readonly fileName: string
  readonly bytes: number
  readonly shop: string
  readonly outletId?: string
  readonly state: 'checking' | 'ready' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone'
  readonly progress: number
  readonly summary?: {
    readonly products: Counts
    readonly variants: Counts
    readonly categories: Counts
    readonly stockSet: number
  }
  readonly rowsRefused?: number
  readonly problem?: string
  readonly startedAt?: string
  /** False if its run left stock unchanged. */
  readonly stock?: false
  readonly repeats?: string
  readonly undoUntil?: string
  readonly undo?: Undo
  readonly undoneAt?: string
  /** Absent once the file is deleted: then it cannot be run again. */
  readonly fileUntil?: string
  readonly keptUntil?: string
  readonly createdAt: string
}

interface UndoCounts {
  readonly deleted: number
  readonly restored: number
  readonly left: number
}

/** What an undo would do, or did. */
export interface Undo {
  readonly products: UndoCounts
  readonly variants: UndoCounts
  readonly categories: UndoCounts
  readonly outlets: UndoCounts
  readonly stock: { readonly restored: number; readonly left: number }
}

/** An existing record that would be changed. */
export interface PreviewedChange {
  readonly resource: 'product' | 'variant'
  readonly id: string
  readonly name?: string
  readonly members: readonly { readonly member: string; readonly before?: unknown; readonly after?: unknown }[]
  readonly stock?: { readonly before?: number; readonly after: number }
}

export interface PreviewedVariant {
  readonly outcome: string
  readonly sku?: string
  readonly barcode?: string
  /** What the customer pays. */
  readonly sellingPrice?: number
  readonly stock?: number
  readonly attributes?: readonly { readonly name?: string; readonly value?: string }[]
}

export interface PreviewedProduct {
  readonly outcome: string
  readonly name?: string
  readonly sku?: string
  readonly categories?: readonly string[]
  readonly variantsCount: number
  readonly variants: readonly PreviewedVariant[]
}

export interface Preview {
  readonly columns: readonly { readonly column: string; readonly as?: string }[]
  readonly preview: readonly PreviewedProduct[]
  /** Absent in previews made before comparisons existed. */
  readonly changes?: readonly PreviewedChange[]
}

type Whose = { readonly companyId: string }

export const isUnderWay = ({ state }: Pick<ImportJob, 'state'>): boolean =>
  state === 'checking' || state === 'running' || state === 'undoing'

/** Milliseconds between two polls of an import that is under way. */
const lookMs = 700

/** One import, polled while it is under way. */
export const importQuery = (whose: Whose, id: string) =>
  queryOptions({
    queryKey: [whose.companyId, 'imports', 'one', id],
    queryFn: ({ signal }) => get<ImportJob>(whose, `/v1/imports/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? lookMs : false),
  })

/** All imports: a company keeps at most 1,000. */
export const importsQuery = (whose: Whose) =>
  queryOptions({
    queryKey: [whose.companyId, 'imports', 'list'],
    queryFn: ({ signal }) => get<{ data: ImportJob[] }>(whose, '/v1/imports', { query: { limit: 1000 }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUnderWay) ? 2 * lookMs : false),
  })

export const previewQuery = (whose: Whose, { id, state }: ImportJob) =>
  queryOptions({
    queryKey: [whose.companyId, 'imports', 'preview', id, state === 'done'],
    queryFn: ({ signal }) => get<Preview>(whose, `/v1/imports/${id}/preview`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What an undo would do now. */
export const undoQuery = (whose: Whose, id: string) =>
  queryOptions({
    queryKey: [whose.companyId, 'imports', 'undo', id],
    queryFn: ({ signal }) => get<Undo>(whose, `/v1/imports/${id}/undo`, { signal }),
    gcTime: 0,
    staleTime: 0,
  })

/** Sends an action on an import, and shows the import that the server returns. */
export function useImportAction({ id }: ImportJob) {
  const whose = useWhose()
  const client = useQueryClient()
  return async (
    action: 'run' | 'repeat' | 'undo' | 'cancel',
    body?: { readonly stock: boolean },
  ): Promise<ImportJob> => {
    const next = await get<ImportJob>(whose, `/v1/imports/${id}/${action}`, { method: 'POST', body })
    client.setQueryData(importQuery(whose, next.id).queryKey, next)
    return next
  }
}
