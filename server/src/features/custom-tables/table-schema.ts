// The schema of a company's custom tables: read once, cached, and dropped on every server when it changes.
import { LRUCache } from 'lru-cache'
import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { CACHED_FIELDS, CACHED_TABLE_LISTS, CACHED_TABLE_NAMES, CACHED_TABLES } from '../../core/limits.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { listen, type Subscription } from '../../database/listen.ts'
import type { Column } from './column.ts'
import { customers } from './references.ts'

/** The channel on which all server processes learn of the company of a changed table. */
const channel = 'cashwrap_structure'

/** A snapshot of a table with its columns. */
export interface Table {
  readonly companyId: string
  readonly id: string
  readonly name: string
  /** Grows with each change of the table or of one of its fields. */
  readonly version: number
  /** Grows when a column is renamed or removed. */
  readonly shape: number
  /** In the order in which their fields were created. */
  readonly columns: readonly Column[]
  readonly byName: ReadonlyMap<string, Column>
  /** The column with the customer that a row belongs to. */
  readonly link: Column | undefined
}

/** What is known of a table without its columns. */
interface Entry {
  readonly id: string
  readonly version: number
  readonly isExtension: boolean
}

/** A snapshot of a company's tables. */
interface List {
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

export interface Structures {
  /** The table with a name; undefined if there is none. */
  table(companyId: string, name: string): Promise<Table | undefined>
  /**
   * The tables that extend customers, in creation order. Synchronous, not a promise, if they are cached; `fresh`
   * bypasses the cache. Callers that use the cache must check that it is current: `currentVersion`, or
   * `structureVersion` in a transaction.
   */
  extensions(companyId: string, options?: { readonly fresh?: boolean }): Extensions | Promise<Extensions>
  /** The `version` of the company's schema in the database, for many companies in one statement. */
  currentVersion(item: BatchItem): Promise<number>
  /** Drops what is cached of a company's tables. A change calls it before it is answered. */
  drop(companyId: string): void
  /** Starts to cache; until then nothing is cached, and changes of other servers are not heard. */
  listen(): void
  close(): Promise<void>
}

/**
 * Notifies every server process, after the commit, that a company's tables have changed. Increments `version` if the
 * table extends customers, or did. That locks the company's counter until then, so call it after everything that may
 * wait for locks.
 */
export const tellChange = (transaction: Queryable, companyId: string, isExtension: boolean): Promise<Row[]> =>
  transaction.query(
    `with counted as (
       insert into custom_structures as stored (company_id, version) select $1, 1 where $2
       on conflict (company_id) do update set version = stored.version + 1
     )
     select pg_notify('${channel}', $1)`,
    [companyId, isExtension],
  )

/** The version of a company's schema (`Extensions`) as a transaction sees it. */
export async function structureVersion(transaction: Queryable, companyId: string): Promise<number> {
  const [row] = await transaction.query(
    { name: 'custom_structures_version', text: 'select version from custom_structures where company_id = $1' },
    [companyId],
  )
  return row?.[0] ?? 0
}

export function structureCache(database: Database): Structures {
  const lists = new LRUCache<string, List>({
    max: CACHED_TABLE_LISTS,
    maxSize: CACHED_TABLE_NAMES,
    sizeCalculation: ({ byName }) => byName.size + 1,
  })
  const tables = new LRUCache<string, Table>({
    max: CACHED_TABLES,
    maxSize: CACHED_FIELDS,
    sizeCalculation: ({ columns }) => columns.length + 1,
  })
  const shareList = singleFlight<List>()
  const shareTable = singleFlight<Table | undefined>()
  let hearing: Subscription | undefined
  // Increases with every change heard: a result from before it is not cached.
  let changes = 0

  function drop(companyId: string): void {
    changes++
    lists.delete(companyId)
  }

  async function readList(companyId: string): Promise<List> {
    const before = changes
    const rows = await database.query(
      {
        name: 'custom_structure',
        text: `
        select coalesce((select version from custom_structures where company_id = $1), 0),
          stored.name, stored.id, stored.version, exists (
          select from custom_table_fields as field
          where field.company_id = stored.company_id and field.linked = $2 and field.table_id = stored.id)
        from (values (1)) as always left join custom_tables as stored on stored.company_id = $1
        order by stored.created_at, stored.id`,
      },
      [companyId, customers],
    )
    const found = rows.filter(([, name]) => name !== null)
    const byName = new Map(found.map(([, name, id, version, isExtension]) => [name, { id, version, isExtension }]))
    const extensions = [...byName.values()].filter(({ isExtension }) => isExtension)
    const [version] = rows[0] as Row
    const list: List = {
      byName,
      extensions,
      version,
      none: extensions.length > 0 ? undefined : { tables: [], version },
    }
    if (hearing?.isAlive && before === changes) lists.set(companyId, list)
    return list
  }

  const freshList = (companyId: string) => shareList(companyId, () => readList(companyId))

  function keptTable(companyId: string, { id, version }: Pick<Entry, 'id' | 'version'>): Table | undefined {
    const kept = tables.get(`${companyId} ${id}`)
    return kept?.version === version ? kept : undefined
  }

  /** The columns for a version; those of a later one if it changed meanwhile. */
  async function whole(companyId: string, { id, version }: Entry): Promise<Table | undefined> {
    const key = `${companyId} ${id}`
    const kept = keptTable(companyId, { id, version })
    if (kept) return kept
    const table = await shareTable(key, () => readTable(database, companyId, id))
    if (table) tables.set(key, table)
    return table
  }

  /** The tables that extend customers in a list, if all are cached. */
  function keptExtensions(companyId: string, { extensions, version, none }: List): Extensions | undefined {
    if (none) return none
    const kept = extensions.flatMap((entry) => keptTable(companyId, entry) ?? [])
    return kept.length === extensions.length ? { tables: kept, version } : undefined
  }

  async function readExtensions(companyId: string, kept: List | undefined): Promise<Extensions> {
    for (let list = kept ?? (await freshList(companyId)); ; list = await freshList(companyId)) {
      const { extensions, version } = list
      const found = await Promise.all(extensions.map((entry) => whole(companyId, entry)))
      const same = found.filter((table, n) => table?.version === extensions[n]?.version)
      // A table that changed after the list was read belongs to a later list.
      if (same.length === extensions.length) return { tables: same as Table[], version }
    }
  }

  const currentVersion = batcher(async (items: BatchItem[]) => {
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
  })

  return {
    async table(companyId, name) {
      // An unknown table may have been created a moment ago on another server.
      const entry = lists.get(companyId)?.byName.get(name) ?? (await freshList(companyId)).byName.get(name)
      const table = entry && (await whole(companyId, entry))
      if (table?.name === name && table.version === entry?.version) return table
      if (entry === undefined) return undefined
      drop(companyId)
      const again = (await freshList(companyId)).byName.get(name)
      return again && whole(companyId, again)
    },
    extensions(companyId, { fresh = false } = {}) {
      const list = fresh ? undefined : lists.get(companyId)
      return (list && keptExtensions(companyId, list)) ?? readExtensions(companyId, list)
    },
    currentVersion,
    drop,
    listen() {
      hearing ??= listen(database, channel, {
        heard: drop,
        missed: () => {
          changes++
          lists.clear()
        },
      })
    },
    close: async () => hearing?.close(),
  }
}

/** Reads a table with its columns in one statement. */
export async function readTable(database: Queryable, companyId: string, id: string): Promise<Table | undefined> {
  const rows = await database.query(
    {
      name: 'custom_table_whole',
      text: `
      select stored.name, stored.version, stored.shape, field.id, field.body, field.since, field.former
      from custom_tables as stored
      left join custom_table_fields as field on field.company_id = stored.company_id and field.table_id = stored.id
      where stored.company_id = $1 and stored.id = $2 order by field.created_at, field.id`,
    },
    [companyId, id],
  )
  const [first] = rows
  if (first === undefined) return undefined
  const columns = rows.flatMap(([, , , fieldId, body, since, former]) =>
    fieldId === null ? [] : [columnOf(fieldId, JSON.parse(body), since, JSON.parse(former))],
  )
  return {
    companyId,
    id,
    name: first[0],
    version: first[1],
    shape: first[2],
    columns,
    byName: new Map(columns.map((column) => [column.name, column])),
    link: columns.find(({ reference }) => reference?.collection === customers),
  }
}

/** A field's record as a column; former names matter only to readers of what customers show. */
export function columnOf(
  id: string,
  record: Readonly<Record<string, any>>,
  since = 1,
  former: Column['former'] = [],
): Column {
  const { name, type, required = false, defaultValue } = record
  const { referenceLinkedCollection: collection, referenceLinkedField: member = 'id' } = record
  return {
    id,
    name,
    type,
    isRequired: required,
    defaultValue,
    reference: collection === undefined ? undefined : { collection, member },
    since,
    former,
    key: `${JSON.stringify(name)}:`,
  }
}
