// How the values of a column are read, shown, typed and cleared; all values of a sheet are numbers.
import type { Unreadable } from '../unreadable.ts'

export interface ValueFormat {
  /** The value in a typed or pasted text, or why there is none. */
  readonly read: (typed: string) => number | Unreadable
  /** For display, such as `1,234.5`. */
  readonly shown: (value: number) => string
  /** For editing and for the clipboard. */
  readonly typed: (value: number) => string
  /** What Delete sets; undefined removes the value. */
  readonly cleared: number | undefined
  /** 0 or 1: a key switches it, and there is no editor. */
  readonly isFlag?: boolean
}

/** A column of a sheet. */
export interface Head {
  readonly id: string
  readonly name: string
  readonly format: ValueFormat
}

/** The text of a value, or a dash if there is none. */
export const shownIn = ({ shown }: ValueFormat, value: number | undefined): string =>
  value === undefined ? '–' : shown(value)
