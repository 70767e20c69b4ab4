// An alert: its kinds, what each says, and the SQL that stores one that happened once.
import { newId } from '../../core/ids.ts'
import type { LowLevel } from '../inventory/low-stock.ts'

/** The kinds. A person can switch off each of them. */
export const alertKinds = ['webhook', 'import', 'stock', 'session'] as const
export type AlertKind = (typeof alertKinds)[number]

/** `open` until `recovered`, for a lasting state; `done` for something that happened once. */
export const alertStates = ['open', 'recovered', 'done'] as const

/** A level of stock in an alert. */
export type AlertLevel = Omit<LowLevel, 'inventoryId' | 'sku'>

/** What an alert says, by kind. */
export type AlertDetails =
  | {
      readonly kind: 'webhook'
      readonly triggerId: string
      readonly name?: string
      readonly host: string
      readonly since: string
      /** It was switched off by the service, for this reason. */
      readonly offReason?: string
    }
  | {
      readonly kind: 'import'
      readonly importId: string
      readonly fileName: string
      readonly problem?: string
      readonly refused: number
    }
  | { readonly kind: 'stock'; readonly below: number; readonly count: number; readonly levels: readonly AlertLevel[] }
  | {
      readonly kind: 'session'
      readonly sessionId: string
      readonly sessionNumber?: string
      readonly stationName?: string
      readonly outletName?: string
      readonly differences: readonly {
        readonly currency: string
        readonly paymentMethod: string
        readonly difference: string
      }[]
    }

/** The parameters of `happened`, after the company's. */
export const happenedValues = (kind: AlertKind, cause: string): readonly string[] => [newId(), kind, cause]

/**
 * SQL that stores an alert about what happened once, for each row of `from`, in the statement or transaction of the cause.
 * The company is $1, and the parameters of `happenedValues` begin with number `first`; `details` is an expression of JSON.
 */
export const happened = (from: string, first: number, details: string): string =>
  `insert into alerts (company_id, id, kind, cause, state, details, created_at, updated_at, mail_at)
   select $1, $${first}::text, $${first + 1}::text, $${first + 2}::text, 'done', ${details}, now(), now(), now() from ${from}`
