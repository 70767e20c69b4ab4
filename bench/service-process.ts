// The service under test, as it is started for users, in a process of its own.
import pino from 'pino'
import { operations } from '../server/src/engine/operations.ts'
import { createCompany, createOrganization } from '../server/src/features/tenants/tenants.ts'
import { Problem } from '../server/src/http/problem.ts'
import { Scope } from '../server/src/http/scope.ts'
import { RATE_LIMIT_LEAST, RATE_LIMIT_MOST } from '../server/src/limits.ts'
import { customer } from '../server/src/resources/customer.ts'
import { type Service, startService } from '../server/src/service.ts'
import { serveParent } from './child.ts'
import { numbered, sampleBody } from './sample.ts'

/** A company with a key and the records that it begins with. */
export interface Company {
  readonly companyId: string
  readonly apiKey: string
  readonly ids: string[]
}

/** What the runner is told: where the service listens, and a company for each number of records asked for. */
export interface Started {
  readonly url: string
  /** The same service with a limit on requests that nobody reaches, and with one that everybody has reached. */
  readonly limitedUrl: string
  readonly refusingUrl: string
  readonly companies: Company[]
}

/** Records that one statement of the preparation writes. */
const portion = 1_000

const services: Service[] = []

async function start({ connection, records }: { connection: any; records: number[] }): Promise<Started> {
  const log = pino({ level: 'fatal' }, pino.destination(2))
  const started = async (rateLimit: number): Promise<Service> => {
    const service = await startService(connection, { host: '127.0.0.1', port: 0, log, rateLimit })
    services.push(service)
    return service
  }
  const { database, url } = await started(0)
  const { url: limitedUrl } = await started(RATE_LIMIT_MOST)
  const { url: refusingUrl } = await started(RATE_LIMIT_LEAST)
  const { organizationId } = await createOrganization(database, { name: 'Bench' })
  const { createMany } = operations(customer, database)
  const companies: Company[] = []
  for (const count of records) {
    const company = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
    const scope = Scope.grant(company.companyId)
    const ids: string[] = []
    while (ids.length < count) {
      const items = Array.from({ length: Math.min(portion, count - ids.length) }, (_, n) => ({
        scope,
        value: JSON.parse(numbered(JSON.stringify(sampleBody), ids.length + n)),
      }))
      for (const outcome of await createMany(items)) {
        if (outcome instanceof Problem) throw outcome
        ids.push(outcome.id)
      }
    }
    companies.push({ ...company, ids })
  }
  await database.query('vacuum analyze customers')
  await database.query('checkpoint')
  return { url, limitedUrl, refusingUrl, companies }
}

serveParent(start, () => Promise.all(services.map((service) => service.close())))
