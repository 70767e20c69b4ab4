// Remembers how many records of a company match a list's filters, with the place in its event feed for which that was
// true. Later events correct the number, so nothing is counted again.

import type { Queryable, Row, Statement } from '../../database/connect.ts'
import type { Resource } from '../resource.ts'
import { type Counted, eventsRead, lastEvent, laterEvents } from './event-changes.ts'
import { withSeenValues } from './list-filters.ts'
import { countStatement } from './list-query.ts'
import type { Outside } from './range-counts.ts'

/** Milliseconds that a count must take to be remembered: a quicker one is counted again each time. */
const SLOW_MS = 10
/**
 * Records from which a count without filters is remembered however quick it was. Its corrections read no member of an
 * event, and take some 0.7 ms, like counting 2,000 to 7,000 records.
 */
const MANY_RECORDS = 4_000
/**
 * Milliseconds after which records are counted again, so that rows written by SQL, without the service, are eventually
 * counted.
 */
const KEPT_MS = 10 * 60_000
/** Counts that one process remembers of a resource: some 300 bytes each, at most 2,400. */
const REMEMBERED = 1_000
/** Characters of a count's name, which has its filters; a longer one is not remembered. */
const NAME_CHARACTERS = 1_500
/** Number of events after its place from which a count moves on to a later place in the feed. */
const MOVES_ON = 500

type CountFilters = Pick<Counted, 'where' | 'filterValues'> &
  Partial<Pick<Counted, 'walked' | 'ofEach' | 'includesDeleted'>>

/**
 * The databases to query. A replica may answer a plain count (`reads`), but it does not know which writers have yet to
 * commit.
 */
interface CountDatabases {
  readonly query: Queryable['query']
  readonly reads: Queryable
}

/** A number of records, and the place in the feed to which it belongs: the number of an event, or 0 if there is none. */
export interface Remembered {
  readonly position: number
  readonly total: number
  readonly countedAt: number
  /** Events after the place, when it was last used. */
  readonly behind: number
}

/** The counts of a resource's records, of all companies that have many. */
export class RememberedCounts {
  readonly #resource: Resource
  readonly #slowMs: number
  readonly #manyRecords: number
  readonly #movesOn: number
  readonly #mostPart: number
  readonly #rowsCost: number
  /** Undefined for a count that was long, and is remembered from the next time on. */
  readonly #counts = new Map<string, Remembered | undefined>()

  /** Tests set the bounds. */
  constructor(
    resource: Resource,
    { slowMs = SLOW_MS, manyRecords = MANY_RECORDS, movesOn = MOVES_ON, mostPart = 1 / 2, rowsCost = 1 } = {},
  ) {
    this.#resource = resource
    this.#slowMs = slowMs
    this.#manyRecords = manyRecords
    this.#movesOn = movesOn
    this.#mostPart = mostPart
    this.#rowsCost = rowsCost
  }

  /**
   * The number of records. Each statement sees its own, current snapshot: none is part of a transaction with an older one.
   */
  async count(database: CountDatabases, counted: Counted): Promise<number> {
    const name = nameOf(counted)
    if (!this.#counts.has(name)) return this.#countAll(database, name, counted)
    const remembered = this.#counts.get(name)
    const total = remembered && (await this.#corrected(database, name, counted, remembered))
    return total ?? this.#countWithPlace(database, name, counted)
  }

  /** What is remembered, if it is neither too old nor too far behind to be corrected. */
  known(counted: Counted): Remembered | undefined {
    const remembered = this.#counts.get(nameOf(counted))
    if (remembered === undefined || isOld(remembered)) return undefined
    return remembered.behind <= eventsRead(counted) ? remembered : undefined
  }

  /** Whether a count was not long so far, so that the statement of a page may count too. */
  isShort(counted: Counted): boolean {
    return !this.#counts.has(nameOf(counted))
  }

  /** Notes a number that was counted since `begun`, perhaps with a page. */
  noteCounted(counted: Counted, number: number, begun: number): void {
    if (number >= this.#manyRecords) this.#noteIfLong(nameOf(counted), begun, foundIn(counted, number))
  }

  /**
   * The number of records of a range. It is counted directly, or, if the range has most records, as those of any time
   * minus those outside. `own`: the count of the range itself can be remembered.
   */
  async countRange(database: CountDatabases, outside: Outside, range: CountFilters, own?: Counted): Promise<number> {
    if (own && this.#counts.get(nameOf(own)) !== undefined) return this.count(database, own)
    const name = nameOf(outside.all)
    const isLong = this.#counts.has(name) && (await this.#holdsMost(database, outside.all, range))
    if (isLong) await this.count(database, outside.all)
    const inside = isLong ? await this.#countWithout(database, outside) : undefined
    if (inside !== undefined) return inside
    const begun = performance.now()
    const number = await (own ? this.count(database, own) : this.#rows(database, range))
    this.#noteIfLong(name, begun)
    return number
  }

  /** Whether a range has most of the records, as PostgreSQL's planner estimates it. A wrong estimate costs time only. */
  async #holdsMost(database: CountDatabases, all: Counted, range: CountFilters): Promise<boolean> {
    const total = this.#counts.get(nameOf(all))?.total ?? (await this.#estimate(database, all))
    return (await this.#estimate(database, range)) >= total * this.#mostPart
  }

  async #estimate(database: CountDatabases, { where, filterValues }: CountFilters): Promise<number> {
    const statement = `select from ${this.#resource.table} as stored where ${withSeenValues(where)}`
    return (await planOf(database, statement, filterValues))['Plan Rows']
  }

  /**
   * The statement of a count. PostgreSQL reads the rows that match one filter for the others, unless it expects that
   * the entries of each filter's index cost less.
   */
  async #statementOf(database: CountDatabases, filters: CountFilters): Promise<Statement> {
    const { ofEach, filterValues } = filters
    const ofRows = countStatement(this.#resource, filters)
    if (ofEach === undefined) return ofRows
    const ofEntries = { text: intersectedCount(this.#resource, ofEach) }
    // One after the other: a list has one connection.
    const rows = await planOf(database, ofRows.text, filterValues)
    const entries = await planOf(database, ofEntries.text, filterValues)
    return rows['Total Cost'] * this.#rowsCost > entries['Total Cost'] ? ofEntries : ofRows
  }

  /**
   * All records minus those outside of a range, in one snapshot; undefined if events no longer show the number of all.
   */
  async #countWithout(database: CountDatabases, { all, conditions, values }: Outside): Promise<number | undefined> {
    const remembered = this.#counts.get(nameOf(all))
    if (remembered === undefined) return undefined
    const { position, total } = remembered
    const { table } = this.#resource
    const counts = conditions.map(
      (condition) => `(select count(*) from ${table} as stored where ${all.where} and ${condition})`,
    )
    const place = `$${values.length + 1}`
    const [row] = await database.query(
      `select count(*)::int, min(sequence), coalesce(sum(change) filter (where sequence > ${place}), 0)::int, ${counts.join(', ')}
       from (${laterEvents(this.#resource, all, '>=', place)}) as later`,
      [...values, position],
    )
    const [read, first, change, ...outside] = row as [number, number | null, number, ...number[]]
    if (!isProven(remembered, all, read, first)) return undefined
    return outside.reduce((left, count) => left - count, total + change)
  }

  /** Counts, and if that was long, notes that the count of this name is to be remembered. */
  async #countAll(database: CountDatabases, name: string, counted: Counted): Promise<number> {
    const begun = performance.now()
    const number = await this.#rows(database, counted)
    this.#noteIfLong(name, begun, foundIn(counted, number))
    return number
  }

  async #rows(database: CountDatabases, filters: CountFilters): Promise<number> {
    const [row] = await database.reads.query(await this.#statementOf(database, filters), filters.filterValues)
    return row?.[0]
  }

  #noteIfLong(name: string, begun: number, found = 0): void {
    const isLong = found >= this.#manyRecords || performance.now() - begun >= this.#slowMs
    if (isLong && !this.#counts.has(name)) this.#keep(name, undefined)
  }

  /** The remembered number, corrected by the events after its place; undefined if they cannot correct it. */
  async #corrected(
    database: CountDatabases,
    name: string,
    counted: Counted,
    remembered: Remembered,
  ): Promise<number | undefined> {
    const { position, total, countedAt, behind } = remembered
    if (isOld(remembered)) return undefined
    const upTo = behind < this.#movesOn ? position : await watermark(database, counted.companyId)
    const [row] = await database.query(...correctionOf(this.#resource, counted, position, upTo))
    const [read, first, last, change, changeLater] = row as Row
    if (!isProven(remembered, counted, read, first) || (counted.changedBy && change !== 0)) return undefined
    const now = total + change
    this.#keep(name, { position: last ?? position, total: now - changeLater, countedAt, behind: read })
    return now
  }

  /**
   * Counts in the same snapshot in which it reads the events after the watermark, so that it is known which of them the
   * number includes.
   */
  async #countWithPlace(database: CountDatabases, name: string, counted: Counted): Promise<number> {
    const { filterValues, companyId } = counted
    const { text } = await this.#statementOf(database, counted)
    const upTo = await watermark(database, companyId)
    const place = `$${filterValues.length + 1}`
    const [row] = await database.query(
      `with later as (${laterEvents(this.#resource, counted, '>', place)})
       select (${text}),
         coalesce((${lastEvent(place)}), 0),
         (select count(*) from later), (select coalesce(sum(change), 0) from later)`,
      [...filterValues, upTo],
    )
    const [now, position, behind, change] = row as [number, number, number, number]
    if (behind > eventsRead(counted) || (counted.changedBy && change !== 0)) this.#keep(name, undefined)
    else this.#keep(name, { position, total: now - change, countedAt: performance.now(), behind })
    return now
  }

  #keep(name: string, count: Remembered | undefined): void {
    if (name.length > NAME_CHARACTERS) return
    this.#counts.delete(name)
    this.#counts.set(name, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > REMEMBERED) this.#counts.delete(oldest as string)
  }
}

/** What PostgreSQL's planner expects of a statement. */
async function planOf({ query }: CountDatabases, statement: string, values: readonly unknown[]) {
  const [row] = await query(`explain (format json) ${statement}`, values)
  return JSON.parse(row?.[0])[0].Plan as { readonly 'Plan Rows': number; readonly 'Total Cost': number }
}

/** The number of a count whose corrections read no member of an event; 0 for any other. */
const foundIn = ({ members }: Counted, number: number): number => (members.length === 0 ? number : 0)

/** What distinguishes one count from others. */
const nameOf = ({ where, filterValues }: Counted): string => JSON.stringify([where, filterValues])

const isOld = ({ countedAt }: Remembered): boolean => performance.now() - countedAt > KEPT_MS

/**
 * Whether a number can be corrected by the events that were read. It cannot if the feed was cut off, was restored to
 * before the place, or has too many events.
 */
const isProven = ({ position }: Remembered, counted: Counted, read: number, first: number | null): boolean =>
  read <= eventsRead(counted) && (position === 0 || first === position)

/** The watermark: each event of the company up to it is committed or never will be. Later statements see all that it covers. */
async function watermark(database: CountDatabases, companyId: string): Promise<number> {
  const [row] = await database.query(
    { name: 'events_settled_of_one', text: 'select settled from events_settled(array[$1])' },
    [companyId],
  )
  return row?.[0]
}

/**
 * The statement of a correction: events from a place on; then the place moves on. The place's own event is read too,
 * as proof that the feed still holds all events after it.
 */
function correctionOf(resource: Resource, counted: Counted, position: number, upTo: number) {
  const { includesDeleted, members, changedBy } = counted
  const values = changedBy ? counted.filterValues.slice(0, 1) : counted.filterValues
  const place = `$${values.length + 1}`
  const end = `$${values.length + 2}`
  const name = `${resource.table}_count${includesDeleted ? '_all' : ''}`
  const statement: Statement = {
    ...(members.length === 0 && !changedBy && { name }),
    text: `
    select count(*)::int, min(sequence), max(sequence) filter (where sequence <= ${end}),
      coalesce(sum(change) filter (where sequence > ${place}), 0)::int, coalesce(sum(change) filter (where sequence > ${end}), 0)::int
    from (${laterEvents(resource, counted, '>=', place)}) as later`,
  }
  return [statement, [...values, position, upTo]] as const
}

/**
 * SQL: counts the records that match several exact filters, and reads no row for it. The entries of each filter's index, which are
 * in the order of creation, are merged by record. `offset 0` keeps PostgreSQL from reading the table once, with all conditions.
 */
export function intersectedCount({ table }: Resource, ofEach: readonly string[]): string {
  const columns = 'stored.created_at, stored.id'
  const [first, ...others] = ofEach.map(
    (where, n) =>
      `(select ${columns} from ${table} as stored where ${where} order by ${columns} offset 0) as entries_${n}`,
  )
  return `select count(*) from ${first} ${others.map((other) => `join ${other} using (created_at, id)`).join(' ')}`
}
