// Imports as the API shows them, and the requests for them.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { type CompanyScope, get } from '../../api/request.ts'
import type { Import, ImportCounts, ImportPage, ImportPreview, ImportUndo } from '../../api/schemas.ts'

/** The kinds of records that a file writes, the one that it is named after first. */
const kindsOf = {
  catalog: ['products', 'variants', 'categories'],
  stock: ['variants'],
  customers: ['customers'],
  orders: ['orders', 'transactions', 'refunds'],
} as const
type Kind = (typeof kindsOf)[keyof typeof kindsOf][number]

export const writtenKinds = ({ kind }: Pick<Import, 'kind'>): readonly Kind[] => kindsOf[kind]
export const mainKind = ({ kind }: Pick<Import, 'kind'>) => kindsOf[kind][0]

const none: ImportCounts = { created: 0, updated: 0, unchanged: 0 }
/** The counts of a kind; an import of an earlier version counted fewer kinds. */
export const countsOf = ({ summary }: Pick<Import, 'summary'>, kind: Kind): ImportCounts => summary?.[kind] ?? none
export const sumOf = ({ created, updated, unchanged }: ImportCounts): number => created + updated + unchanged

/** Whether its file has stock. */
export const hasStock = ({ kind }: Pick<Import, 'kind'>): boolean => kind === 'catalog' || kind === 'stock'

/** How many existing records a run changes. */
export const updatedBy = (job: Import): number =>
  writtenKinds(job).reduce((sum, kind) => sum + countsOf(job, kind).updated, 0)

/** Whether a run may replace what is newer than the file: values of existing records, or their stock. */
export const overwrites = (job: Import): boolean => {
  const exist = writtenKinds(job).some((kind) => countsOf(job, kind).updated + countsOf(job, kind).unchanged > 0)
  return updatedBy(job) > 0 || (exist && (job.summary?.stockSet ?? 0) > 0)
}

export const isUnderWay = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'checking' || state === 'running' || state === 'undoing'

/**
 * Whether it can be run: for the first time, or again after a run that did not end, with the file that is kept. An import may be cancelled
 * while its run waits to start; until its file is checked, how many lines are refused is unknown.
 */
export const isRunnable = ({ state, startedAt, rowsRefused, fileUntil, undo }: Import): boolean =>
  state === 'ready' ||
  ((state === 'cancelled' ? rowsRefused !== undefined : state === 'failed' && startedAt !== undefined) &&
    fileUntil !== undefined &&
    undo === undefined)

/** Milliseconds between two polls of an import that is under way. */
const lookMs = 700

/** One import, polled while it is under way. */
export const importQuery = (scope: CompanyScope, id: string) =>
  queryOptions({
    queryKey: [scope.companyId, 'imports', 'one', id],
    queryFn: ({ signal }) => get<Import>(scope, `/v1/imports/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? lookMs : false),
  })

/** All imports: a company keeps at most 1,000. */
export const importsQuery = (scope: CompanyScope) =>
  queryOptions({
    queryKey: [scope.companyId, 'imports', 'list'],
    queryFn: ({ signal }) => get<ImportPage>(scope, '/v1/imports', { query: { limit: 1000 }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUnderWay) ? 2 * lookMs : false),
  })

export const previewQuery = (scope: CompanyScope, { id, state }: Import) =>
  queryOptions({
    queryKey: [scope.companyId, 'imports', 'preview', id, state === 'done'],
    queryFn: ({ signal }) => get<ImportPreview>(scope, `/v1/imports/${id}/preview`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The outlets of a company, in the order of their numbers. */
export const outletsQuery = (scope: CompanyScope) =>
  someQuery(scope, 'outlets', { limit: 1000, sortBy: 'sequenceNumber' })

/** What an undo would do now. */
export const undoQuery = (scope: CompanyScope, id: string) =>
  queryOptions({
    queryKey: [scope.companyId, 'imports', 'undo', id],
    queryFn: ({ signal }) => get<ImportUndo>(scope, `/v1/imports/${id}/undo`, { signal }),
    gcTime: 0,
    staleTime: 0,
  })

/** Sends an action on an import, and shows the import that the server returns. */
export function useImportAction({ id }: Import) {
  const scope = useScope()
  const client = useQueryClient()
  return async (action: 'check' | 'run' | 'undo' | 'cancel', body?: object): Promise<Import> => {
    const next = await get<Import>(scope, `/v1/imports/${id}/${action}`, { method: 'POST', body })
    client.setQueryData(importQuery(scope, next.id).queryKey, next)
    return next
  }
}
