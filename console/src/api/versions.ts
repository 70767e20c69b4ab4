// Many records by their ids, also with their versions, for writes that must not overwrite what another user changed.
import { mapConcurrently } from './map-concurrently.ts'
import type { Page, RecordData, Versioned } from './records.ts'
import { type CompanyScope, get } from './request.ts'

/** Ids of one request: the most that a list takes. */
const idsRead = 100

/** In any order; without those that are deleted. */
export async function readByIds<Row extends RecordData>(
  scope: CompanyScope,
  many: string,
  ids: readonly string[],
  { etags, signal }: { readonly etags?: true; readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly Row[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / idsRead) }, (_, n) =>
    ids.slice(n * idsRead, (n + 1) * idsRead),
  )
  const pages = await mapConcurrently(parts, (part) =>
    get<Page<Row>>(scope, `/v1/${many}`, { query: { id: part.join(','), etags, limit: idsRead }, signal }),
  )
  return pages.flatMap(({ data }) => data)
}

/** The current version of each record; without those that are deleted. */
export async function readVersions<Row extends RecordData = RecordData>(
  scope: CompanyScope,
  many: string,
  ids: readonly string[],
): Promise<Map<string, Versioned<Row>>> {
  const read = await readByIds<Row & { readonly etag: string }>(scope, many, ids, { etags: true })
  return new Map(
    read.map((shown) => {
      const { etag, ...record } = shown
      return [shown.id, { record: record as unknown as Row, etag }] as const
    }),
  )
}
