// A PostgreSQL of an operator: reached over TCP by passwords, where the service's role is no superuser and owns its database.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { Client } from 'pg'
import { ending } from '../../faults/ending.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { createCompany, createOrganization } from '../../src/features/tenants/tenants.ts'
import { type Service, startService } from '../../src/service.ts'
import { testsRowSecurity } from './database.ts'
import { cashwrap, clusterFolder, type Environment, json, urlOf } from './program.ts'
import { testSettings } from './service.ts'

/** How a login reaches PostgreSQL, as the command reports it. */
export interface Login {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
}

/** Connects as a login, or by a URL. The connection ends with the file at the latest. */
type Connect = (as: Login | string) => Promise<Client>

/** What the command reports. */
interface Granted extends Login {
  readonly expiresAt: string | null
  readonly statements: string[]
}

/** A company that uses the API. */
export interface Shop {
  readonly id: string
  /** Calls with the company's key; throws unless the answer is a success. */
  call(method: string, path: string, body?: object): Promise<any>
}

export interface Place {
  readonly environment: Environment
  readonly service: Service
  /** Creates a company. */
  newShop(name?: string): Promise<Shop>
  readonly connect: Connect
  /** As the superuser of the cluster, in the service's database or in another one. */
  asSuperuser(statement: string, database?: string): Promise<any[]>
  /** Gives a company a login by the command. */
  grant(companyId: string, ...options: string[]): Promise<Granted>
}

/**
 * Starts PostgreSQL and a service on it before the tests of the file, which makes the role of row-level security if it should. The members exist
 * from then on.
 */
export function operatorsPlace({ rowSecurity = testsRowSecurity() } = {}): Place {
  const all = ending()
  const place = {} as { -readonly [Member in keyof Place]: Place[Member] }
  after(all.end)
  before(async () => {
    const folder = await clusterFolder(all)
    // Any address of the loopback network: other clusters have the same port.
    const host = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`
    const access = join(folder, 'hba.conf')
    await writeFile(access, 'local all all trust\nhost all all 127.0.0.0/8 scram-sha-256\n')
    const settings = { hba_file: access, listen_addresses: host, fsync: 'off', shared_buffers: '32MB' }
    const { connection, stop } = await openEmbedded({ dataDirectory: folder, log: () => {}, settings })
    all.after(stop)

    place.connect = async (as) => {
      const client = new Client(as)
      client.on('error', () => {})
      all.after(() => client.end().catch(() => {}))
      await client.connect()
      return client
    }
    place.asSuperuser = async (statement, database = 'shop') => {
      const client = await place.connect(urlOf({ ...connection, database }))
      const result = [await client.query(statement)].flat().at(-1)
      await client.end()
      return result?.rows ?? []
    }
    await place.asSuperuser(`create role shop login createrole password 'of the service'`, 'postgres')
    await place.asSuperuser('create database shop owner shop template template0', 'postgres')
    const url = `postgres://shop:${encodeURIComponent('of the service')}@${host}/shop`
    place.environment = { DATABASE_URL: url }
    place.service = await startService({ connectionString: url }, { ...testSettings, rowSecurity })
    all.after(place.service.close)
    const { organizationId } = await createOrganization(place.service.database, { name: 'Chain' })
    place.newShop = (name = 'Shop') => newShop(place.service, { name, currency: 'EUR', organizationId })
    place.grant = (companyId, ...options) => json(place.environment, 'company', 'sql-access', companyId, ...options)
  })
  return place
}

async function newShop({ database, url }: Service, members: Parameters<typeof createCompany>[1]): Promise<Shop> {
  const { companyId: id, apiKey } = await createCompany(database, members)
  return {
    id,
    async call(method, path, body) {
      const headers = {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      }
      const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = await response.text()
      assert.ok(response.ok, text)
      return JSON.parse(text)
    },
  }
}

/** The rows that a statement returns to a login. */
export const rowsOf = async (client: Client, sql: string): Promise<any[]> => (await client.query(sql)).rows

/** SQLSTATE of a statement that is refused; undefined if it is carried out. */
export const refusal = (client: Client, sql: string): Promise<string | undefined> =>
  client.query(sql).then(
    () => undefined,
    (error) => error.code,
  )

/** Runs `cashwrap company sql-access` and returns what it printed to standard error, which must contain the pattern. */
export async function refusedAccess({ environment }: Pick<Place, 'environment'>, ...args: string[]): Promise<string> {
  const { code, stderr } = await cashwrap(['company', 'sql-access', ...args], environment)
  if (code === 0) throw new Error('The command succeeded.')
  return stderr
}
