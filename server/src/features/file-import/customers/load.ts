// The formats of customer files, and how all of them are loaded: reads a customer of each row, finds the stored ones for a
// batch, decides what they should become, and writes them.

import { VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import { Problem } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { addressOf, namesIn } from '../addresses.ts'
import type { CsvFile } from '../csv.ts'
import { cellAsMetadata, columnsOf, type RefusedEntry, type RowView, refuseRepeated, rowEntries } from '../layout.ts'
import { type Format, type Loading, loadEntries } from '../load.ts'
import { type ImportDraft, objectionTo, reasonOf } from '../records.ts'
import { findOldest, type LookupScope, merged, type Stored } from '../stored.ts'
import { codeOf, decimalOf, listOf, type Metadatum, presentMembers, Refusal, some, textOf } from '../values.ts'
import { type CustomerLayout, type CustomerMember, customerLayouts } from './layouts.ts'

export const customerFormats: readonly Format[] = customerLayouts.map((layout) => ({
  ...layout,
  load: (loading) => loadCustomers(layout, loading),
}))

/** Loads a customer file into a company. */
async function loadCustomers(layout: CustomerLayout, loading: Loading): Promise<void> {
  const { file } = loading.load
  const membersSet = membersWith(Object.keys(columnsOf(file, layout).at) as CustomerMember[])
  await loadEntries(loading, readCustomers(file, layout), {
    objection: (entry) => objectionTo('customers', recordOf(entry)),
    refuse: (_, first) => loading.refuse(first),
    write: (batch, metadataKeys) => writeCustomers(loading, membersSet, metadataKeys, batch),
  })
}

interface ImportedCustomer {
  readonly line: number
  /** The id in the shop, or a phone number if it is all that identifies the customer; absent if the e-mail address does. */
  readonly externalId: string | undefined
  readonly customer: JsonObject
  /** A remark, which is added to those of the staff. */
  readonly note: string | undefined
}

type CustomerRow = RowView<CustomerMember>

/** Cells that say nothing. */
const SILENT = ['no', 'false', '0', '0.00']

/** The customers of a file; refuses one that an earlier line has. */
function readCustomers(file: CsvFile, layout: CustomerLayout): AsyncGenerator<ImportedCustomer | RefusedEntry> {
  const columns = columnsOf(file, layout)
  const seen = new Map<string, number>()
  return rowEntries(file, columns, (row) => {
    const notes = columns.others.flatMap(({ at }) => cellAsMetadata(row.at(at), SILENT))
    const entry = customerOf(row, layout, notes, file.separator)
    const key = entry.externalId ?? String(entry.customer.email).toLowerCase()
    refuseRepeated(seen, key, row.line, row.cell(entry.externalId === undefined ? 'email' : 'id').heading || 'phone')
    return entry
  })
}

function customerOf(row: CustomerRow, layout: CustomerLayout, notes: Metadatum[], separator: string): ImportedCustomer {
  const { cell, line } = row
  const email = textOf(cell('email'))
  const phone = codeOf(cell('phone'))
  const own = codeOf(cell('id'))
  if (own === undefined && email === undefined && phone === undefined)
    throw new Refusal('the row has no id, e-mail address or phone number, so a later import could not find it again')
  const id = own ?? (email === undefined ? phone : undefined)
  const names = namesIn(textOf(cell('name')))
  const firstName = textOf(cell('firstName')) ?? names.firstName
  const lastName = textOf(cell('lastName')) ?? names.lastName
  const customer = presentMembers<JsonObject>({
    email,
    firstName,
    lastName,
    phone,
    totalSpent: decimalOf(cell('totalSpent'), separator),
    tags: some(listOf(cell('tags'), VOCABULARY_CHARACTERS)),
    billing: addressOf(row, 'billing'),
    shipping: addressOf(row, 'shipping'),
    source: layout.source,
    metadata: some(notes),
  })
  const externalId = id === undefined ? undefined : `${layout.prefix}${id}`
  return { line, externalId, customer, note: textOf(cell('note')) }
}

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
  const byId = await findCustomers(
    place,
    'external_id',
    batch.flatMap(({ externalId }) => externalId ?? []),
  )
  const rest = batch.filter(({ externalId }) => externalId === undefined || !byId.has(externalId))
  const byEmail = await findCustomers(
    place,
    'email',
    rest.flatMap(({ customer }) => emailsOf(customer.email)),
  )
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
      table: 'customers',
      column,
      condition: 'not stored.is_deleted',
      ...(column === 'email' && { first: `stored.external_id <> ''` }),
    },
    wanted,
  )
