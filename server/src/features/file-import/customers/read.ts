// Reads the rows of a customer file: one customer each.

import { VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { addressOf, namesIn } from '../addresses.ts'
import { brokenRow, note, type RefusedEntry, type RowView, refused, refuseRepeated } from '../columns.ts'
import type { CsvFile } from '../csv.ts'
import { type Metadatum, some } from '../merge.ts'
import { tableRows } from '../table.ts'
import { codeOf, decimalOf, listOf, present, Refusal, textOf } from '../values.ts'
import type { CustomerMember, CustomerTable } from './layouts.ts'

/** A customer of a file. */
export interface ImportedCustomer {
  readonly kind: 'customer'
  readonly line: number
  /** The id in the shop, or a phone number if it is all that identifies the customer; absent if the e-mail address does. */
  readonly externalId: string | undefined
  readonly customer: JsonObject
  /** A remark, which is added to those of the staff. */
  readonly note: string | undefined
}

type Row = RowView<CustomerMember>

/** Cells that say nothing. */
const SILENT = ['no', 'false', '0', '0.00']

/** The customers of a file; refuses one that an earlier line has. */
export async function* readCustomers(
  file: CsvFile,
  table: CustomerTable,
): AsyncGenerator<ImportedCustomer | RefusedEntry> {
  const { columns, view } = tableRows(file, table)
  const seen = new Map<string, number>()
  for await (const raw of file.rows()) {
    if ('problem' in raw) {
      yield brokenRow(raw)
      continue
    }
    const row = view(raw)
    try {
      const notes = columns.others.flatMap(({ at }) => note(row.at(at), SILENT))
      const entry = customerOf(row, table, notes, file.separator)
      const key = entry.externalId ?? String(entry.customer.email).toLowerCase()
      refuseRepeated(seen, key, row.line, row.cell(entry.externalId === undefined ? 'email' : 'id').heading || 'phone')
      yield entry
    } catch (cause) {
      yield refused(row.line, cause)
    }
  }
}

function customerOf(row: Row, table: CustomerTable, notes: Metadatum[], separator: string): ImportedCustomer {
  const { cell, line } = row
  const email = textOf(cell('email'))
  const phone = codeOf(cell('phone'))
  const own = codeOf(cell('id'))
  if (own === undefined && email === undefined && phone === undefined)
    throw new Refusal('the row has no id, e-mail address or phone number, so a later import could not find it again')
  const id = own ?? (email === undefined ? phone : undefined)
  const names = namesIn(textOf(cell('name')))
  const [firstName, lastName] = [
    textOf(cell('firstName')) ?? names.firstName,
    textOf(cell('lastName')) ?? names.lastName,
  ]
  const customer = present<JsonObject>({
    email,
    firstName,
    lastName,
    phone,
    totalSpent: decimalOf(cell('totalSpent'), separator),
    tags: some(listOf(cell('tags'), VOCABULARY_CHARACTERS)),
    billing: addressOf(row, 'billing'),
    shipping: addressOf(row, 'shipping'),
    source: table.source,
    metadata: some(notes),
  })
  const externalId = id === undefined ? undefined : `${table.prefix}${id}`
  return { kind: 'customer', line, externalId, customer, note: textOf(cell('note')) }
}
