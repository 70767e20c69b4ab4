// The messages between a server's primary process and its workers.
import type { Config } from '../config.ts'
import type { Connection } from '../database/connect.ts'
import type { Family } from '../metrics/instruments.ts'
import type { Loan, Want } from './quota-lender.ts'

/** What a worker serves with: the settings of the server, but not those that are for the primary alone. */
export interface WorkerSettings extends Omit<Config, 'workers' | 'metrics'> {
  readonly connection: Connection
  /** Whether the primary serves metrics, and asks for this worker's. */
  readonly isMeasured: boolean
}

/** From the primary to a worker. */
export type WorkerOrder =
  | { readonly kind: 'start'; readonly settings: WorkerSettings }
  | { readonly kind: 'lend'; readonly loans: readonly Loan[] }
  | { readonly kind: 'count' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' }

/** Why a worker could not start: the operator can correct it, or it is a bug. */
export interface StartFailure {
  readonly isOfOperator: boolean
  readonly message: string
  readonly stack: string | undefined
}

/** From a worker to the primary. */
export type WorkerReport =
  | { readonly kind: 'listening' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'borrow'; readonly wants: readonly Want[] }
  | { readonly kind: 'counted'; readonly families: readonly Family[] }
  | { readonly kind: 'failed'; readonly failure: StartFailure }
