// Many records with their versions, for writes that must not overwrite what another user changed.
import { mapConcurrently } from './map-concurrently.ts'
import type { Page, RecordData, Versioned } from './records.ts'
import { get } from './request.ts'

/** Ids of one request: the most that a list takes. */
const idsRead = 100

/** The current version of each record; without those that are deleted. */
export async function readVersions<Row extends RecordData = RecordData>(
  scope: { readonly companyId: string },
  many: string,
  ids: readonly string[],
): Promise<Map<string, Versioned<Row>>> {
  const parts = Array.from({ length: Math.ceil(ids.length / idsRead) }, (_, n) =>
    ids.slice(n * idsRead, (n + 1) * idsRead),
  )
  const pages = await mapConcurrently(parts, (part) => {
    const query = { id: part.join(','), etags: true, limit: idsRead }
    return get<Page<Row & { readonly etag: string }>>(scope, `/v1/${many}`, { query })
  })
  return new Map(
    pages.flatMap(({ data }) =>
      data.map((shown) => {
        const { etag, ...record } = shown
        return [shown.id, { record: record as unknown as Row, etag }] as const
      }),
    ),
  )
}
