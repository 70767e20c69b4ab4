// Creates the ids of records: 12 bytes in ObjectId layout, so that they sort by time and fit a custom table’s `{"$oid"}` (decisions §1); and names rows by them.
import { randomBytes, randomInt } from 'node:crypto'
import { idPattern } from './json-schema.ts'

const origin = randomBytes(5).toString('hex')
let counter = randomInt(0x1000000)
let second = 0
let prefix = ''
const form = new RegExp(idPattern)

/** Makes an id of 24 lower-case hexadecimal characters. It has 4 bytes of seconds, 5 random bytes of this process, and 3 bytes of a counter. */
export function newId(now: number = Date.now()): string {
  const seconds = Math.floor(now / 1000)
  if (seconds !== second) {
    second = seconds
    prefix = seconds.toString(16).padStart(8, '0') + origin
  }
  counter = (counter + 1) & 0xffffff
  return prefix + counter.toString(16).padStart(6, '0')
}

/** True when a text has the form of an id. */
export const isId = (value: string): boolean => form.test(value)

/** Names a row of a company: a record, a file, a job. */
export interface RowKey {
  readonly companyId: string
  readonly id: string
}
