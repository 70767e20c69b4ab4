// The report of sales by dimensions: sums of each group, per currency, beside the period before if requested.
import { mapInSlices } from '../../concurrency/time-slices.ts'
import { csvLine } from '../../core/csv-line.ts'
import { amountsIn } from '../../core/currency.ts'
import { decimalText, negated, quotientText, sumText } from '../../core/exact.ts'
import { invalid, unavailable } from '../../core/problem.ts'
import type { Row } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import type { Grouping } from './dimensions.ts'
import { countOf, isCosted, isKept, keptGroups, readGroups, sumsOf } from './group-statements.ts'
import { REPORT_GROUPS, REPORT_RECORDS } from './limits.ts'
import { dateOf, timeOf } from './local-days.ts'
import type { Segment } from './period.ts'
import type { SourceName } from './sources.ts'
import { type TimeLabels, timeLabels } from './time-labels.ts'

/** Sums of a group as PostgreSQL's numbers; those that no source has are missing. */
type Sums = Readonly<Record<string, string | undefined>>

interface Group {
  readonly values: readonly (string | number | null)[]
  readonly currency: string
  readonly now: Record<string, string>
  readonly before: Record<string, string>
}

const groupOf = (values: Group['values'], currency: string): Group => ({ values, currency, now: {}, before: {} })

/** How the answer is written. */
interface Settings {
  readonly isCsv: boolean
}

/** The sums of a group in an answer, by unit, in order; those of lines have costs too. */
const shownOf = {
  payment: ['paid', 'refunded', 'count', 'average'],
  whole: ['grossSales', 'discounts', 'netSales', 'tax', 'tips', 'refunded', 'quantity', 'count', 'average'],
  line: [
    'grossSales',
    'discounts',
    'netSales',
    'tax',
    'tips',
    'refunded',
    'quantity',
    'count',
    'average',
    'cost',
    'margin',
  ],
} as const satisfies Record<Grouping['unit'], readonly string[]>
const plain: Readonly<Record<string, string>> = {
  ...{ paid: 'gross', grossSales: 'gross', discounts: 'discount', netSales: 'net', tax: 'tax', tips: 'tip' },
  ...{ refunded: 'refund', cost: 'cost' },
}
/** Sums that are JSON numbers. */
const numbers = new Set(['quantity', 'count'])

/** A sum as a text; undefined where a group has none. */
function shown(name: string, sums: Sums, { unit }: Grouping, amount: ReturnType<typeof amountsIn>): string | undefined {
  const of = (sum: string) => sums[sum] ?? '0'
  if (numbers.has(name)) return decimalText(of(name))
  if (name === 'average') {
    if (of('count') === '0') return undefined
    return amount(quotientText(of(unit === 'payment' ? 'gross' : 'net'), of('count'), amount.decimals))
  }
  if (name === 'margin')
    return sums.cost === undefined ? undefined : amount(sumText([of('costed'), negated(sums.cost)], 0))
  if (name === 'cost' && sums.cost === undefined) return undefined
  return amount(of(plain[name] as string))
}

/** Adds the rows of a source to the groups. */
function collect(
  groups: Map<string, Group>,
  source: SourceName,
  rows: readonly Row[],
  side: 'now' | 'before',
  grouping: Grouping,
  { values }: TimeLabels,
): void {
  const { by, stored, timed } = grouping
  const names = [...sumsOf[source], ...(isCosted(source, stored) ? ['cost', 'costed'] : [])]
  const readers = by.map((dimension) => {
    const [inStored, inTimed] = [stored.indexOf(dimension), timed.indexOf(dimension)]
    if (inTimed !== -1) return (row: Row) => values[row[0]]?.[inTimed] ?? null
    return (row: Row) => (row[2 + inStored] === '' ? null : row[2 + inStored])
  })
  for (const row of rows) {
    const key = JSON.stringify(row.slice(0, 2 + stored.length))
    const group: Group =
      groups.get(key) ??
      groupOf(
        readers.map((read) => read(row)),
        row[1],
      )
    groups.set(key, group)
    names.forEach((name, n) => {
      const value = row[2 + stored.length + n]
      if (value !== null) group[side][name] = value
    })
  }
  if (groups.size > REPORT_GROUPS)
    throw wrong('groupBy', `makes more than ${REPORT_GROUPS} groups; choose fewer dimensions, or a shorter period`)
}

const wrong = (pointer: string, message: string) => invalid([{ in: 'query', pointer, code: 'range', message }])

/** Reads the groups of one period. */
async function read(
  snapshot: Snapshot,
  grouping: Grouping,
  segments: readonly Segment[],
  add: (source: SourceName, rows: readonly Row[]) => void,
): Promise<void> {
  const { currency = null, ask, query } = snapshot
  const [first, last] = [segments[0], segments.at(-1)]
  if (first === undefined || last === undefined) return
  const range = [timeOf(first.first), timeOf(last.end)]
  for (const source of grouping.sources) {
    if (isKept(grouping)) {
      add(source, await ask(source, segments, keptGroups(grouping, source), currency))
      continue
    }
    const [row] = await query(countOf(source), ...range)
    if (row?.[0] > REPORT_RECORDS)
      throw wrong(
        'groupBy',
        `reads each record by these dimensions, and the period has more than ${REPORT_RECORDS} ${source}; choose a shorter one, or only dimensions of which sums are kept`,
      )
    const parts = [segments.map(({ first }) => timeOf(first)), segments.map(({ label }) => label)]
    add(source, await query(readGroups(grouping, source), ...range, ...parts, currency))
  }
}

/** The company's currency first; groups of time in their order; otherwise those with the most sales first. */
function inOrder(groups: Iterable<Group>, { by, timed, unit }: Grouping, own: string | undefined): Group[] {
  const places = timed.map((dimension) => by.indexOf(dimension))
  const most = unit === 'payment' ? 'gross' : 'net'
  const compare = <T extends string | number>(a: T, b: T) => (a === b ? 0 : a < b ? -1 : 1)
  const keyed = Array.from(groups, (group) => ({
    group,
    currency: group.currency === own ? '' : group.currency,
    times: places.map((place) => group.values[place] ?? ''),
    most: Number(group.now[most] ?? 0),
  }))
  keyed.sort((a, b) => {
    let order = compare(a.currency, b.currency)
    for (let n = 0; order === 0 && n < places.length; n++) order = compare(a.times[n] ?? '', b.times[n] ?? '')
    return order || b.most - a.most || compare(a.group.values.join(), b.group.values.join())
  })
  return keyed.map(({ group }) => group)
}

/** The report as JSON or CSV. */
export async function groupedReport(
  snapshot: Snapshot,
  grouping: Grouping,
  companyId: string,
  { isCsv }: Settings,
): Promise<string> {
  const { currency, timezone, zone, period, isComplete } = snapshot
  const { by, unit } = grouping
  if (isCsv && !isComplete) throw unavailable()
  const labels = timeLabels(zone, grouping.timed, period)
  const groups = new Map<string, Group>()
  await read(snapshot, grouping, labels.segments, (source, rows) =>
    collect(groups, source, rows, 'now', grouping, labels),
  )
  if (period.previous)
    await read(snapshot, grouping, labels.before, (source, rows) =>
      collect(groups, source, rows, 'before', grouping, labels),
    )

  const names = shownOf[unit]
  const amounts = new Map<string, ReturnType<typeof amountsIn>>()
  const amountIn = (currency: string) => {
    const known = amounts.get(currency) ?? amountsIn(currency || undefined)
    amounts.set(currency, known)
    return known
  }
  const sums = (side: Sums, currency: string) => names.map((name) => shown(name, side, grouping, amountIn(currency)))
  const sorted = inOrder(groups.values(), grouping, currency)
  if (isCsv) {
    const line = (texts: readonly string[], sums: readonly string[]) =>
      `${csvLine(texts).slice(0, -1)},${sums.join(',')}\n`
    const titles = [
      ...names,
      ...(period.previous ? names.map((name) => `previous${name[0]?.toUpperCase()}${name.slice(1)}`) : []),
    ]
    const lines = await mapInSlices(sorted, companyId, ({ values, currency, now, before }) => {
      const all = [...sums(now, currency), ...(period.previous ? sums(before, currency) : [])]
      return line(
        [...values.map((value) => String(value ?? '')), currency],
        all.map((sum) => sum ?? ''),
      )
    })
    return line([...by, 'currency'], titles) + lines.join('')
  }
  const members = (side: Sums, currency: string) =>
    sums(side, currency).flatMap((sum, n) => {
      const name = names[n] as string
      return sum === undefined ? [] : [`"${name}":${numbers.has(name) ? sum : `"${sum}"`}`]
    })
  const texts = await mapInSlices(sorted, companyId, ({ values, currency, now, before }) => {
    const own = by.map(
      (dimension, n) => `"${dimension}":${dimension === 'taxRate' ? values[n] : JSON.stringify(values[n])}`,
    )
    const previous = period.previous ? [`"previous":{${members(before, currency)}}`] : []
    return `{${[...own, ...(currency ? [`"currency":"${currency}"`] : []), ...members(now, currency), ...previous]}}`
  })
  const { from, to, firstDay, previous } = period
  const before = previous && { from: dateOf(firstDay - previous.days), to: dateOf(previous.lastDay) }
  const head = JSON.stringify({ currency, timezone, from, to, previous: before, isComplete, groupBy: by })
  return `${head.slice(0, -1)},"groups":[${texts.join(',')}]}`
}
