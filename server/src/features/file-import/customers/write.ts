// Finds the stored customers for a batch of a file, decides what they should become, and writes them.

import { Problem } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { loadEntries } from '../entries.ts'
import type { Loading } from '../load.ts'
import { merged } from '../merge.ts'
import { type ImportDraft, objectionTo, reasonOf } from '../records.ts'
import { findOldest, type LookupScope, type Stored } from '../stored.ts'
import { columnsOf } from '../table.ts'
import type { CustomerMember, CustomerTable } from './layouts.ts'
import { type ImportedCustomer, readCustomers } from './read.ts'

/** Loads a customer file into a company. */
export async function loadCustomers(table: CustomerTable, loading: Loading): Promise<void> {
  const { file } = loading.load
  const membersSet = membersWith(Object.keys(columnsOf(file, table).at) as CustomerMember[])
  await loadEntries(loading, readCustomers(file, table), {
    objection: (entry) => objectionTo('customers', recordOf(entry)),
    refuse: (_, first) => loading.refuse(first),
    write: (batch, metadataKeys) => writeCustomers(loading, membersSet, metadataKeys, batch),
  })
}

/** The members of a customer that columns set. */
function membersWith(columns: readonly CustomerMember[]): string[] {
  const members = columns.map((column) => column.split('.')[0] as string)
  const names = members.includes('name') ? ['firstName', 'lastName'] : []
  return [...members, ...names].filter((member) => member !== 'id' && member !== 'name' && member !== 'note')
}

const recordOf = ({ customer, externalId, note }: ImportedCustomer): JsonObject => ({
  ...customer,
  ...(externalId !== undefined && { externalId }),
  ...(note !== undefined && { notes: [{ message: note }] }),
})

interface CustomerDraft extends ImportDraft {
  readonly line: number
}

async function writeCustomers(
  { place, records, refuse }: Loading,
  membersSet: readonly string[],
  metadataKeys: ReadonlySet<string>,
  batch: readonly ImportedCustomer[],
): Promise<void> {
  const byId = await findCustomers(place, 'external_id', batch.flatMap(({ externalId }) => externalId ?? [])) // biome-ignore format: one thought
  const rest = batch.filter(({ externalId }) => externalId === undefined || !byId.has(externalId))
  const byEmail = await findCustomers(place, 'email', rest.flatMap(({ customer }) => emailsOf(customer.email))) // biome-ignore format: one thought
  const taken = new Set<string>()
  const drafts = batch.map((entry): CustomerDraft => {
    const stored = storedOf(entry, byId, byEmail, taken)
    if (stored) taken.add(stored.id)
    const record = merged(stored?.record, recordOf(entry), membersSet, metadataKeys)
    if (stored) Object.assign(record, keptOf(stored.record, entry))
    return { line: entry.line, stored, record }
  })
  for (const [{ line }, outcome] of await records.put('customers', drafts))
    if (outcome instanceof Problem) refuse({ line, reason: reasonOf(outcome) })
}

/** E-mail addresses are stored as they were given: the one in the file is tried as it is, and in lower case. */
export const emailsOf = (email: unknown): string[] =>
  typeof email === 'string' ? [...new Set([email, email.toLowerCase()])] : []

/** The stored customer of an entry: the one with its id, else one with its e-mail address that has no other id. */
function storedOf(
  { externalId, customer }: ImportedCustomer,
  byId: ReadonlyMap<string, Stored>,
  byEmail: ReadonlyMap<string, Stored>,
  taken: ReadonlySet<string>,
): Stored | undefined {
  const own = externalId === undefined ? undefined : byId.get(externalId)
  if (own) return own
  return emailsOf(customer.email)
    .flatMap((email) => byEmail.get(email) ?? [])
    .find(({ id, record }) => !taken.has(id) && (externalId === undefined || record.externalId === undefined))
}

/**
 * Members that a file only adds to, and does not replace: the id, where the customer was first recorded, and remarks.
 */
function keptOf(stored: JsonObject, { externalId, customer, note }: ImportedCustomer): JsonObject {
  const notes = (stored.notes ?? []) as { readonly message?: unknown }[]
  const isKnown = note === undefined || notes.some((own) => own?.message === note)
  return {
    ...(externalId !== undefined && { externalId }),
    source: stored.source ?? customer.source,
    ...(!isKnown && { notes: [...notes, { message: note }] }),
  }
}

/**
 * The live customers with these ids or e-mail addresses. Of several, one without an id of another system is preferred,
 * then the oldest.
 */
export const findCustomers = (
  place: LookupScope,
  column: 'external_id' | 'email',
  wanted: readonly string[],
): Promise<Map<string, Stored>> =>
  findOldest(
    place,
    {
      ...{ table: 'customers', column, condition: 'not stored.is_deleted' },
      ...(column === 'email' && { first: `stored.external_id <> ''` }),
    },
    wanted,
  )
