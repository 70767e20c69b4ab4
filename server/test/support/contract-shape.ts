// What the table of the contract says of a resource.
import type { Kind } from './kinds.ts'

export type Body = Record<string, any>

/** A resource as the contract describes it. */
export interface Contract {
  /** In Style B paths and event types. */
  readonly one: string
  readonly many: string
  readonly styleA: { readonly one: readonly string[]; readonly list: string } | null
  /** Members that a caller sets. */
  readonly members: Readonly<Record<string, Kind>>
  /** At least one of these on create. */
  readonly oneOf?: readonly string[]
  /** Members that a record shows though no caller set them. */
  readonly always: Body
  /** Deleting flags the record. */
  readonly isSoft?: true
  /** Members whose values together are unique among records. */
  readonly unique?: readonly string[]
  readonly exact: readonly string[]
  readonly any?: readonly string[]
  readonly sort: readonly string[]
  readonly search: readonly string[]
  readonly range?: readonly string[]
}
