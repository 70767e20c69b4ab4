// Cursors of lists: where a page ended, as an opaque text that only continues a list in the same order.

import { invalid, type MemberError } from '../../core/problem.ts'
import type { Fields } from '../field.ts'

/** The sort value and the id of the last record of a page. */
export interface ListPosition {
  readonly value: string
  readonly id: string
}

/** Where a page ended: the sort value and id of its last record, bound to the order of the list. */
export function writeCursor(
  sortBy: string,
  sortOrder: string,
  { fields, moment }: { readonly fields: Fields; readonly moment?: string | undefined },
  text: string,
): string {
  const last = JSON.parse(text)
  // The value that the statement sorts by where the member is unset.
  const unset = sortBy === moment ? last.createdAt : fields[sortBy]?.comparison === 'number' ? '-Infinity' : ''
  const position = [sortBy, sortOrder, String(last[sortBy] ?? unset), last.id ?? last._id.$oid]
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** The position in a cursor. Throws 400 for a cursor that does not belong to the list. */
export function readCursor(cursor: string, sortBy: string, sortOrder: string, skip: number): ListPosition {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw notOurs()
  }
  const isWhole = Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string')
  if (!isWhole) throw notOurs()
  const [by, order, value, id] = parts as [string, string, string, string]
  if (by !== sortBy || order !== sortOrder) throw wrongCursor(`belongs to a list with sortBy=${by}, sortOrder=${order}`)
  if (skip > 0) throw wrongCursor('must not be sent together with skip; send one of them')
  return { value, id }
}

/** The problem for a cursor that no page of the list had. */
export const notOurs = () => wrongCursor('must be a nextCursor from a page of this list')

const wrongCursor = (message: string) => {
  const error: MemberError = { in: 'query', pointer: 'cursor', code: 'cursor', message }
  return invalid([error])
}
