// Members that a record shows but does not hold: their values lie in rows of other tables, and what they show in a column of the record's own row.

import { Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Queryable, Row } from '../database/connect.ts'
import type { Fields } from './field.ts'
import type { Change, JsonObject, Key } from './record.ts'

/**
 * Such members of a resource. The column `shown` of the record's row holds what they show, written by whoever writes
 * those other rows, in the same transaction and with the record's row held; so a list reads one table only. What a
 * request says of the members is written to the other rows in the transaction of the record's own write.
 */
export interface Projection {
  /** The members; they stand last in the record. None where the column is only watched. */
  readonly fields: Fields
  /** Whether every record shows all of them. */
  readonly isAlways: boolean
  /** Text of an object of the members, made of what the column holds, or why that cannot be said; by itself the column's text. */
  readonly text?: (held: string | null) => string | Problem
  /** The same of a record in memory; by itself plain JSON. */
  readonly write?: (record: JsonObject) => string
  /** The members once `change` is made over those of `before`, or what is wrong with it. */
  readonly merge: (before: JsonObject, change: Change) => JsonObject | Problem
  /** Whether a change is one though the members look as before; by itself what looks the same is no change. */
  readonly isUnseen?: (before: JsonObject, change: Change) => boolean
  /** What the create's answer alone shows: its text, made of the record's text and of what was sent. */
  readonly reveal?: (shown: string, sent: Change) => string
  /** The record's text, made of such an answer: of it is the ETag. */
  readonly conceal?: (answer: string) => string
  /** Keeps the meaning of the members as it is until the transaction ends; called before any row is held. */
  readonly hold?: (transaction: Queryable, keys: readonly Key[]) => Promise<void>
  /** Writes what was sent of records whose rows are held; throws what is wrong with it. */
  readonly store: (transaction: Queryable, written: readonly ProjectionWrite[]) => Promise<void>
}

export interface ProjectionWrite {
  readonly scope: Scope
  /** As it is now. */
  readonly record: Readonly<Record<string, any>>
  /** What was sent of the view's members. */
  readonly sent: Change
}

/** The columns of the row `stored` of which a record's text is made. The body stands last: where it is missing, the row was cut. */
export const textColumns = (view: Projection | undefined): string =>
  view ? 'stored.shown, stored.body' : 'stored.body'

/** A record's text, made of those columns, which stand last in the row; null where the row was cut. */
export function textOf(view: Projection | undefined, row: Row): string | Problem | null {
  const body: string | null = row[row.length - 1]
  if (view === undefined || body === null) return body
  const held: string | null = row[row.length - 2]
  const members = view.text ? view.text(held) : (held as string)
  return typeof members === 'string' ? spliced(body, members) : members
}

/** The same in SQL, of a view whose column holds the members as they are shown. */
export function textSql(view: Projection | undefined): string {
  if (view === undefined) return 'stored.body'
  const both = `left(stored.body::text, -1) || ',' || right(stored.shown::text, -1)`
  return view.isAlways ? both : `case when stored.shown::text = '{}' then stored.body::text else ${both} end`
}

/** The text of a record with further members behind its own: `members` is the text of an object, or empty. */
export const spliced = (body: string, members: string): string =>
  members === '' || members === '{}' ? body : `${body.slice(0, -1)},${members.slice(1)}`

/** The record shows members that are not known here: the structure of its company is another by now. Whoever knows structures looks again. */
export class StaleSchemaError extends Problem {
  constructor() {
    super('unavailable', 'The members of the record are being changed. Try again.')
  }
}

/** Of a resource whose records show further members in some companies: none are known, and a record that shows any is told. */
export const watching: Projection = {
  fields: {},
  isAlways: false,
  text: (held) => (held === null ? '' : new StaleSchemaError()),
  merge: () => ({}),
  store: async () => {},
}
