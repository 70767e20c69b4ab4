// Medusa in the comparison: its own customers, read and written through its Admin API.
import { idMark } from '../sample.ts'
import { insertAll, newCustomer, outletId, searched } from './records.ts'
import type { Place, Rival } from './rival.ts'

const program = 'node_modules/@medusajs/cli/cli.js'
const user = { email: 'admin@example.com', password: 'a-password-1' }

const env = ({ connection }: Place): Record<string, string> => ({
  DATABASE_URL: `postgres://cashwrap@${encodeURIComponent(connection.host)}/${connection.database}`,
  MEDUSA_DISABLE_TELEMETRY: 'true',
  LOG_LEVEL: 'warn',
})

/** Its customers have no outlet and no such members: the outlet is the company's name, and the others are metadata. */
const insert = `
  insert into customer (id, company_name, first_name, last_name, email, phone, has_account, metadata, created_at, updated_at)
  select 'cus_' || lpad(n::text, 26, '0'), "outletId", "firstName", "lastName", email, phone, false,
    jsonb_build_object('externalId', "externalId", 'totalSpent', "totalSpent", 'lastAction', "lastAction", 'tags', tags,
      'billing', billing, 'notes', notes, 'source', source), now() + n * interval '1 ms', now()`

async function prepare(place: Place): Promise<string> {
  await place.node([program, 'db:migrate'], env(place))
  await place.node([program, 'user', '-e', user.email, '-p', user.password], env(place))
  await insertAll(place.query, place.records, insert)
  return ''
}

/** The token of a session; a secret key would be slower, since it is hashed by scrypt in each request. */
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/auth/user/emailpass`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  const { token } = (await answer.json()) as { token?: string }
  if (!token) throw new Error(`the sign-in was answered ${answer.status}`)
  return token
}

const { email, firstName, lastName, phone, outletId: company, ...metadata } = newCustomer
// Every list of Medusa has the exact count.
const list = `/admin/customers?company_name=${outletId}&limit=100&order=-created_at`

export const medusa: Rival = {
  name: 'medusa',
  label: 'Medusa',
  files: ['medusa/package.json', 'medusa/medusa-config.js'],
  prepare,
  command: (place) => ({ args: [program, 'start', '--host', '127.0.0.1'], env: env(place) }),
  readyPath: '/health',
  table: 'customer',
  requests: async (url) => ({
    headers: { authorization: `Bearer ${await signIn(url)}` },
    read: `/admin/customers/${idMark}`,
    list,
    counted: list,
    search: `/admin/customers?q=${searched}&limit=100&order=-created_at`,
    create: {
      path: '/admin/customers',
      body: { email, first_name: firstName, last_name: lastName, phone, company_name: company, metadata },
    },
  }),
}
