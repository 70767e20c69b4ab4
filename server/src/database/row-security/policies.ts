// The policies that hold companies apart in the database, and the rights of the role that they bind: the SQL, and what of it a database lacks.
import type { Queryable } from '../connect.ts'
import { policyName, reachSetting } from './names.ts'

/** Tables of companies whose column is not called company_id. Keys of requests are of a company or of an organization. */
const otherColumns: Readonly<Record<string, string>> = { companies: 'id', idempotency_keys: 'owner_id' }

/** Views that read tables with the rights of their reader instead of their owner. */
const views: readonly string[] = ['import_records', 'export_records']

/** Tables of no company that requests of companies read: the rows that the one in reach belongs to. */
const readTables: Readonly<Record<string, string>> = {
  organizations: 'exists (select from companies where companies.organization_id = organizations.id)',
  plans: 'exists (select from companies where companies.plan_id = plans.id)',
}

/** A queue over all companies to which a trigger of their tables adds: the role reads nothing of it. */
export const notedIn = 'abandoned_objects'

/**
 * A row is of the company in reach. By equality, statements keep the plans that they have without it: it is one condition with their own.
 * Without a setting it is null, and after one it is empty: in both cases no row is.
 */
const conditionOf = (column: string) => `${column} = (select current_setting('${reachSetting}', true))`

/** A table whose readers a policy binds, or should. */
export interface HeldTable {
  readonly name: string
  /** Which rows are in reach. */
  readonly condition: string
  /** Whether they can be written, too. */
  readonly isWritten: boolean
  /** Whether a policy binds its readers. */
  readonly isHeld: boolean
}

/** The tables of companies, and those that are read beside them, as the database has them: without partitions, which the role cannot name. */
export async function heldTables(database: Queryable): Promise<HeldTable[]> {
  const rows = await database.query(
    `select relname, attname, relrowsecurity and exists (select from pg_policy where polrelid = pg_class.oid and polname = $1)
     from pg_class left join pg_attribute on attrelid = pg_class.oid and not attisdropped and attname = coalesce($2::jsonb ->> relname, 'company_id')
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and (attname is not null or relname = any ($3::text[])) order by relname`,
    [policyName, JSON.stringify(otherColumns), Object.keys(readTables)],
  )
  return rows.map(([name, column, isHeld]) => {
    const condition = readTables[name]
    return { name, condition: condition ?? conditionOf(column), isWritten: condition === undefined, isHeld }
  })
}

/** The statements that bind the readers of a table who do not own it. Each takes the table for a moment. */
export const holdingStatements = ({ name, condition }: HeldTable): string =>
  `alter table ${name} enable row level security;
   drop policy if exists ${policyName} on ${name};
   create policy ${policyName} on ${name} using (${condition})`

/** The statements that let a role use these tables, within their policies. It gets no right on any other. */
export function rightsStatements(role: string, schema: string, tables: readonly HeldTable[]): string[] {
  const names = (isWritten: boolean) => tables.filter((table) => table.isWritten === isWritten).map(({ name }) => name)
  return [
    `grant usage on schema ${schema} to ${role}`,
    `grant select, insert, update, delete on ${[...names(true), ...views].join(', ')} to ${role}`,
    `grant select on ${names(false).join(', ')} to ${role}`,
    `grant insert on ${notedIn} to ${role}`,
    `grant usage, select on all sequences in schema ${schema} to ${role}`,
    ...views.map((view) => `alter view ${view} set (security_invoker = true)`),
  ]
}
