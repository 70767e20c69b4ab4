// The groups of a report as bars: upright where they follow one another, else the greatest ones below each other.

import { Text } from '@mantine/core'
import type { SalesGroup, SalesGroups } from '../../api/sales-report.ts'
import { locale } from '../../language.ts'
import { number, percent, useFormat } from '../../parts/format.ts'
import { text } from '../../texts/reports.ts'
import { DaysPlot, onDay } from '../overview/DaysPlot.tsx'
import { Shares } from '../overview/Shares.tsx'
import {
  growthOf,
  isEmpty,
  isInOrder,
  isNumberOf,
  isOverlapping,
  keyOf,
  nameOf,
  numberOf,
  type Sum,
  valueName,
} from './groups.ts'
import classes from './ReportsPage.module.css'

/** Bars below each other: more than these are read in the table. */
const most = 10

interface GroupsChartProps {
  readonly report: SalesGroups
  readonly sum: Sum
}

export function GroupsChart({ report, sum }: GroupsChartProps) {
  const [first = 'day', second] = report.groupBy
  // Added up, sales that are in several groups would count several times.
  if (second !== undefined && isOverlapping(second)) return null
  const groups = merged(report, first, sum)
  if (isEmpty(groups, sum)) return null
  return isInOrder(first) && first !== 'taxRate' ? (
    <Upright {...{ report, groups, first, sum }} />
  ) : (
    <Ranking {...{ groups, first, sum }} />
  )
}

/** The groups of the first dimension in the company's currency, those of a second one added up. */
function merged({ groups, currency }: SalesGroups, first: string, sum: Sum): SalesGroup[] {
  const own = groups.filter((group) => group.currency === currency)
  const sums = new Map<unknown, SalesGroup>()
  for (const group of own) {
    const key = keyOf(group, first)
    const had = sums.get(key)
    const now = numberOf(group, sum) + numberOf(had, sum)
    const before = numberOf(group.previous, sum) + numberOf(had?.previous, sum)
    // The chart needs no more digits than it shows; the table and its totals are exact.
    const previous = group.previous && { previous: { ...group.previous, [sum]: before } }
    sums.set(key, { ...group, [sum]: now, ...previous } as SalesGroup)
  }
  return [...sums.values()]
}

interface UprightProps {
  readonly report: SalesGroups
  readonly groups: readonly SalesGroup[]
  readonly first: string
  readonly sum: Sum
}

/** Each place of the axis, also those without sales. */
function Upright({ report, groups, first, sum }: UprightProps) {
  const found = new Map(groups.map((group) => [String(keyOf(group, first)), group]))
  const bars = placesOf(report, first, [...found.keys()]).map((place) => ({
    date: place,
    value: numberOf(found.get(place), sum),
    ...(report.previous && { before: numberOf(found.get(place)?.previous, sum) }),
  }))
  return (
    <div className={classes.plot}>
      <DaysPlot
        days={bars}
        title={text.chart(text.sums[sum])}
        {...(!isNumberOf(sum) && { currency: report.currency })}
        nameOf={(place, isLong) => placeName(first, place, isLong)}
      />
      {report.previous && (
        <Text size="xs" c="dimmed" className={classes.legend}>
          <span data-mark="now" aria-hidden /> {text.now}
          <span data-mark="before" aria-hidden /> {text.periodBefore}
        </Text>
      )}
    </div>
  )
}

function placesOf({ from, to }: SalesGroups, first: string, found: readonly string[]): readonly string[] {
  const upTo = (count: number, begin = 0) => Array.from({ length: count }, (_, n) => String(n + begin))
  if (first === 'hour') return upTo(24)
  if (first === 'weekday') return upTo(7, 1)
  if (first !== 'day') return found.toSorted()
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return upTo(days).map((n) => new Date(Date.parse(from) + Number(n) * 86_400_000).toISOString().slice(0, 10))
}

function placeName(first: string, place: string, isLong: boolean): string {
  if (first === 'day')
    return onDay(
      place,
      isLong ? { weekday: 'short', day: 'numeric', month: 'long' } : { day: 'numeric', month: 'short' },
    )
  if (first === 'month') return onDay(`${place}-01`, { month: isLong ? 'long' : 'short', year: 'numeric' })
  if (first === 'weekday' && !isLong)
    return new Intl.DateTimeFormat(locale, { weekday: 'short' }).format(new Date(2024, 0, Number(place)))
  return valueName(first, place)
}

function Ranking({ groups, first, sum }: Omit<UprightProps, 'report'>) {
  const format = useFormat()
  // Such as tips, which belong to no product, among net sales.
  const some = groups.filter((group) => numberOf(group, sum) !== 0 || numberOf(group.previous, sum) !== 0)
  const shown = some.toSorted((one, other) => numberOf(other, sum) - numberOf(one, sum)).slice(0, most)
  return (
    <div className={classes.ranking} role="img" aria-label={text.chart(text.sums[sum])}>
      <Shares
        none=""
        shares={shown.map((group) => {
          const growth = growthOf(group, sum)
          return {
            key: String(keyOf(group, first)),
            name: <bdi>{nameOf(first, group)}</bdi>,
            size: numberOf(group, sum),
            value: isNumberOf(sum) ? number(numberOf(group, sum)) : format.money(numberOf(group, sum), group.currency),
            note: growth === undefined ? '' : `${growth > 0 ? '+' : ''}${percent(growth)}`,
          }
        })}
      />
      {some.length > shown.length && (
        <Text size="xs" c="dimmed" mt="sm">
          {text.greatest(shown.length)}
        </Text>
      )}
    </div>
  )
}
