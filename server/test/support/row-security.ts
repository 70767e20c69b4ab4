// The role that reaches one company's rows, and the statements that services send as it.
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { Connection, Database, Login } from '../../src/database/connect.ts'
import { connectionAs, loginOf } from '../../src/database/row-security/login.ts'
import { gatheredSchema, gatheredSetting, reachSetting } from '../../src/database/row-security/names.ts'
import { testConnection } from './database.ts'
import { type TestService, testSettings } from './service.ts'

/** A statement as a service sent it. */
export interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The connection of a service, with the login of its role. */
export async function connectionOf(database: Database): Promise<Connection & { readonly rowLogin: Login }> {
  const [row] = await database.query(
    'select datname::text, oid::text from pg_database where datname = current_database()',
  )
  const [name, number] = row as [string, string]
  return { ...testConnection(), database: name, rowLogin: loginOf(testSettings.secretKeys[0] as string, number) }
}

/** Connects as the owner of the tables, a superuser. The caller ends the connection. */
export async function connectAsOwner(of: Database): Promise<pg.Client> {
  const { host, port, user, database } = await connectionOf(of)
  const client = new pg.Client({ host, port, user, database })
  await client.connect()
  return client
}

/** Connects as the role of a service's database. The caller ends the connection. */
async function connectAsRole(of: Database): Promise<pg.Client> {
  const connection = await connectionOf(of)
  const { host, port, user, password, database } = connectionAs(connection, connection.rowLogin)
  const client = new pg.Client({ host, port, user, password, database })
  await client.connect()
  return client
}

/** Makes sessions of the role that has views in place of tables. Each ends with its test. */
export const rolesOf =
  (service: Pick<TestService, 'database'>) =>
  async (t: TestContext): Promise<pg.Client> => {
    const role = await connectAsRole(service.database)
    t.after(() => role.end())
    return role
  }

/** Sets the company in reach until the end of the transaction. */
export const reach = (client: pg.Client, companyId: string) =>
  client.query(`select set_config('${reachSetting}', $1, true)`, [companyId])

/** Sets several companies in reach until the end of the transaction, and leads names to the views of those. */
const reachGathered = (client: pg.Client, companyIds: readonly string[]) =>
  client.query(
    `select set_config('${gatheredSetting}', $1, true), set_config('search_path', '${gatheredSchema}, ' || current_setting('search_path'), true)`,
    [JSON.stringify(Object.fromEntries(companyIds.map((id) => [id, 1])))],
  )

/** How a session gets its reach: by the views of one company, or by those of two, the other one without rows. */
export const ways: readonly ((client: pg.Client, companyId: string) => Promise<unknown>)[] = [
  reach,
  (client, companyId) => reachGathered(client, [companyId, 'ffffffffffffffffffffffff']),
]

/** Collects the statements that this process sends as the role with `wanted` values, until the returned function is called. */
export function watchRole(sent: Map<string, Sent>, wanted: (values: readonly unknown[]) => boolean): () => void {
  const { prototype } = pg.Client as unknown as { prototype: { query: (...values: any[]) => unknown } }
  const { query } = prototype
  prototype.query = function (this: pg.Client, ...given: any[]) {
    const [config] = given
    const isOfRole = this.user?.startsWith('cashwrap_rows_')
    if (isOfRole && typeof config?.text === 'string' && wanted(config.values ?? []) && !sent.has(config.text))
      sent.set(config.text, { text: config.text, values: config.values ?? [] })
    return query.apply(this, given)
  }
  return () => {
    prototype.query = query
  }
}

/** A statement without its conditions that name a company. What they compared keeps its type. */
export const withoutCondition = ({ text, values }: Sent): Sent => ({
  values,
  text: text
    .replaceAll(/\((?:\w+\.)?company_id = \$\d+\) is true/g, 'true')
    .replaceAll(/\b(?:\w+\.)?(?:company_id|owner_id) = (\$\d+)/g, '$1::text is not null')
    .replaceAll(/\b(?:\w+\.)?(?:company_id|owner_id) = \w+\.(?:company_id|owner_id)\b/g, 'true')
    .replaceAll(
      /\bjoin (\w+)(?: as (\w+))? using \((?:company_id|owner_id), (\w+)\)/g,
      (_, table, as = table, column) => {
        const before = /as (\w+) ?\((?:company_id|owner_id)\b/.exec(text)?.[1]
        return before === undefined
          ? `join ${table} as ${as} using (${column})`
          : `join ${table} as ${as} on ${as}.${column} = ${before}.${column}`
      },
    ),
})
