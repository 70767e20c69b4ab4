// Directus in the comparison: a collection of customers, and a static token of its administrator.
import { idMark } from '../sample.ts'
import { insertAll, newCustomer, outletId, searched } from './records.ts'
import type { Command, Place, Rival } from './rival.ts'
import { startServer } from './server.ts'

const token = 'a-static-token-that-only-measurements-know'
const program = 'node_modules/directus/cli.js'
const readyPath = '/server/ping'

const env = ({ connection }: Place): Record<string, string> => ({
  DB_CLIENT: 'pg',
  DB_HOST: connection.host,
  DB_PORT: '5432',
  DB_USER: 'cashwrap',
  DB_PASSWORD: 'none',
  DB_DATABASE: connection.database,
  SECRET: 'a secret that only measurements know of',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a-password-1',
  ADMIN_TOKEN: token,
  LOG_LEVEL: 'warn',
  TELEMETRY: 'false',
  SERVE_APP: 'false',
  // It would refuse requests while it is busy, as it is here.
  PRESSURE_LIMITER_ENABLED: 'false',
})

const command = (place: Place): Command => ({ args: [program, 'start'], env: { ...env(place), HOST: '127.0.0.1' } })

const field = (name: string, type: string, schema: object = {}, special: string[] = []) => ({
  field: name,
  type,
  meta: { special },
  schema,
})

const collection = {
  collection: 'customers',
  meta: {},
  schema: {},
  fields: [
    { ...field('id', 'uuid', { is_primary_key: true }, ['uuid']) },
    ...['email', 'outlet_id', 'external_id'].map((name) => field(name, 'string', { is_indexed: true })),
    ...['first_name', 'last_name', 'phone', 'source'].map((name) => field(name, 'string')),
    field('total_spent', 'decimal', { numeric_precision: 21, numeric_scale: 6 }),
    field('last_action', 'timestamp'),
    ...['tags', 'billing', 'notes'].map((name) => field(name, 'json', {}, ['cast-json'])),
    field('date_created', 'timestamp', { is_indexed: true }, ['date-created']),
    field('date_updated', 'timestamp', {}, ['date-updated']),
  ],
}

const insert = `
  insert into customers (id, email, first_name, last_name, phone, outlet_id, external_id, total_spent, last_action, tags,
    billing, notes, source, date_created)
  select gen_random_uuid(), email, "firstName", "lastName", phone, "outletId", "externalId", "totalSpent", "lastAction",
    tags::json, billing::json, notes::json, source, now() + n * interval '1 ms'`

async function prepare(place: Place): Promise<string> {
  await place.node([program, 'bootstrap'], env(place))
  const server = await startServer(command(place), place, readyPath)
  try {
    const answer = await fetch(`${server.url}/collections`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(collection),
    })
    if (!answer.ok) throw new Error(`POST /collections answered ${answer.status}: ${await answer.text()}`)
  } finally {
    await server.stop()
  }
  await insertAll(place.query, place.records, insert)
  return token
}

/** A customer under the names of the collection's fields. */
const named = ({ firstName, lastName, outletId, externalId, totalSpent, lastAction, ...rest }: typeof newCustomer) => ({
  ...rest,
  first_name: firstName,
  last_name: lastName,
  outlet_id: outletId,
  external_id: externalId,
  total_spent: totalSpent,
  last_action: lastAction,
})

const list = `/items/customers?filter[outlet_id][_eq]=${outletId}&limit=100&sort=-date_created`

export const directus: Rival = {
  name: 'directus',
  label: 'Directus',
  files: ['directus/package.json'],
  npmFlags: ['--legacy-peer-deps'],
  prepare,
  command,
  readyPath,
  table: 'customers',
  requests: async (_url, credential) => ({
    headers: { authorization: `Bearer ${credential}` },
    read: `/items/customers/${idMark}`,
    list,
    counted: `${list}&meta=filter_count`,
    search: `/items/customers?filter[last_name][_icontains]=${searched}&limit=100&sort=-date_created`,
    create: { path: '/items/customers', body: named(newCustomer) },
    bulk: { path: '/items/customers', body: (records) => records.map(named) },
  }),
}
