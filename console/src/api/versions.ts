// Many records with their versions, for writes that must not overwrite what another user changed.
import { mapConcurrently } from './map-concurrently.ts'
import { asProblem } from './problem.ts'
import { type RecordData, readRecord, type Versioned } from './records.ts'

/** The current version of each record; without those that are deleted. */
export async function readVersions<Row = RecordData>(
  scope: { readonly companyId: string },
  one: string,
  ids: readonly string[],
): Promise<Map<string, Versioned<Row>>> {
  const read = await mapConcurrently(ids, (id) =>
    readRecord<Row>(scope, one, id).catch((error) => {
      if (asProblem(error).status === 404) return undefined
      throw error
    }),
  )
  return new Map(read.flatMap((version, n) => (version ? [[ids[n] as string, version]] : [])))
}
