// The schema of a company's custom tables: read once, cached, and dropped on every server when it changes.

import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { sizedLruCache } from '../../core/lru-cache.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { type ChannelListener, listen } from '../../database/listen.ts'
import { gathering } from '../../database/one-company.ts'
import { customers, readTable, type Table } from './table.ts'

/** Companies whose tables are cached, by name and version, also those without tables; and cached tables of all companies, of some 200 bytes each. */
const CACHED_TABLE_LISTS = 50_000
const CACHED_TABLE_NAMES = 400_000
/** Cached tables with their fields, and fields of all of them together, of some 300 bytes each. */
const CACHED_TABLES = 20_000
const CACHED_FIELDS = 200_000

/** The channel on which all server processes learn of the company of a changed table. */
const channel = 'cashwrap_structure'

/** What is known of a table without its columns. */
interface Entry {
  readonly id: string
  readonly version: number
  readonly isExtension: boolean
}

/** A snapshot of a company's tables. */
interface TablesSnapshot {
  readonly byName: ReadonlyMap<string, Entry>
  readonly extensions: readonly Entry[]
  readonly version: number
  /** The answer if no table extends customers: made once, shared by all. */
  readonly none: Extensions | undefined
}

/** A snapshot of the company's tables that extend customers. */
export interface Extensions {
  readonly tables: readonly Table[]
  /** Grows with each change of a table that extends customers, or of its fields; 0 before the first. */
  readonly version: number
}

/**
 * Notifies every server process, after the commit, that a company's tables have changed. Increments `version` if the
 * table extends customers, or did. That locks the company's counter until the commit, so it must be called after
 * everything that may wait for locks.
 */
export async function notifySchemaChange(
  transaction: Queryable,
  companyId: string,
  isExtension: boolean,
): Promise<void> {
  // A notification of a statement over distributed tables would reach the listeners of a worker node.
  if (isExtension)
    await transaction.query(
      `insert into custom_structures as stored (company_id, version) values ($1, 1)
       on conflict (company_id) do update set version = stored.version + 1`,
      [companyId],
    )
  await transaction.query(`select pg_notify('${channel}', $1)`, [companyId])
}

/** The version of a company's schema (`Extensions`) as a transaction sees it. */
export async function schemaVersion(transaction: Queryable, companyId: string): Promise<number> {
  const [row] = await transaction.query(
    { name: 'custom_structures_version', text: 'select version from custom_structures where company_id = $1' },
    [companyId],
  )
  return row?.[0] ?? 0
}

type TableItem = BatchItem & { readonly table: Table }

/**
 * A server's cache of table schemas. It caches nothing before `listen`, nor while notifications are not received.
 * Callers check that what they use is current: a statement compares the table's version, a projection the company's.
 */
export class SchemaCache {
  readonly #database: Database
  readonly #lists = sizedLruCache<string, TablesSnapshot>(
    { entries: CACHED_TABLE_LISTS, size: CACHED_TABLE_NAMES },
    ({ byName }) => byName.size + 1,
  )
  readonly #tables = sizedLruCache<string, Table>(
    { entries: CACHED_TABLES, size: CACHED_FIELDS },
    ({ columns }) => columns.length + 1,
  )
  readonly #shareList = singleFlight<TablesSnapshot>()
  readonly #shareTable = singleFlight<Table | undefined>()
  #subscription: ChannelListener | undefined
  /** Grows with every notification: a result from before one is not cached. */
  #changes = 0

  /** The `version` of the company's schema in the database (`Extensions`), for many companies in one statement. */
  readonly currentVersion: (item: BatchItem) => Promise<number>
  /** Whether a table still has its version in the database, for many tables in one statement. */
  readonly isCurrentTable: (item: TableItem) => Promise<boolean>

  constructor(database: Database) {
    this.#database = database
    this.currentVersion = batcher((items: BatchItem[]) => readVersions(database, items), gathering(database))
    this.isCurrentTable = batcher((items: TableItem[]) => areCurrent(database, items), gathering(database))
  }

  /** The table with a name; undefined if there is none. */
  async table(companyId: string, name: string): Promise<Table | undefined> {
    // An unknown table may have been created a moment ago on another server.
    const entry = this.#lists.get(companyId)?.byName.get(name) ?? (await this.#freshList(companyId)).byName.get(name)
    const table = entry && (await this.#tableOf(companyId, entry))
    if (table?.name === name && table.version === entry?.version) return table
    if (entry === undefined) return undefined
    this.drop(companyId)
    const again = (await this.#freshList(companyId)).byName.get(name)
    return again && this.#tableOf(companyId, again)
  }

  /**
   * The tables that extend customers, in creation order. Synchronous, not a promise, if they are cached; `fresh`
   * bypasses the cache. Callers that use the cache must check that it is current: `currentVersion`, or
   * `schemaVersion` in a transaction.
   */
  extensions(
    companyId: string,
    { fresh = false }: { readonly fresh?: boolean } = {},
  ): Extensions | Promise<Extensions> {
    const list = fresh ? undefined : this.#lists.get(companyId)
    return (list && this.#cachedExtensions(companyId, list)) ?? this.#readExtensions(companyId, list)
  }

  /** Drops what is cached of a company's tables. A change calls it before it is answered. */
  drop(companyId: string): void {
    this.#changes++
    this.#lists.delete(companyId)
  }

  /** Starts to cache. Until then nothing is cached, and changes of other servers are not received. */
  listen(): void {
    this.#subscription ??= listen(this.#database, channel, {
      heard: (companyId) => this.drop(companyId),
      missed: () => {
        this.#changes++
        this.#lists.clear()
      },
    })
  }

  async close(): Promise<void> {
    await this.#subscription?.close()
  }

  #freshList(companyId: string): Promise<TablesSnapshot> {
    return this.#shareList(companyId, async () => {
      const before = this.#changes
      const list = await readList(this.#database, companyId)
      if (this.#subscription?.isAlive && before === this.#changes) this.#lists.set(companyId, list)
      return list
    })
  }

  #cachedTable(companyId: string, { id, version }: Pick<Entry, 'id' | 'version'>): Table | undefined {
    const table = this.#tables.get(`${companyId} ${id}`)
    return table?.version === version ? table : undefined
  }

  /** The table with its columns at a version; at a later one if it changed meanwhile. */
  async #tableOf(companyId: string, { id, version }: Entry): Promise<Table | undefined> {
    const cached = this.#cachedTable(companyId, { id, version })
    if (cached) return cached
    const key = `${companyId} ${id}`
    const table = await this.#shareTable(key, () => readTable(this.#database, companyId, id))
    if (table) this.#tables.set(key, table)
    return table
  }

  /** The tables that extend customers in a list, if all are cached. */
  #cachedExtensions(companyId: string, { extensions, version, none }: TablesSnapshot): Extensions | undefined {
    if (none) return none
    const cached = extensions.flatMap((entry) => this.#cachedTable(companyId, entry) ?? [])
    return cached.length === extensions.length ? { tables: cached, version } : undefined
  }

  async #readExtensions(companyId: string, cached: TablesSnapshot | undefined): Promise<Extensions> {
    for (let list = cached ?? (await this.#freshList(companyId)); ; list = await this.#freshList(companyId)) {
      const { extensions, version } = list
      const found = await Promise.all(extensions.map((entry) => this.#tableOf(companyId, entry)))
      const same = found.filter((table, n) => table?.version === extensions[n]?.version)
      // A table that changed after the list was read belongs to a later list.
      if (same.length === extensions.length) return { tables: same as Table[], version }
    }
  }
}

async function readList(database: Database, companyId: string): Promise<TablesSnapshot> {
  const rows = await readStructure(database, companyId)
  const found = rows.filter(([, name]) => name !== null)
  const byName = new Map(found.map(([, name, id, version, isExtension]) => [name, { id, version, isExtension }]))
  const extensions = [...byName.values()].filter(({ isExtension }) => isExtension)
  const [version] = rows[0] as Row
  return { byName, extensions, version, none: extensions.length > 0 ? undefined : { tables: [], version } }
}

/**
 * The version of a company's schema beside each of its tables, from one snapshot; if it has no tables, the version in
 * one row that is otherwise null.
 */
const readStructure = (database: Database, companyId: string): Promise<Row[]> =>
  database.query(
    {
      name: 'custom_structure',
      text: `
      select coalesce((select version from custom_structures where company_id = $1), 0),
        stored.name, stored.id, stored.version, exists (
          select from custom_table_fields as field
          where field.company_id = stored.company_id and field.linked = $2 and field.table_id = stored.id
        )
      from (values (1)) as always left join custom_tables as stored on stored.company_id = $1
      order by stored.created_at, stored.id`,
    },
    [companyId, customers],
  )

async function readVersions(database: Database, items: readonly BatchItem[]): Promise<number[]> {
  const rows = await database.query(
    {
      name: 'custom_structures_current',
      text: `
      select item.ordinality::int, stored.version from unnest($1::text[]) with ordinality as item(company_id, ordinality)
      join custom_structures as stored on stored.company_id = item.company_id`,
    },
    [items.map(({ scope }) => scope.companyId)],
  )
  const versions: number[] = new Array(items.length).fill(0)
  for (const [ordinal, version] of rows) versions[ordinal - 1] = version
  return versions
}

/** Whether tables still have the version with which they were read. */
async function areCurrent(database: Database, items: readonly TableItem[]): Promise<boolean[]> {
  const rows = await database.query(
    {
      name: 'custom_rows_current',
      text: `
      select item.ordinality::int
      from unnest($1::text[], $2::text[], $3::int[]) with ordinality as item(company_id, id, version, ordinality)
      join custom_tables as own on own.company_id = item.company_id and own.id = item.id and own.version = item.version`,
    },
    [
      items.map(({ table }) => table.companyId),
      items.map(({ table }) => table.id),
      items.map(({ table }) => table.version),
    ],
  )
  const current = new Set(rows.map(([ordinal]) => ordinal - 1))
  return items.map((_, n) => current.has(n))
}
