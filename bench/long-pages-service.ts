// The service with long records to be listed, in a separate process with measured memory.
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { createCompany, createOrganization } from '../server/src/features/tenants/tenants.ts'
import { type Service, startService } from '../server/src/service.ts'
import { serveParent } from './child.ts'

/** Commands of the runner. */
export type LongPagesMessage =
  | { readonly ask: 'start'; readonly connection: any; readonly records: number; readonly bytes: number }
  | { readonly ask: 'memory' }

/** Bytes: now, and the maximum since the last reading. */
export interface Memory {
  readonly rss: number
  readonly peak: number
}

/** Records that one statement of the preparation writes. */
const portion = 50

let service: Service | undefined
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 5).unref()

/** Records that do not compress, so that the database stores them at full length. */
async function fill({ database }: Service, companyId: string, records: number, bytes: number): Promise<void> {
  const now = new Date().toISOString()
  const times = { createdAt: now, updatedAt: now, isDeleted: false, fromService: false }
  for (let made = 0; made < records; made += portion) {
    const bodies = Array.from({ length: Math.min(portion, records - made) }, (_, n) => ({
      id: (made + n).toString(16).padStart(24, '0'),
      firstName: String(made + n),
      notes: [randomBytes((bytes * 3) / 4).toString('base64')],
      ...times,
      companyId,
    }))
    await database.query(
      'insert into customers (company_id, id, body) select $1, item.id, item.body::json from unnest($2::text[], $3::text[]) as item(id, body)',
      [companyId, bodies.map(({ id }) => id), bodies.map((body) => JSON.stringify(body))],
    )
  }
  await database.query('vacuum analyze customers')
}

async function answer(message: LongPagesMessage): Promise<unknown> {
  if (message.ask === 'start') {
    const log = pino({ level: 'error' }, pino.destination(2))
    const secretKeys = ['a secret that only measurements know of, of 32 characters']
    service = await startService(message.connection, { host: '127.0.0.1', port: 0, log, secretKeys })
    const { organizationId } = await createOrganization(service.database, { name: 'Bench' })
    const of = { name: 'Shop', currency: 'EUR', organizationId }
    const long = await createCompany(service.database, of)
    const short = await createCompany(service.database, of)
    await fill(service, long.companyId, message.records, message.bytes)
    await fill(service, short.companyId, 100, 700)
    return { url: service.url, long: long.apiKey, short: short.apiKey }
  }
  const reported = { rss: process.memoryUsage.rss(), peak: Math.max(peak, process.memoryUsage.rss()) }
  peak = 0
  return reported
}

serveParent(answer, async () => service?.close())
