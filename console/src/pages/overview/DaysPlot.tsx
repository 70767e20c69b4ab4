// A bar chart of values by day or another part of time, drawn by hand: a chart library would be larger than the page.

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { locale } from '../../language.ts'
import { money, number } from '../../parts/format.ts'
import { text } from '../../texts/overview.ts'
import classes from './DaysPlot.module.css'
import { ticksOf } from './scale.ts'

interface DaysPlotProps {
  readonly days: readonly {
    readonly date: string
    readonly value: number
    /** In the period before: a line across the bar. */
    readonly before?: number
  }[]
  readonly title: string
  /** Without it the values are counts. */
  readonly currency?: string | undefined
  /** What a place of the axis is called, below it and when it is pointed at; dates by default. */
  readonly nameOf?: (date: string, isLong: boolean) => string
}

const dayName = (date: string, isLong: boolean): string =>
  onDay(date, isLong ? { weekday: 'short', day: 'numeric', month: 'long' } : { day: 'numeric', month: 'short' })

/** A date alone has no time zone. */
export const onDay = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(date))

/** A number of the axis, written exactly: ticks have three significant digits at most. */
const short = (value: number, currency: string | undefined): string =>
  new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
    ...(currency !== undefined && { style: 'currency', currency }),
  }).format(value)

const percent = (share: number): string => `${share * 100}%`

/** The day that is pointed at, by pointer or by keyboard. */
function useDay(count: number) {
  const [at, setAt] = useState<number>()

  function point(event: PointerEvent<HTMLElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - left) / width) * count))))
  }

  /** The same by keyboard: day to day, first, last, and none. */
  function step(event: KeyboardEvent) {
    const { key, altKey, ctrlKey, metaKey } = event
    // Shortcuts of the browser.
    if (altKey || ctrlKey || metaKey) return
    const last = count - 1
    const next = {
      ArrowLeft: Math.max(0, (at ?? count) - 1),
      ArrowRight: Math.min(last, (at ?? -1) + 1),
      Home: 0,
      End: last,
    }[key]
    if (next === undefined && key !== 'Escape') return
    event.preventDefault()
    setAt(next)
  }

  return { at, setAt, point, step }
}

export function DaysPlot({ days, title, currency, nameOf = dayName }: DaysPlotProps) {
  const { at, setAt, point, step } = useDay(days.length)
  const chosen = at === undefined ? undefined : days[at]
  const ticks = ticksOf(
    days.flatMap(({ value, before = 0 }) => [value, before]),
    currency === undefined,
  )
  const share = 1 / days.length
  const shown = (value: number) => (currency === undefined ? number(value) : money(value, currency))

  return (
    <div className={classes.frame}>
      <div className={classes.values} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick}>{short(tick, currency)}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, since nothing is entered. */}
      <div
        className={classes.plot}
        role="group"
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through its days.
        tabIndex={0}
        data-chosen={chosen && true}
        onPointerMove={point}
        onPointerDown={point}
        // A lifted finger also leaves, but its value is yet to be read.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={step}
      >
        <Bars {...{ days, ticks, at }} />
        <div role="status">
          {at !== undefined && chosen && (
            <div
              className={classes.tip}
              style={
                at < days.length / 2
                  ? { left: `calc(${percent((at + 1) * share)} + 4px)` }
                  : { right: `calc(${percent(1 - at * share)} + 4px)` }
              }
            >
              {nameOf(chosen.date, true)}
              <strong>{shown(chosen.value)}</strong>
              {chosen.before !== undefined && text.periodBefore(shown(chosen.before))}
            </div>
          )}
        </div>
      </div>
      <Dates {...{ days, nameOf }} />
    </div>
  )
}

/** At most eight dates, half of them on narrow screens. */
function Dates({ days, nameOf }: Required<Pick<DaysPlotProps, 'days' | 'nameOf'>>) {
  const share = 1 / days.length
  const apart = Math.ceil(days.length / 8)
  return (
    <div className={classes.days} aria-hidden>
      {days.map(({ date }, n) => {
        const fromLast = days.length - 1 - n
        if (fromLast % apart !== 0) return null
        const isSecond = (fromLast / apart) % 2 === 1
        // A narrow bar at the end has no room for half of its date beside it.
        const isAtEnd = fromLast === 0 && days.length > 12
        const place = isAtEnd ? { right: 0 } : { left: percent((n + 0.5) * share) }
        return (
          <span key={date} style={place} data-end={isAtEnd || undefined} data-second={isSecond || undefined}>
            {nameOf(date, false)}
          </span>
        )
      })}
    </div>
  )
}

interface BarsProps extends Pick<DaysPlotProps, 'days'> {
  readonly ticks: readonly number[]
  /** The position of the chosen day. */
  readonly at: number | undefined
}

function Bars({ days, ticks, at }: BarsProps) {
  const lowest = ticks[0] as number
  const highest = ticks.at(-1) as number
  /** From the top, as a fraction of the height. */
  const heightOf = (value: number) => (highest - value) / (highest - lowest)
  const share = 1 / days.length
  const gap = days.length > 40 ? 0.2 : 0.3
  return (
    <svg aria-hidden="true">
      {ticks.map((tick) => (
        <line
          key={tick}
          x1="0"
          x2="100%"
          y1={percent(heightOf(tick))}
          y2={percent(heightOf(tick))}
          data-zero={tick === 0 || undefined}
        />
      ))}
      {days.map(({ date, value }, n) => (
        <rect
          key={date}
          className={classes.bar}
          data-chosen={n === at || undefined}
          x={percent((n + gap / 2) * share)}
          width={percent((1 - gap) * share)}
          y={percent(heightOf(Math.max(0, value)))}
          height={percent(Math.abs(value) / (highest - lowest))}
          rx="2"
        />
      ))}
      {days.map(
        ({ date, before }, n) =>
          before !== undefined &&
          before !== 0 && (
            <line
              key={date}
              className={classes.before}
              x1={percent((n + gap / 4) * share)}
              x2={percent((n + 1 - gap / 4) * share)}
              y1={percent(heightOf(before))}
              y2={percent(heightOf(before))}
            />
          ),
      )}
    </svg>
  )
}
