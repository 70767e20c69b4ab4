// Finds the stored customers for a batch of a file, decides what they should become, and writes them.

import { Problem } from '../../../core/problem.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { JsonObject } from '../../../engine/record.ts'
import type { Stored } from '../catalog/stored.ts'
import { noteKey } from '../columns.ts'
import { inBatches, type Loading } from '../load.ts'
import { merged } from '../merge.ts'
import { type Draft, objectionTo, reasonOf } from '../records.ts'
import { columnsOf, refusalIn } from '../table.ts'
import type { CustomerMember, CustomerTable } from './layouts.ts'
import { type ImportedCustomer, readCustomers } from './read.ts'

/** Loads a customer file into a company. */
export async function loadCustomers(table: CustomerTable, loading: Loading): Promise<void> {
  const { load, refuse, followed } = loading
  const { at } = columnsOf(load.file, table)
  const membersSet = membersWith(Object.keys(at) as CustomerMember[])
  const metadataKeys = new Set(load.file.headings.map(noteKey))
  async function* accepted() {
    for await (const entry of followed(readCustomers(load.file, table), 1, 1)) {
      const wrong = entry.kind === 'refused' ? undefined : objectionTo('customers', recordOf(entry))
      if (entry.kind === 'refused') refuse(entry)
      else if (wrong !== undefined) refuse(refusalIn(load, entry.line, wrong))
      else yield entry
    }
  }
  await inBatches(accepted(), (batch) => writeCustomers(loading, membersSet, metadataKeys, batch))
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

interface CustomerDraft extends Draft {
  readonly line: number
}

async function writeCustomers(
  { place, records, refuse }: Loading,
  membersSet: readonly string[],
  metadataKeys: ReadonlySet<string>,
  batch: readonly ImportedCustomer[],
): Promise<void> {
  const { database, scope } = place
  const byId = await findCustomers(database, scope, 'external_id', batch.flatMap(({ externalId }) => externalId ?? [])) // biome-ignore format: one thought
  const rest = batch.filter(({ externalId }) => externalId === undefined || !byId.has(externalId))
  const byEmail = await findCustomers(database, scope, 'email', rest.flatMap(({ customer }) => emailsOf(customer.email))) // biome-ignore format: one thought
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

/** What a file adds to, but does not replace: the id, where the customer was first recorded, and remarks. */
function keptOf(stored: JsonObject, { externalId, customer, note }: ImportedCustomer): JsonObject {
  const notes = (stored.notes ?? []) as { readonly message?: unknown }[]
  const isKnown = note === undefined || notes.some((own) => own?.message === note)
  return {
    ...(externalId !== undefined && { externalId }),
    source: stored.source ?? customer.source,
    ...(!isKnown && { notes: [...notes, { message: note }] }),
  }
}

/** The live customers with these ids or e-mail addresses; of several the oldest, first one without an id of another system. */
export async function findCustomers(
  database: Queryable,
  { companyId }: Scope,
  column: 'external_id' | 'email',
  wanted: readonly string[],
): Promise<Map<string, Stored>> {
  if (wanted.length === 0) return new Map()
  const rows = await database.query(
    `select item.wanted, found.id, found.body
     from unnest($1::text[], $2::text[]) as item(company_id, wanted)
     cross join lateral (
       select stored.id, stored.body from customers as stored
       where stored.company_id = item.company_id and stored.${column} = item.wanted and not stored.is_deleted
       order by ${column === 'email' ? `stored.external_id <> '', ` : ''}stored.created_at, stored.id limit 1
     ) as found`,
    [wanted.map(() => companyId), wanted],
  )
  return new Map(rows.map(([key, id, body]) => [key, { id, record: JSON.parse(body) }]))
}
