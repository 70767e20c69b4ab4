// What a job is: what a person does in the console, and the check of what the API then has.
import assert from 'node:assert/strict'
import type { Person } from './person.ts'
import type { Shop } from './shop.ts'

export interface Place {
  readonly shop: Shop
  /** Opens the start page in another browser, for a person with another role or without an account. */
  readonly as: (who: 'viewer' | 'stranger', path?: string) => Promise<Person>
}

export interface Job {
  readonly name: string
  /** Ends when the person sees that it is done. What it returns is checked without being timed. */
  readonly run: (person: Person, place: Place) => Promise<Check>
  /** Prepares what happens before the person comes. */
  readonly prepare?: (place: Place) => Promise<void>
}

/** Throws if the API does not have the result. */
type Check = () => Promise<void>

/** Fails the job if a value is not what it must be. */
export function expect(what: string, value: unknown, wanted: unknown): void {
  assert.deepEqual(value, wanted, what)
}
