// The structure of a company's custom tables: read once, kept in memory, and dropped on every server the moment it changes.
import { LRUCache } from 'lru-cache'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { type Hearing, hear } from '../../database/hear.ts'
import { share } from '../../engine/batch.ts'
import { CACHED_FIELDS, CACHED_TABLE_LISTS, CACHED_TABLES } from '../../limits.ts'
import type { Column } from './column.ts'
import { customers } from './references.ts'

/** The channel on which the company of a changed table is told to all server processes. */
const channel = 'cashwrap_structure'

/** A table with its columns, as it was in one moment. */
export interface Table {
  readonly companyId: string
  readonly id: string
  readonly name: string
  /** Grows with each change of the table or of one of its fields. */
  readonly version: number
  /** In the order in which their fields were made. */
  readonly columns: readonly Column[]
  readonly byName: ReadonlyMap<string, Column>
  /** The column that holds the customer that a row belongs to. */
  readonly link: Column | undefined
}

/** What is known of a table without its columns. */
interface Entry {
  readonly id: string
  readonly version: number
  readonly isExtension: boolean
}
type Entries = ReadonlyMap<string, Entry>

export interface Structures {
  /** The table of a name; undefined when there is none. */
  table(companyId: string, name: string): Promise<Table | undefined>
  /** The tables that extend customers, by name. */
  extensions(companyId: string): Promise<readonly Table[]>
  /** Forgets what is known of a company's tables. Whoever changes them does so before it is answered. */
  drop(companyId: string): void
  /** Begins to keep what is read; until then nothing is kept, and others' changes are not heard of. */
  listen(): void
  close(): Promise<void>
}

/** Tells every server process, when the transaction commits, that a company's tables are others now. */
export const tellChange = (transaction: Queryable, companyId: string): Promise<Row[]> =>
  transaction.query(`select pg_notify('${channel}', $1)`, [companyId])

export function structureCache(database: Database): Structures {
  const lists = new LRUCache<string, Entries>({ max: CACHED_TABLE_LISTS })
  const tables = new LRUCache<string, Table>({
    max: CACHED_TABLES,
    maxSize: CACHED_FIELDS,
    sizeCalculation: ({ columns }) => columns.length + 1,
  })
  const shareList = share<Entries>()
  const shareTable = share<Table | undefined>()
  let hearing: Hearing | undefined
  // Grows with every change heard: an answer from before it is not kept.
  let changes = 0

  function drop(companyId: string): void {
    changes++
    lists.delete(companyId)
  }

  async function readList(companyId: string): Promise<Entries> {
    const before = changes
    const rows = await database.query(
      {
        name: 'custom_structure',
        text: `
        select stored.name, stored.id, stored.version, exists (
          select from custom_table_fields as field
          where field.company_id = stored.company_id and field.linked = $2 and field.table_id = stored.id)
        from custom_tables as stored where stored.company_id = $1 order by stored.created_at, stored.id`,
      },
      [companyId, customers],
    )
    const list: Entries = new Map(rows.map(([name, id, version, isExtension]) => [name, { id, version, isExtension }]))
    if (hearing?.isAlive && before === changes) lists.set(companyId, list)
    return list
  }

  const freshList = (companyId: string) => shareList(companyId, () => readList(companyId))

  /** The columns that go with a version; those of a later one when it changed meanwhile. */
  async function whole(companyId: string, { id, version }: Entry): Promise<Table | undefined> {
    const key = `${companyId} ${id}`
    const kept = tables.get(key)
    if (kept?.version === version) return kept
    const table = await shareTable(key, () => readTable(database, companyId, id))
    if (table) tables.set(key, table)
    return table
  }

  return {
    async table(companyId, name) {
      // A table that is not known may have been made a moment ago elsewhere.
      const entry = lists.get(companyId)?.get(name) ?? (await freshList(companyId)).get(name)
      const table = entry && (await whole(companyId, entry))
      if (table?.name === name && table.version === entry?.version) return table
      if (entry === undefined) return undefined
      drop(companyId)
      const again = (await freshList(companyId)).get(name)
      return again && whole(companyId, again)
    },
    async extensions(companyId) {
      const list = lists.get(companyId) ?? (await freshList(companyId))
      const found = [...list.values()].filter(({ isExtension }) => isExtension)
      return (await Promise.all(found.map((entry) => whole(companyId, entry)))).filter((table) => table !== undefined)
    },
    drop,
    listen() {
      hearing ??= hear(database, channel, {
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
      select stored.name, stored.version, field.id, field.body
      from custom_tables as stored
      left join custom_table_fields as field on field.company_id = stored.company_id and field.table_id = stored.id
      where stored.company_id = $1 and stored.id = $2 order by field.created_at, field.id`,
    },
    [companyId, id],
  )
  const [first] = rows
  if (first === undefined) return undefined
  const columns = rows.flatMap(([, , fieldId, body]) => (fieldId === null ? [] : [columnOf(fieldId, JSON.parse(body))]))
  return {
    companyId,
    id,
    name: first[0],
    version: first[1],
    columns,
    byName: new Map(columns.map((column) => [column.name, column])),
    link: columns.find(({ reference }) => reference?.collection === customers),
  }
}

/** A field's record as a column. */
export function columnOf(id: string, record: Readonly<Record<string, any>>): Column {
  const { name, type, required = false, defaultValue } = record
  const { referenceLinkedCollection: collection, referenceLinkedField: member = 'id' } = record
  return {
    id,
    name,
    type,
    isRequired: required,
    defaultValue,
    reference: collection === undefined ? undefined : { collection, member },
    key: `${JSON.stringify(name)}:`,
  }
}
