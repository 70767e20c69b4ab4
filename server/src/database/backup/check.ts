// Checks a recovered database: every index against its table by amcheck, every page by its checksum, and what it holds.

import type { Client } from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import type { Database } from '../connect.ts'

/** What a checked database holds. */
export interface CheckedDatabase {
  readonly tables: number
  readonly indexes: number
  /** Rows of each table, those of partitions under their parent's name. */
  readonly rows: Readonly<Record<string, number>>
}

/** Reads all tables and indexes. Throws OperatorError with the first damage found. */
export async function checkDatabase(
  database: Database,
  progress: (done: number, total: number) => void,
): Promise<CheckedDatabase> {
  const client = await database.connectAlone()
  try {
    await client.query('create extension if not exists amcheck')
    const relations = await relationsOf(client)
    const rows: Record<string, number> = {}
    for (const [n, relation] of relations.entries()) {
      const damage = await damageOf(client, relation)
      if (damage !== undefined) throw new OperatorError(`The backup is damaged: ${relation.name}: ${damage}.`)
      if (relation.kind === 'table' && relation.schema === 'public') {
        const { rows: counted } = await client.query(`select count(*)::bigint as n from only ${relation.name}`)
        rows[relation.parent] = (rows[relation.parent] ?? 0) + Number(counted[0].n)
      }
      progress(n + 1, relations.length)
    }
    const tables = relations.filter(({ kind }) => kind === 'table').length
    return { tables, indexes: relations.length - tables, rows: Object.fromEntries(Object.entries(rows).toSorted()) }
  } finally {
    await client.end().catch(() => {})
  }
}

interface Relation {
  readonly name: string
  readonly kind: 'table' | 'btree' | 'gin'
  readonly parent: string
  readonly schema: string
}

async function relationsOf(client: Client): Promise<Relation[]> {
  const { rows } = await client.query(`
    select class.oid::regclass::text as name, case class.relkind when 'r' then 'table' else am.amname end as kind,
      coalesce(parent.inhparent::regclass, class.oid::regclass)::text as parent, schema.nspname as schema
    from pg_class as class
    join pg_namespace as schema on schema.oid = class.relnamespace
    left join pg_am as am on am.oid = class.relam
    left join pg_inherits as parent on parent.inhrelid = class.oid
    where class.relpersistence = 'p' and schema.nspname in ('public', 'pg_catalog')
      and (class.relkind = 'r' or class.relkind = 'i' and am.amname in ('btree', 'gin'))
    order by class.relkind desc, name`)
  return rows
}

/** What is wrong with a table or index; undefined if nothing is. */
async function damageOf(client: Client, { name, kind }: Relation): Promise<string | undefined> {
  const text = {
    table: 'select msg from verify_heapam($1::regclass, on_error_stop => true, check_toast => true) limit 1',
    btree: 'select null as msg from bt_index_check($1::regclass, true)',
    gin: 'select null as msg from gin_index_check($1::regclass)',
  }[kind]
  try {
    const { rows } = await client.query(text, [name])
    return rows[0]?.msg ?? undefined
  } catch (error) {
    return (error as Error).message
  }
}
