// The service with a published list to be measured, in a separate process with measured memory.
import pino from 'pino'
import { newId } from '../server/src/core/ids.ts'
import { changePublished, orderOf } from '../server/src/features/extensions/writes.ts'
import { createOrganization } from '../server/src/features/tenants/tenants.ts'
import { type Service, startService } from '../server/src/service.ts'
import { serveParent } from './child.ts'

/** Commands of the runner. */
export type PublishedMessage =
  | { readonly ask: 'start'; readonly connection: any; readonly organizations: number; readonly extensions: number }
  | { readonly ask: 'change' | 'memory' }

/** Bytes: now, and the maximum since the last reading. */
export interface Memory {
  readonly rss: number
  readonly peak: number
}

const words = [
  'Über',
  'loyalty',
  'Émile',
  'Zebra',
  'apple',
  'Öl',
  'ÖL',
  'öl',
  'Straße',
  'strasse',
  '10',
  '9',
  'Ärger',
  'arg',
]
const word = (n: number) => words[n % words.length] as string

let service: Service | undefined
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 5).unref()

async function fill({ database }: Service, organizations: number, extensions: number): Promise<void> {
  const each = extensions / organizations
  const now = new Date().toISOString()
  const times = { createdAt: now, updatedAt: now }
  for (let n = 0; n < organizations; n++) {
    const { organizationId } = await createOrganization(database, { name: `${word(n * 5)} ${word(n)} ${n % 400}` })
    const bodies = Array.from({ length: each }, (_, m) => ({
      id: newId(),
      name: `${word(m * 3)} ${word(n + m)} ${(m * 7) % 60}`,
      description: 'What it does. '.repeat(30),
      shortDescription: 'In a sentence.',
      category: `c${m % 20}`,
      status: 'public',
      price: 9.5,
      icon: `https://cdn.example.com/${n}/${m}/icon.png`,
      website: `https://example.com/${n}/${m}`,
      surfaces: [{ id: newId(), platform: 'web', type: 'page', url: `https://example.com/${n}/${m}/till` }],
      ...times,
    }))
    await database.query(
      `insert into extensions (organization_id, id, body, organization_order)
       select organizations.id, item.id, item.body::json, ${orderOf('organizations.name')}
       from unnest($2::text[], $3::text[]) as item(id, body) join organizations on organizations.id = $1`,
      [organizationId, bodies.map(({ id }) => id), bodies.map((body) => JSON.stringify(body))],
    )
  }
  await changePublished(database)
  await database.query('vacuum analyze extensions, organizations')
}

async function answer(message: PublishedMessage): Promise<unknown> {
  if (message.ask === 'start') {
    const { connection, organizations, extensions } = message
    const log = pino({ level: 'fatal' }, pino.destination(2))
    const secretKeys = ['a secret that only measurements know of, of 32 characters']
    service = await startService(connection, { host: '127.0.0.1', port: 0, log, secretKeys })
    await fill(service, organizations, extensions)
    return { url: service.url }
  }
  if (message.ask === 'change') return changePublished((service as Service).database)
  const reported = { rss: process.memoryUsage.rss(), peak: Math.max(peak, process.memoryUsage.rss()) }
  peak = 0
  return reported
}

serveParent(answer, async () => service?.close())
