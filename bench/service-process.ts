// The service under test, started as for users, in a separate process.
import pino from 'pino'
import { Problem } from '../server/src/core/problem.ts'
import { Scope } from '../server/src/core/scope.ts'
import { operations } from '../server/src/engine/operations.ts'
import type { Resource } from '../server/src/engine/resource.ts'
import { createCompany, createOrganization } from '../server/src/features/tenants/tenants.ts'
import { customer } from '../server/src/resources/customer.ts'
import { variant } from '../server/src/resources/variant.ts'
import { type Service, startService } from '../server/src/service.ts'
import { serveParent } from './child.ts'
import { fillExtended } from './extended.ts'
import { numbered, sampleBody, sampleVariant } from './sample.ts'
import type { Company, Started } from './started.ts'

/** Records that one statement of the preparation writes. */
const portion = 1_000
/** The secret keys of all services of a run: they share a database. */
const secretKeys = ['a secret that only measurements know of, of 32 characters']

let service: Service | undefined

interface Wanted {
  readonly connection: any
  readonly records: readonly number[]
  readonly variants?: number
  readonly extended?: number
  readonly rateLimit?: number
  /** Statements and requests may take minutes. */
  readonly isPatient?: boolean
}

const patienceMs = 300_000

async function start(wanted: Wanted): Promise<Started> {
  const { connection, records, variants = 0, extended = 0, rateLimit = 0, isPatient = false } = wanted
  const log = pino({ level: 'fatal' }, pino.destination(2))
  const own = isPatient ? { ...connection, statementMs: patienceMs } : connection
  service = await startService(own, {
    ...(isPatient && { bounds: { deadlineMs: patienceMs } }),
    host: '127.0.0.1',
    port: 0,
    log,
    rateLimit,
    secretKeys,
    webhookAllow: ['127.0.0.0/8'],
  })
  const { database, url } = service
  const { organizationId } = await createOrganization(database, { name: 'Bench' })
  const filled = async (resource: Resource, count: number, body: object): Promise<Company> => {
    const { createMany } = operations(resource, database)
    const company = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
    const scope = Scope.grant(company.companyId)
    const ids: string[] = []
    while (ids.length < count) {
      const items = Array.from({ length: Math.min(portion, count - ids.length) }, (_, n) => ({
        scope,
        value: JSON.parse(numbered(JSON.stringify(body), ids.length + n)),
      }))
      for (const result of await createMany(items)) {
        if (result instanceof Problem) throw result
        ids.push(result.id)
      }
    }
    return { ...company, ids }
  }
  const companies: Company[] = []
  for (const count of records) companies.push(await filled(customer, count, sampleBody))
  const stocked = variants > 0 ? await filled(variant, variants, sampleVariant) : undefined
  const empty = extended > 0 ? await filled(customer, 0, sampleBody) : undefined
  const grown = empty && { ...empty, ids: await fillExtended(url, empty, extended) }
  // A run that fills the tables itself vacuums them itself, which takes longer than a statement of the service may.
  if (stocked || grown || companies.some(({ ids }) => ids.length > 0)) {
    await database.query('vacuum analyze customers, variants, inventories, inventory_history')
    await database.query('checkpoint')
  }
  return { url, companies, stocked, extended: grown }
}

serveParent(start, async () => service?.close())
