// Limits the result of a statement: it drops values beyond a number of characters, and does not request rows beyond it.
import pg from 'pg'
import { type Ahead, type DriverConnection, type Sent, SentQuery } from './ahead.ts'

const textOf = (value: string) => value
// Only numbers become values; times, JSON and everything else stay as PostgreSQL writes them.
const parsers: Record<number, (value: string) => unknown> = {
  16: (value) => value === 't',
  20: Number,
  21: Number,
  23: Number,
}
const arrayTypes = new Set([1009, 1007, 1016])
/** How the driver parses values. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format: 'text' | 'binary') =>
    arrayTypes.has(id) ? pg.types.getTypeParser(id, format) : (parsers[id] ?? textOf)) as typeof pg.types.getTypeParser,
}

/** The same parsers up to a number of characters. Dropped values are in memory only one at a time. */
interface LimitedTypes extends pg.CustomTypesConfig {
  /** Characters still allowed. Below 0, all values are dropped. */
  left(): number
}

export function upTo(most: number): LimitedTypes {
  let left = most
  const getTypeParser = (id: number, format: 'text' | 'binary') => {
    const parse = types.getTypeParser(id, format as 'text')
    return (value: string) => {
      if (left < 0) return null
      left -= value.length
      return parse(value)
    }
  }
  return { getTypeParser: getTypeParser as typeof types.getTypeParser, left: () => left }
}

/**
 * The rows of a statement over `asked` items, by their item, whose number from 1 is the first column; undefined for an
 * item without a row. Ends with the last whole row if the statement was cut off: the last column of the next one is
 * null. That is never the first row.
 */
export function rowsByItem<Row extends any[]>(rows: readonly Row[], asked: number): (Row | undefined)[] {
  const found: (Row | undefined)[] = new Array(asked).fill(undefined)
  let last = 0
  for (const row of rows) {
    if (row.at(-1) === null) return found.slice(0, last)
    last = row[0]
    found[last - 1] = row
  }
  return found
}

/** Rows in the first portion of a statement that may exceed the limit, and in each later one. Each portion is a round trip, so a page of 250 is read in one. */
const firstPortion = 251
const nextPortion = 300

/** Whether to read a statement with this many rows in portions. One that fits into the first needs no extra round trip. */
export const hasPortions = (rows: number): boolean => rows > firstPortion

/**
 * A statement read in portions of one portal, so from one snapshot. It stops early, with a row of nulls at the end, if the
 * expected number of rows at the average length so far would exceed the limit.
 */
export class PortionedQuery extends SentQuery {
  readonly #expected: number
  readonly #most: number
  readonly #kept: LimitedTypes

  constructor(
    sent: Omit<Sent, 'types'>,
    { expected, most, kept }: { expected: number; most: number; kept: LimitedTypes },
    callback: ConstructorParameters<typeof SentQuery>[1],
    ahead: readonly Ahead[],
  ) {
    super({ ...sent, types: kept, rows: firstPortion }, callback, ahead)
    this.#expected = expected
    this.#most = most
    this.#kept = kept
  }

  /** Before its end, the driver has sent no Sync, and PostgreSQL ignores all that follows an error up to one. */
  override handleError(error: Error, connection: DriverConnection): void {
    if (error instanceof pg.DatabaseError) connection.sync()
    super.handleError(error, connection)
  }

  /** The driver calls this after a portion if there are more rows. */
  handlePortalSuspended(connection: DriverConnection): void {
    const { rows } = this._result
    const used = this.#most - this.#kept.left()
    if ((used / rows.length) * this.#expected > this.#most) {
      rows.push([null])
      connection.sync()
    } else this._getRows(connection, nextPortion)
  }
}
