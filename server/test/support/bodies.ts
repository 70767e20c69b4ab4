// Bodies made from the contract's table, and what the records that they become must look like.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Body, Contract } from './contract.ts'

/** A reference that appears nowhere else. */
export const newReference = (): string => randomBytes(12).toString('hex')

/** Values for the members that must be unique. */
const distinct = ({ unique = [] }: Contract): Body =>
  Object.fromEntries(unique.map((member) => [member, newReference()]))

/** Whether a member is unique among records. */
export const isAlone = ({ unique = [] }: Contract, member: string): boolean => unique.join() === member

/** Only what decisions §2 requires on create. */
export function leastBody(contract: Contract): Body {
  const { members, oneOf = [] } = contract
  const needed = Object.keys(members).filter((member) => members[member]?.required || member === oneOf[0])
  return { ...Object.fromEntries(needed.map((member) => [member, members[member]?.values[0]])), ...distinct(contract) }
}

/** Every member that a caller can set, with the first or the second of its values. */
export function fullBody(contract: Contract, n: 0 | 1 = 0): Body {
  const all = Object.entries(contract.members).map(([member, { values }]) => [member, values[n]])
  return { ...Object.fromEntries(all), ...distinct(contract) }
}

/** The members of the record for a body, besides id, times and company. */
export function shown({ one, always }: Contract, body: Body): Body {
  const set = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  return { ...always, ...set, ...(one === 'customer' && { fromService: set.externalId !== undefined }) }
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Checks a record against its body: every member is there, and none that was not sent. */
export function assertRecord(record: Body, contract: Contract, body: Body, companyId: string): void {
  const { id, createdAt, updatedAt, companyId: company, ...own } = record
  assert.match(id, /^[0-9a-f]{24}$/)
  assert.match(createdAt, time)
  assert.match(updatedAt, time)
  assert.ok(updatedAt >= createdAt)
  // An account is the one record without it (pos-api.md).
  assert.equal(company, contract.one === 'account' ? undefined : companyId)
  assert.deepEqual(own, shown(contract, body))
}

/** The same JSON with the members of all its objects in reverse order: some clients sort or shuffle them. */
export function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, content]) => [name, backwards(content)])
  return Object.fromEntries(members.reverse())
}
