// A measurement, and what measurements consist of: the types that all files of measurements share.
import type { Child } from './child.ts'
import type { Outcome } from './load.ts'
import type { Started } from './started.ts'

/** One line of the table. Figures are requests per second, or records per second where `records` is more than one. */
export interface Measurement {
  readonly name: string
  readonly connections: number
  /** Records in each request. */
  readonly records: number
  /** The minimum target ratio to the limit. */
  readonly target?: number
  readonly ours: (seconds: number) => Promise<Outcome>
  readonly limitName?: string
  /** Operations per second of the limit. */
  readonly limit?: (seconds: number) => Promise<number>
  /** Finds the best number of connections for the limit. */
  readonly prepareLimit?: (seconds: number) => Promise<void>
}

export interface Parts {
  readonly folder: string
  readonly service: Started
  /** The same service: without a rate limit, also without ETags; with a limit never reached; with one always reached. */
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
