// Collects the lines of an order: files have a line for each item, and the first line, or each line, has the members of
// the order.

import type { CsvFile, CsvRow } from '../csv.ts'
import {
  brokenRow,
  type ColumnPositions,
  columnsOf,
  type Layout,
  type RefusedEntry,
  type RowView,
  refusedRow,
  rowViews,
} from '../layout.ts'
import { Refusal, slashedDates, textOf, timesIn } from '../values.ts'
import type { FileOrder } from './order.ts'

/** Lines of an order: beyond that, the file is not what it seems. */
const ORDER_LINES = 5_000

/** How the cells of a file are written, and its columns that are not members. */
export interface OrderNotation<Member extends string> extends Pick<ColumnPositions<Member>, 'others'> {
  readonly separator: string
  readonly timeOf: ReturnType<typeof timesIn>
}

/** Makes an order of its lines, which are at least one. Throws `Refusal`. */
type Build<Member extends string> = (rows: readonly [RowView<Member>, ...RowView<Member>[]]) => FileOrder

/** How orders are read from a kind of file. */
export interface OrderReader<Member extends string> {
  readonly layout: Layout<Member>
  /** The member by which lines belong to one order. */
  readonly keyOf: (file: CsvFile) => Member
  /** The members that are times. */
  readonly times: readonly Member[]
  readonly builder: (notation: OrderNotation<Member>) => Build<Member>
}

/** The orders of a file, whose lines follow each other; an order is refused with all its lines, or not at all. */
export async function* readOrders<Member extends string>(
  file: CsvFile,
  { layout, keyOf, times, builder }: OrderReader<Member>,
  timezone: string | null,
): AsyncGenerator<FileOrder | RefusedEntry> {
  const columns = columnsOf(file, layout)
  const view = rowViews(file, columns)
  const key = keyOf(file)
  const keyText = (row: RowView<Member>) => row.cell(key).text
  const { continued, isDayFirst } = await survey(file, view, keyText, times)
  const build = builder({ others: columns.others, separator: file.separator, timeOf: timesIn(timezone, isDayFirst) })
  const seen = new Map<string, number>()
  let order: Collected<Member> | undefined
  for await (const raw of file.rows()) {
    if ('problem' in raw) {
      // It may have been a line of the order.
      if (order) order.problem ??= new Refusal(`line ${raw.line}, which may belong to the order, cannot be read`)
      yield brokenRow(raw)
      continue
    }
    const row = view(raw)
    const id = keyText(row)
    if (order && id === order.id) {
      if (order.rows.length < ORDER_LINES) order.rows.push(row)
      else order.problem ??= new Refusal(`the order has more than ${ORDER_LINES} lines`)
      continue
    }
    if (order) yield* built(order, build)
    order = undefined
    try {
      const before = seen.get(id)
      if (textOf(row.cell(key)) === undefined)
        throw new Refusal(`the line has no ${layout.headings[key]?.[0]}`, row.cell(key).heading)
      if (before !== undefined)
        throw new Refusal(
          `the order "${id}" is already in line ${before}; its lines must follow each other`,
          row.cell(key).heading,
        )
      seen.set(id, row.line)
      const again = continued.get(id)
      order = {
        id,
        rows: [row],
        ...(again !== undefined && { problem: isContinued(id, again, row.cell(key).heading) }),
      }
    } catch (cause) {
      yield refusedRow(row.line, cause)
    }
  }
  if (order) yield* built(order, build)
}

const isContinued = (id: string, line: number, heading: string): Refusal =>
  new Refusal(
    `the order "${id}" continues in line ${line}, after another order; its lines must follow each other`,
    heading,
  )

/**
 * Reads the whole file once before the import: finds the orders that continue after another order, with the line where they
 * continue, and whether dates with slashes have the day first.
 */
async function survey<Member extends string>(
  file: CsvFile,
  view: (row: CsvRow) => RowView<Member>,
  idOf: (row: RowView<Member>) => string,
  times: readonly Member[],
) {
  const seen = new Set<string>()
  const continued = new Map<string, number>()
  const dates = slashedDates()
  let before: string | undefined
  for await (const raw of file.rows()) {
    if ('problem' in raw) continue
    const row = view(raw)
    for (const time of times) dates.see(row.cell(time).text)
    const id = idOf(row)
    if (id !== before && seen.has(id) && !continued.has(id)) continued.set(id, row.line)
    seen.add(id)
    before = id
  }
  return { continued, isDayFirst: dates.isDayFirst() }
}

/** An order whose lines are collected; `problem` is why it cannot be imported. */
interface Collected<Member extends string> {
  readonly id: string
  readonly rows: [RowView<Member>, ...RowView<Member>[]]
  problem?: Refusal
}

/** The order of its lines, or why each of them is refused. */
function* built<Member extends string>(
  { rows, problem }: Collected<Member>,
  build: Build<Member>,
): Generator<FileOrder | RefusedEntry> {
  try {
    if (problem) throw problem
    yield build(rows)
  } catch (cause) {
    const first = cause instanceof LineRefusal ? cause.line : rows[0].line
    yield refusedRow(first, cause)
    for (const { line } of rows)
      if (line !== first) yield refusedRow(line, new Refusal(`the order was refused in line ${first}`))
  }
}

/** The reason why a line, and with it its order, cannot be imported. */
class LineRefusal extends Refusal {
  readonly line: number
  constructor({ message, column }: Refusal, line: number) {
    super(message, column)
    this.line = line
  }
}

/** Reads a line of an order; a refusal names that line. */
export function inLine<T>({ line }: { readonly line: number }, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof Refusal ? new LineRefusal(cause, line) : cause
  }
}
