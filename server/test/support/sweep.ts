// What sweeps over all routes share: a company with a record of each resource, the record that a route serves, and all that a company has.
import assert from 'node:assert/strict'
import type { Route } from '../../src/http/route.ts'
import { fullBody } from './bodies.ts'
import { closingResourceOf, makeClosing } from './closing-routes.ts'
import { type Body, contracts } from './contract.ts'
import { stockCustomTables } from './custom-table-routes.ts'
import { exportDone, isOfExports } from './exports.ts'
import { isOfExtensions, makeExtension } from './extensions.ts'
import { attachmentWithFile, isOfFiles } from './files.ts'
import { csvOf, isOfImports, reached, sent, shirt } from './imports.ts'
import { until } from './program.ts'
import { servedBy } from './routes.ts'
import type { Company, TestService } from './service.ts'

/** A body that is JSON, for routes with one: these checks happen before the body is read. */
export const someBody = ({ body }: Route) => (body ? {} : undefined)

/** A key of the right form that was never made. */
export const nowhere = 'posk_000000000000000000000000000000000000'

/** The id of the existing record that a route serves. */
export const idOf = (route: Route, records: ReadonlyMap<string, Body>): string | undefined =>
  records.get(
    isOfExtensions(route)
      ? 'extension'
      : isOfImports(route)
        ? 'import'
        : isOfExports(route)
          ? 'export'
          : isOfFiles(route)
            ? 'file'
            : (servedBy(route)?.one ?? closingResourceOf(route) ?? ''),
  )?.id

/** What makes companies with records on a service, and shows all that they have. */
export const companiesOf = (service: Pick<TestService, 'database' | 'company'>) => ({
  /** A company with one full record of each resource. */
  async stocked(): Promise<{ company: Company; records: Map<string, Body> }> {
    const company = await service.company()
    const records = new Map<string, Body>()
    for (const contract of contracts) {
      const reply = await company.call('POST', `/v1/${contract.one}`, fullBody(contract))
      assert.equal(reply.status, 201, reply.text)
      records.set(contract.one, reply.body)
    }
    const { ids } = await stockCustomTables(company.call)
    for (const [name, id] of Object.entries(ids)) records.set(name, { id })
    records.set('closing', await makeClosing(company.call))
    records.set('extension', await makeExtension(company.call))
    const { id } = await sent(company.call, csvOf(shirt))
    records.set('import', await reached(company.call, id, 'ready'))
    records.set('export', { id: await exportDone(company.call) })
    records.set('file', { id: await attachmentWithFile(company.call) })
    return { company, records }
  },

  /** All rows of a company in the database, including events, after its initial work is done. */
  async everythingOf(companyId: string): Promise<unknown> {
    await until('the company is a customer of the payment processor', async () => {
      const [row] = await service.database.query('select state from payment_customers where company_id = $1', [
        companyId,
      ])
      return row?.[0] === 'done'
    })
    const tables = await service.database.query(
      `select table_name from information_schema.columns where column_name = 'company_id' and table_schema = 'public'
       and table_name not like 'events\\_%' and table_name not in ('api_keys', 'key_requests') order by 1`,
    )
    const all: Record<string, unknown> = {}
    for (const [table] of tables)
      all[table] = await service.database.query(
        `select to_json(stored)::text from ${table} as stored where company_id = $1 order by 1`,
        [companyId],
      )
    return all
  },
})
