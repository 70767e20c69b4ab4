// A chosen point in time: after a number of hours, or at a date and time.
import { useRef, useState } from 'react'
import { browserTimeZone } from '../../parts/days.ts'
import { localOf, timeOf } from '../../parts/local-time.ts'

interface Moment {
  /** A number of hours; `none`; or `at`, a typed time. */
  readonly choice: string
  readonly setChoice: (choice: string) => void
  readonly typed: string
  readonly setTyped: (typed: string) => void
  /** The time zone of the typed time. */
  readonly timeZone: string
  /** The chosen time, fixed at the first request, so that a retry sends the same. Undefined: none. */
  readonly at: () => string | undefined
  /** Whether a time must be typed and is missing. */
  readonly isMissing: boolean
}

const hour = 60 * 60 * 1000

/** `choice` is the initial one; a choice that is neither a number of hours nor `at` means no time. */
export function useMoment(choice: string, typedHours: number, timeZone = browserTimeZone()): Moment {
  const [chosen, setChoice] = useState(choice)
  const [typed, setTyped] = useState(() => localOf(Date.now() + typedHours * hour, timeZone))
  const asked = useRef<{ readonly choice: string; readonly at: number }>(undefined)
  const isTyped = chosen === 'at'
  const typedTime = timeOf(typed, timeZone)
  return {
    choice: chosen,
    setChoice,
    typed,
    setTyped,
    timeZone,
    at: () => {
      if (isTyped) return typedTime
      const hours = Number(chosen)
      if (Number.isNaN(hours)) return undefined
      if (asked.current?.choice !== chosen) asked.current = { choice: chosen, at: Date.now() + hours * hour }
      return new Date(asked.current.at).toISOString()
    },
    isMissing: isTyped && typedTime === undefined,
  }
}
