// Members that a record shows but does not store: rows of other tables hold their values, and a column of the record's own row caches what they show.

import { Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Queryable, Row } from '../database/connect.ts'
import type { Fields } from './field.ts'
import type { Change, JsonObject, Key } from './record.ts'

/**
 * The projection of a resource. The column `shown` of the record's row holds what its members show; each write of the
 * other rows writes this column too, in the same transaction and with the record's row locked, so a list reads only one
 * table. What a request sends for the members is written to the other rows in the transaction of the record's own
 * write.
 */
export interface Projection {
  /** The members; they are last in the record. Empty if the column is only watched. */
  readonly fields: Fields
  /** Whether every record shows all of them. */
  readonly isAlways: boolean
  /** Text of an object of the members, made from the column, or why it cannot be made; by default the column's text. */
  readonly text?: (held: string | null) => string | Problem
  /** The same of a record in memory; by default plain JSON. */
  readonly write?: (record: JsonObject) => string
  /** The members after `change` is applied to those of `before`, or what is wrong with it. */
  readonly merge: (before: JsonObject, change: Change) => JsonObject | Problem
  /** Whether a change counts although the members look the same; by default it does not. */
  readonly isHiddenChange?: (before: JsonObject, change: Change) => boolean
  /** The text that only the response to the create shows, made from the record's text and the sent members. */
  readonly showOnce?: (shown: string, sent: Change) => string
  /** The record's text, made from such a response; its ETag is computed from it. */
  readonly mask?: (answer: string) => string
  /** Keeps the meaning of the members unchanged until the transaction ends; called before any row is locked. */
  readonly lockFirst?: (transaction: Queryable, keys: readonly Key[]) => Promise<void>
  /** Writes what was sent for records whose rows are locked; throws what is wrong with it. */
  readonly store: (transaction: Queryable, written: readonly ProjectionWrite[]) => Promise<void>
}

export interface ProjectionWrite {
  readonly scope: Scope
  /** As it is now. */
  readonly record: Readonly<Record<string, any>>
  /** What was sent for the projection's members. */
  readonly sent: Change
}

/**
 * The columns of the row `stored` from which a record's text is made. The body is last: if it is missing, the row was
 * cut off.
 */
export const textColumns = (projection: Projection | undefined): string =>
  projection ? 'stored.shown, stored.body' : 'stored.body'

/** A record's text, made from those columns, which are last in the row; null if the row was cut off. */
export function textOf(projection: Projection | undefined, row: Row): string | Problem | null {
  const body: string | null = row[row.length - 1]
  if (projection === undefined || body === null) return body
  const held: string | null = row[row.length - 2]
  const members = projection.text ? projection.text(held) : (held as string)
  return typeof members === 'string' ? spliced(body, members) : members
}

/** The same in SQL, for a projection whose column holds the members as they are shown. */
export function textSql(projection: Projection | undefined): string {
  if (projection === undefined) return 'stored.body'
  const both = `left(stored.body::text, -1) || ',' || right(stored.shown::text, -1)`
  return projection.isAlways ? both : `case when stored.shown::text = '{}' then stored.body::text else ${both} end`
}

/** The text of a record with further members after its own: `members` is the text of an object, or empty. */
export const spliced = (body: string, members: string): string =>
  members === '' || members === '{}' ? body : `${body.slice(0, -1)},${members.slice(1)}`

/**
 * The record shows members that are not known here, since its company's schema has changed. The caller reads the schema
 * again.
 */
export class StaleSchemaError extends Problem {
  constructor() {
    super('unavailable', 'The members of the record are being changed. Try again.')
  }
}

/** For a resource whose records show further members in some companies: none are known, and a record that shows any is reported. */
export const projectionPlaceholder: Projection = {
  fields: {},
  isAlways: false,
  text: (held) => (held === null ? '' : new StaleSchemaError()),
  merge: () => ({}),
  store: async () => {},
}
