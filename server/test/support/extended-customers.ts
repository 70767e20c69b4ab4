// Customers that a company's own table extends, for tests: the table, and what both show of it.
import assert from 'node:assert/strict'
import type { Body } from './contract.ts'
import { type MadeTable, makeTable, succeeded } from './custom-tables.ts'
import type { Caller, Company, TestService } from './service.ts'

export const upTo = (end: number): number[] => Array.from({ length: end }, (_, n) => n)

export const link = { type: 'string', required: true, referenceLinkedCollection: 'customers' }
/** A column of each type. */
export const loyal = {
  customer: link,
  tier: 'string',
  points: 'number',
  since: 'date',
  isVip: 'boolean',
  more: 'json-string',
}

interface Extended extends Company {
  readonly table: MadeTable
  readonly elsewhere: Caller
}

/** Makes companies of a service whose customers a table extends. */
export function extendedBy(service: Pick<TestService, 'caller' | 'company'> & { second(): Promise<{ url: string }> }) {
  /** The same company through a second server on the same database. */
  async function elsewhereOf(key: string): Promise<Caller> {
    return service.caller({ 'x-api-key': key }, (await service.second()).url)
  }

  /** A company with the table `loyalty`, called through either server. */
  async function extended(
    columns: Readonly<Record<string, string | Body>> = loyal,
    name = 'loyalty',
  ): Promise<Extended> {
    const company = await service.company()
    const table = await makeTable(company.call, columns, name)
    return { ...company, table, elsewhere: await elsewhereOf(company.key) }
  }
  return { extended, elsewhereOf }
}

/** Fails unless the rows by the table's name match what the customer shows. */
export async function assertAgrees(
  call: Caller,
  table: MadeTable,
  id: string,
  expected: Body | undefined,
): Promise<void> {
  const shown = succeeded(await call('GET', `/v1/customer/${id}`))[table.name]
  const own = succeeded(await call('GET', table.path)).filter(({ customer }: Body) => customer === id)
  assert.deepEqual(shown, expected)
  assert.equal(own.length, expected === undefined ? 0 : 1)
  if (expected === undefined) return
  const { _id, createdAt, updatedAt, customer, ...columns } = own[0]
  assert.deepEqual(columns, expected)
  const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${_id.$oid}`))
  const texts = values.map(({ fieldId, value }: Body) => [fieldId.$oid, value])
  const wanted = Object.entries({ ...expected, customer: id }).map(([name, value]) => [table.fields[name], `${value}`])
  assert.deepEqual(texts.sort(), wanted.sort())
}
