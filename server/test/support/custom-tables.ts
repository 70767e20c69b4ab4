// A custom table made in one call, as tests of rows and values need it.
import assert from 'node:assert/strict'
import { newReference } from './bodies.ts'
import type { Body } from './contract.ts'
import { assertProblem } from './problem.ts'
import type { Caller, Reply } from './service.ts'

/** A table, the ids of its fields by name, and calls to its rows. */
export interface MadeTable {
  readonly id: string
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
  /** `/v1/api/custom-table-data/{name}`. */
  readonly path: string
  /** Creates a row and returns its id. */
  row(columns?: Body): Promise<string>
  /** The row as the table's name shows it. */
  read(id: string): Promise<Body>
}

/** An id as custom tables send it. */
export const oid = (id: string): { $oid: string } => ({ $oid: id })

/** Creates a table with fields: a type for each name, or a whole body. */
export async function makeTable(
  call: Caller,
  columns: Readonly<Record<string, string | Body>>,
  name = `t-${newReference()}`,
): Promise<MadeTable> {
  const made = succeeded(await call('POST', '/v1/api/custom-table', { name }), 201)
  const id = made._id.$oid
  const fields: Record<string, string> = {}
  for (const [column, of] of Object.entries(columns)) {
    const body = { tableId: oid(id), name: column, ...(typeof of === 'string' ? { type: of } : of) }
    fields[column] = succeeded(await call('POST', '/v1/api/custom-table-field', body), 201)._id.$oid
  }
  const path = `/v1/api/custom-table-data/${name}`
  return {
    id,
    name,
    fields,
    path,
    row: async (values = {}) => succeeded(await call('POST', path, values), 201).rowId.$oid,
    read: async (row) => succeeded(await call('GET', `${path}/${row}`), 200),
  }
}

/** The body of a success. */
export function succeeded({ status, body, text }: Reply, expected = 200): any {
  assert.equal(status, expected, text)
  return body
}

export const tables = '/v1/api/custom-table'
export const fields = '/v1/api/custom-table-field'

/** The member that a 400 names first. */
export const refused = (reply: Parameters<typeof assertProblem>[0], about = ''): [string, string] => {
  const [error] = assertProblem(reply, 400, 'validation_failed', about).errors
  return [error.pointer, error.code]
}

/** The status of a list of a table's rows. */
export const dataStatus = async (call: Caller, name: string): Promise<number> =>
  (await call('GET', `/v1/api/custom-table-data/${name}`)).status
