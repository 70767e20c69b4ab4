// A point in time that somebody chooses: after so many hours, or by date and clock.
import { useRef, useState } from 'react'
import { localOf, timeOf } from '../../parts/local-time.ts'

interface Moment {
  /** A number of hours; `none`; or `at`, a time that is typed. */
  readonly choice: string
  readonly setChoice: (choice: string) => void
  readonly typed: string
  readonly setTyped: (typed: string) => void
  /** The time that is chosen, from when it was asked for first: another try of the same has to send the same. Undefined: none. */
  readonly at: () => string | undefined
  /** Whether a time is to be typed and is not. */
  readonly isMissing: boolean
}

const hour = 60 * 60 * 1000

/** `choice` is the first one; anything that is no number of hours, but `at`, is no time. */
export function useMoment(choice: string, typedHours: number): Moment {
  const [chosen, setChoice] = useState(choice)
  const [typed, setTyped] = useState(() => localOf(Date.now() + typedHours * hour))
  const asked = useRef<{ readonly choice: string; readonly at: number }>(undefined)
  const isTyped = chosen === 'at'
  const typedTime = timeOf(typed)
  return {
    choice: chosen,
    setChoice,
    typed,
    setTyped,
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
