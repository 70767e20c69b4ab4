// Merges what a file says about a record with the stored record.

import { isSameJson } from '../../core/same-json.ts'
import type { JsonObject } from '../../engine/record.ts'

/** An additional fact about a record, as the API stores it. */
export interface Metadatum {
  key: string
  value: string
}

/** A non-empty list, or nothing. */
export const some = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

/**
 * A stored record, with the file's values for the members that the file has columns for; an empty value unsets the
 * member.
 */
export function merged(
  stored: JsonObject | undefined,
  wanted: JsonObject,
  members: readonly string[],
  metadataKeys: ReadonlySet<string>,
): JsonObject {
  if (stored === undefined) return wanted
  const record = { ...stored }
  for (const member of members) record[member] = wanted[member]
  // Metadata of others under their own keys stays.
  const others = ((stored.metadata ?? []) as Metadatum[]).filter(({ key }) => !metadataKeys.has(key))
  record.metadata = some([...((wanted.metadata ?? []) as Metadatum[]), ...others])
  return record
}

/** The update that turns a stored record into the wanted one; undefined if nothing differs. */
export function changeOf(stored: JsonObject, record: JsonObject): JsonObject | undefined {
  const members = Object.keys(record).filter((member) => !isSameJson(record[member], stored[member]))
  if (members.length === 0) return undefined
  return Object.fromEntries(members.map((member) => [member, record[member] ?? null]))
}
