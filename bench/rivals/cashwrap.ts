// Cashwrap in the comparison: `cashwrap serve` of this checkout, as its users run it.
import { fileURLToPath } from 'node:url'
import { idMark } from '../sample.ts'
import { bulkRecords, newCustomer, outletId, searched } from './records.ts'
import type { Command, Place, Rival } from './rival.ts'
import { startServer } from './server.ts'

const program = fileURLToPath(new URL('../../server/bin/cashwrap.js', import.meta.url))
const readyPath = '/v1/public/health'

const command = ({ databaseUrl, folder }: Place): Command => ({
  args: [program, 'serve', '--json'],
  env: {
    DATABASE_URL: databaseUrl,
    CASHWRAP_DATA: folder,
    CASHWRAP_SECRET_KEY: 'a-secret-that-only-measurements-know-of',
    CASHWRAP_RATE_LIMIT: '0',
    CASHWRAP_ROW_SECURITY: 'off',
    LOG_LEVEL: 'warn',
  },
})

/** Starts it once: the first start makes a company with a key. The customers come through its API. */
async function prepare(place: Place): Promise<string> {
  const server = await startServer(command(place), place, readyPath)
  try {
    const { companyKey } = JSON.parse(await server.printed('companyKey'))
    for (let from = 0; from < place.records.length; from += bulkRecords) {
      const answer = await fetch(`${server.url}/v1/customers`, {
        method: 'POST',
        headers: { 'x-api-key': companyKey, 'content-type': 'application/json' },
        body: JSON.stringify({ items: place.records.slice(from, from + bulkRecords) }),
      })
      const text = await answer.text()
      if (!/"failed":0[,}]/.test(text)) throw new Error(`the load was answered ${answer.status}: ${text.slice(0, 300)}`)
    }
    return companyKey
  } finally {
    await server.stop()
  }
}

const list = `/v1/customers?outletId=${outletId}&limit=100&sortBy=createdAt&sortOrder=desc`

export const cashwrap: Rival = {
  name: 'cashwrap',
  label: 'Cashwrap',
  prepare,
  command,
  readyPath,
  table: 'customers',
  requests: async (_url, apiKey) => ({
    headers: { 'x-api-key': apiKey },
    read: `/v1/customer/${idMark}`,
    // A list's first page always has the exact count.
    list,
    counted: list,
    search: `/v1/customers?searchByLastName=${searched}&limit=100&sortBy=createdAt&sortOrder=desc`,
    create: { path: '/v1/customer', body: newCustomer },
    bulk: { path: '/v1/customers', body: (records) => ({ items: records }) },
  }),
}
