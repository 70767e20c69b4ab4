// What one statement may bring: values beyond a number of characters are not kept, and rows that would go beyond it are not asked for.
import pg from 'pg'

const textOf = (value: string) => value
// Only numbers become values; times, JSON and everything else stay as PostgreSQL writes them.
const parsers: Record<number, (value: string) => unknown> = {
  16: (value) => value === 't',
  20: Number,
  21: Number,
  23: Number,
}
const arrayTypes = new Set([1009, 1007, 1016])
/** How values are read. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format: 'text' | 'binary') =>
    arrayTypes.has(id) ? pg.types.getTypeParser(id, format) : (parsers[id] ?? textOf)) as typeof pg.types.getTypeParser,
}

/** The same until so many characters have come. What is thrown away was one value at a time in memory. */
interface Kept extends pg.CustomTypesConfig {
  /** Characters that may still come; below 0 nothing is kept any more. */
  left(): number
}

export function upTo(most: number): Kept {
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

/** Rows that come before it is asked for more of a statement whose rows may be too long together; and those of each later portion. */
const firstPortion = 101
const nextPortion = 300

/** Whether a statement of so many rows is asked in portions: one that is done with the first costs no round trip more if it is not. */
export const hasPortions = (rows: number): boolean => rows > firstPortion

// The part of the driver's query that its types leave out (pg 8.23, lib/query.js).
interface Connection {
  sync(): void
}
interface Internals {
  rows: number
  readonly _result: { readonly rows: unknown[] }
  _getRows(connection: Connection, rows: number): void
}

/**
 * A statement of so many rows, which come in portions of one portal, so from one snapshot. It ends early where all rows
 * would, as long as those before, go beyond what is kept: a row of nulls then stands at the end.
 */
export class PortionedQuery extends pg.Query {
  readonly #expected: number
  readonly #most: number
  readonly #kept: Kept

  constructor(
    config: pg.QueryConfig,
    { expected, most, kept }: { expected: number; most: number; kept: Kept },
    callback: (error: Error | null | undefined, answer: pg.QueryArrayResult) => void,
  ) {
    super({ ...config, rows: firstPortion } as pg.QueryConfig, undefined as never, callback as never)
    this.#expected = expected
    this.#most = most
    this.#kept = kept
  }

  /** Called by the driver when a portion has come and there are more rows. */
  handlePortalSuspended(connection: Connection): void {
    const query = this as unknown as Internals
    const { rows } = query._result
    const used = this.#most - this.#kept.left()
    if ((used / rows.length) * this.#expected > this.#most) {
      rows.push([null])
      connection.sync()
    } else query._getRows(connection, nextPortion)
  }
}
