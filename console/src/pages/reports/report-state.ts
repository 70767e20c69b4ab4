// What a report shows, kept in the address: the period, what sales are grouped by, the comparison, and the order.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { daysOf, type Period, periods } from '../../parts/days.ts'
import { useReportDay } from '../../parts/time-zone.ts'
import { text } from '../../texts/reports.ts'

export interface ReportState {
  /** One of `periods`; undefined for other days. */
  readonly period: Period | undefined
  readonly from: string
  readonly to: string
  readonly by: string
  readonly thenBy: string | undefined
  readonly isCompared: boolean
  /** The column, `-` first for the greatest at the top; undefined for the usual order. */
  readonly sort: string | undefined
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** The state in the address, and a function to change parts of it. */
export function useReportState(): readonly [ReportState, (change: Partial<ReportState>) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const today = useReportDay()
  const known = new Set<unknown>(text.dimensions.map(({ value }) => value))
  const period = periods.find((one) => one === search.period)
  const isOther = period === undefined && isDay(search.from) && isDay(search.to)
  const [from, to] = isOther ? [search.from as string, search.to as string] : daysOf(period ?? 'last30', today)
  const by = known.has(search.by) ? (search.by as string) : 'day'
  const state: ReportState = {
    period: isOther ? undefined : (period ?? 'last30'),
    from,
    to,
    by,
    thenBy: known.has(search.and) && search.and !== by ? (search.and as string) : undefined,
    isCompared: search.compare !== false,
    sort: typeof search.sort === 'string' ? search.sort : undefined,
  }
  const change = (part: Partial<ReportState>) => {
    const next = { ...state, ...part }
    // Other groups have other columns.
    const isOtherGroup = part.by !== undefined || 'thenBy' in part
    void navigate({
      to: '.',
      replace: true,
      search: {
        ...(next.period === undefined ? { from: next.from, to: next.to } : { period: next.period }),
        by: next.by,
        ...(next.thenBy !== undefined && { and: next.thenBy }),
        ...(!next.isCompared && { compare: false }),
        ...(next.sort !== undefined && !isOtherGroup && { sort: next.sort }),
      } as never,
    })
  }
  return [state, change]
}
