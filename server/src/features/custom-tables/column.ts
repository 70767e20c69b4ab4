// The contents of a cell: each column type, as the stored text and as the JSON that is shown.
import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { isExact } from '../../http/lossy-values.ts'

export const columnTypes = ['string', 'number', 'boolean', 'date', 'json-string'] as const
type ColumnType = (typeof columnTypes)[number]

/** A field of a table, ready for use. */
export interface Column {
  readonly id: string
  readonly name: string
  readonly type: ColumnType
  readonly isRequired: boolean
  /** In the form in which cells are stored. */
  readonly defaultValue: string | undefined
  /** The member of a collection that the values refer to. */
  readonly reference: { readonly collection: string; readonly member: string } | undefined
  /** The schema revision at which it was created, and its former names with their last revisions. */
  readonly since: number
  readonly former: readonly (readonly [name: string, until: number])[]
  /** `"name":`, as it appears in a row. */
  readonly key: string
}

/** The name of a column at a schema revision of its table; undefined before the column existed. */
export function nameIn(shape: number, { name, since, former }: Column): string | undefined {
  if (since > shape) return undefined
  return former.find(([, until]) => until >= shape)?.[0] ?? name
}

/** The message for a value of another type. */
export const wanted: Readonly<Record<ColumnType, string>> = {
  string: 'must be a string',
  number: 'must be a finite number of at most 17 digits',
  boolean: 'must be true or false',
  date: 'must be a date-time that exists, with offset or Z, such as "2026-11-21T09:30:00Z"',
  'json-string': 'must be a string that holds JSON, or an object or an array',
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** The stored form of a value sent as text, as in custom-table-value; undefined if it is not of the type. */
export function fromText(type: ColumnType, text: string): string | undefined {
  switch (type) {
    case 'string':
      return text
    case 'number':
      return numeral.test(text) && isExact(text) ? JSON.stringify(Number(text)) : undefined
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined
    case 'date':
      return isDateTime(text) ? canonicalDateTime(text) : undefined
    case 'json-string':
      return isJson(text) ? text : undefined
  }
}

/** The stored form of a value sent as JSON, as in custom-table-data; undefined if it is not of the type. */
export function fromJson(type: ColumnType, value: unknown): string | undefined {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? JSON.stringify(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined
    case 'json-string':
      if (typeof value === 'object' && value !== null) return JSON.stringify(value)
      return typeof value === 'string' && isJson(value) ? value : undefined
    default:
      return typeof value === 'string' ? fromText(type, value) : undefined
  }
}

/** JSON text of a stored value. */
export const shownCell = (type: ColumnType, stored: string): string =>
  type === 'number' || type === 'boolean' ? stored : type === 'date' ? `"${stored}"` : JSON.stringify(stored)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
