// Measures what updating price ranges costs variant writes: creates per second of unpriced variants, and of priced ones of many products and of one.
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { createCompany, createOrganization } from '../server/src/features/tenants/tenants.ts'
import { startService } from '../server/src/service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '600' }, clients: { type: 'string', default: '16' }, rounds: { type: 'string', default: '3' } }, // biome-ignore format: one thought
})
const [count, clients, rounds] = [options.count, options.clients, options.rounds].map(Number) as [
  number,
  number,
  number,
]

const folder = await temporaryFolder('variants')
const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
const secretKeys = ['a secret that only measurements know of, of 32 characters']
const service = await startService(embedded.connection, { host: '127.0.0.1', port: 0, log: pino({ level: 'fatal' }), secretKeys }) // biome-ignore format: one thought
try {
  const { organizationId } = await createOrganization(service.database, { name: 'Chain' })
  const { apiKey } = await createCompany(service.database, { name: 'Shop', currency: 'EUR', organizationId })
  const create = async (path: string, body: object): Promise<string> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const record = (await answer.json()) as { id: string }
    if (answer.status !== 201) throw new Error(JSON.stringify(record))
    return record.id
  }
  /** Creates per second with this many clients; `body` makes a request body from a number. */
  async function rate(some: number, body: (n: number) => object): Promise<number> {
    let next = 0
    const begun = performance.now()
    const client = async () => {
      for (let n = next++; n < count; n = next++) await create('/v1/variant', body(n))
    }
    await Promise.all(Array.from({ length: some }, client))
    return Math.round((count / (performance.now() - begun)) * 1000)
  }
  const products = await Promise.all(Array.from({ length: 100 }, (_, n) => create('/v1/product', { name: `P${n}` })))
  for (let round = 0; round < rounds; round++)
    for (const some of [1, clients]) {
      const unpriced = await rate(some, (n) => ({ productId: products[n % 100], sku: `${n}` }))
      const many = await rate(some, (n) => ({ productId: products[n % 100], sku: `${n}`, price: 10 + n }))
      const productId = await create('/v1/product', { name: 'One' })
      const one = await rate(some, (n) => ({ productId, sku: `${n}`, price: 10 + n }))
      console.log(`${some} clients: ${unpriced}/s unpriced, ${many}/s priced of 100 products, ${one}/s priced of one`)
    }
} finally {
  await service.close()
  await embedded.stop()
}
