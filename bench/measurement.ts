// What a measurement is, and what measurements are made of: the words that all files of measurements share.
import type { Child } from './child.ts'
import type { Outcome } from './load.ts'
import type { Started } from './started.ts'

/** One line of the table. Figures are requests a second, or records a second where `records` is more than one. */
export interface Measurement {
  readonly name: string
  readonly connections: number
  /** Records that each request carries. */
  readonly records: number
  /** The least ratio to the limit that is wanted. */
  readonly target?: number
  readonly ours: (seconds: number) => Promise<Outcome>
  readonly limitName?: string
  /** Operations a second that the limit reaches. */
  readonly limit?: (seconds: number) => Promise<number>
  /** Finds out with how many connections the limit is at its best. */
  readonly prepareLimit?: (seconds: number) => Promise<void>
}

export interface Parts {
  readonly folder: string
  readonly service: Started
  /** The same service without a limit on requests, so and without ETags, with a limit that nobody reaches, and with one that everybody has reached. */
  readonly urls: {
    readonly unlimited: string
    readonly untagged: string
    /** Without the stock that a variant shows. */
    readonly unstocked: string
    readonly limited: string
    readonly refusing: string
  }
  readonly bareUrl: string
  readonly driver: Child
  readonly isQuick: boolean
}
