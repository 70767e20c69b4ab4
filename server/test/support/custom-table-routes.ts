// Requests for the routes of custom tables, as the sweeps need them: each with what has to be there before it.
import type { Route } from '../../src/http/route.ts'
import { newReference } from './bodies.ts'
import type { Body } from './contract.ts'
import { makeTable, succeeded } from './custom-tables.ts'
import { pathOf } from './routes.ts'
import type { Caller } from './service.ts'

const prefix = '/v1/api/custom-table'

/** True of the routes of tables, fields, rows, values, and rows by the table's name. */
export const isOfCustomTables = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith(prefix)

/** `custom-table-row`: the resource that a route of a record serves. */
export const customResourceOf = ({ path }: Route): string => path.replace(/^\/v1\/api\//, '').replace(/\/\{id\}$/, '')

/** The ids of a table of the company, and of a field, a row and a value of it. */
export async function stockCustomTables(call: Caller) {
  const table = await makeTable(call, { a: 'string', free: 'string' })
  const rowId = await table.row({ a: 'one' })
  const [value] = succeeded(await call('GET', `${prefix}-values?rowId=${rowId}`))
  const ids: Record<string, string> = {
    'custom-table': table.id,
    'custom-table-field': table.fields.a as string,
    'custom-table-row': rowId,
    'custom-table-value': value._id.$oid,
  }
  return { table, rowId, ids }
}

/** A request that succeeds: with the minimum of members, or with all. */
export async function customRequest(call: Caller, route: Route, isFull = true): Promise<{ path: string; body?: Body }> {
  const { table, rowId, ids } = await stockCustomTables(call)
  const spot = { tableId: table.id, rowId, fieldId: table.fields.free }
  const bodies: Record<string, Body> = {
    'custom-table': { name: `t-${newReference()}`, ...(isFull && { description: 'x', metadata: [{ key: 'a' }] }) },
    'custom-table-field': {
      tableId: table.id,
      name: newReference(),
      type: 'string',
      ...(isFull && { required: false, defaultValue: 'x', referenceLinkedCollection: 'x', referenceLinkedField: 'y' }),
    },
    'custom-table-row': { tableId: table.id },
    'custom-table-value': { ...spot, value: 'x' },
  }
  const { method, path } = route
  if (path.includes('{tableName}')) {
    const body = method === 'POST' || method === 'PUT' ? { body: isFull ? { a: 'two', free: 'x' } : {} } : {}
    return { path: path.replace('{tableName}', table.name).replace('{rowId}', rowId), ...body }
  }
  const name = customResourceOf(route)
  if (method === 'GET' && !path.includes('{'))
    return { path: `${path}?${path.includes('fields') ? `tableId=${table.id}` : ''}` }
  if (method === 'POST') return { path, body: bodies[name] as Body }
  const change =
    name === 'custom-table-value'
      ? { value: 'two' }
      : name === 'custom-table-row'
        ? {}
        : { name: `n-${newReference()}` }
  return { path: pathOf(route, ids[name]), ...(method === 'PUT' && { body: isFull ? change : {} }) }
}
