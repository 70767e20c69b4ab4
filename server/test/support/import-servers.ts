// Acts as the servers that run imports, for tests of a service that runs none: leases a task, carries it out, dies with it.
import assert from 'node:assert/strict'
import { type ImportTask, type LeasedImport, lease } from '../../src/features/imports/leases.ts'
import { executeLeased, type WorkParts } from '../../src/features/imports/work.ts'
import { scopeOf } from '../../src/features/tenants/tenants.ts'
import type { Body } from './contract.ts'
import { csvOf, mugs, type Row, reached, sent } from './imports.ts'
import { until } from './program.ts'
import type { Company, TestService } from './service.ts'

export const hour = 60 * 60 * 1000
export const never = new AbortController().signal

/** What these servers do, on the database of a service. */
export function importServers(service: Pick<TestService, 'database'>) {
  const parts = (more: Partial<WorkParts> = {}): WorkParts => ({
    database: service.database,
    scopeOf,
    wrote: () => {},
    failed: () => {},
    ...more,
  })

  /** Leases a waiting task, as a server does; it is that of `company`. */
  async function leased(company: Company, task: ImportTask, leaseMs = hour): Promise<LeasedImport> {
    const found = await lease(service.database, [task], leaseMs)
    assert.equal(found?.companyId, company.id)
    return found as LeasedImport
  }

  /** Sends a file and has it checked; then it waits to be run. */
  async function waiting(company: Company, rows: readonly Row[] = mugs(1_200)): Promise<Body> {
    const job = await sent(company.call, csvOf(rows), 'run=true')
    await executeLeased(parts(), await leased(company, 'checking'), never)
    return reached(company.call, job.id, 'running')
  }

  /** Runs what waits until an import is done, like servers that check again and again; returns it. */
  async function runOut({ call }: Company, id: string): Promise<Body> {
    await until('the import is done', async () => {
      const next = await lease(service.database, ['running'], hour)
      if (next) await executeLeased(parts(), next, never)
      return (await call('GET', `/v1/imports/${id}`)).body.state === 'done'
    })
    return reached(call, id, 'done')
  }

  /** As if the server with the lease had died: the lease has expired. */
  const expire = ({ companyId, id }: LeasedImport) =>
    service.database.query('update imports set leased_until = now() where company_id = $1 and id = $2', [companyId, id])

  return { parts, leased, waiting, runOut, expire }
}
