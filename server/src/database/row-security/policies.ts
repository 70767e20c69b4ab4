// The policies that hold companies apart in the database, and the rights of the role that they bind: the SQL, and what of it a database lacks.
import { createHash } from 'node:crypto'
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
const notedIn = 'abandoned_objects'

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
  /** Whether a policy with this condition, as PostgreSQL has it, binds its readers. */
  readonly isHeld: boolean
}

/** The tables of companies, and those that are read beside them, as the database has them: without partitions, which the role cannot name. */
export async function heldTables(database: Queryable): Promise<HeldTable[]> {
  const rows = await database.query(
    `select relname, attname, relrowsecurity, pg_get_expr(polqual, polrelid), obj_description(pg_policy.oid, 'pg_policy')
     from pg_class left join pg_attribute on attrelid = pg_class.oid and not attisdropped and attname = coalesce($2::jsonb ->> relname, 'company_id')
       left join pg_policy on polrelid = pg_class.oid and polname = $1 and polpermissive and polcmd = '*' and polroles = '{0}' and polwithcheck is null
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and (attname is not null or relname = any ($3::text[])) order by relname`,
    [policyName, JSON.stringify(otherColumns), Object.keys(readTables)],
  )
  return rows.map(([name, column, isBound, expression, mark]) => {
    const isWritten = readTables[name] === undefined
    const condition = readTables[name] ?? conditionOf(column)
    return { name, condition, isWritten, isHeld: isBound && mark === markOf(condition, expression) }
  })
}

/** The comment of a policy: it changes with the condition, and with what PostgreSQL has made of it, so that another condition is seen. */
const markOf = (condition: string, expression: string): string =>
  `cashwrap ${createHash('sha256').update(`${condition}\n${expression}`).digest('hex').slice(0, 32)}`

/** Binds the readers of a table who do not own it. It takes the table for a moment. */
export async function holdTable(transaction: Queryable, { name, condition }: HeldTable): Promise<void> {
  await transaction.query(
    `alter table ${name} enable row level security;
     drop policy if exists ${policyName} on ${name};
     create policy ${policyName} on ${name} using (${condition})`,
  )
  const [policy] = await transaction.query(
    'select pg_get_expr(polqual, polrelid) from pg_policy where polrelid = $1::regclass and polname = $2',
    [name, policyName],
  )
  await transaction.query(`comment on policy ${policyName} on ${name} is '${markOf(condition, policy?.[0])}'`)
}

/** The statements that remove policies of others which show a role more than the company in reach: one policy that does is enough. */
export async function openingPolicies(database: Queryable, role: string): Promise<string[]> {
  const rows = await database.query(
    `select format('drop policy %I on %s;', polname, polrelid::regclass)
     from pg_policy join pg_class on pg_class.oid = polrelid and relnamespace = current_schema()::regnamespace
     where polname <> $1 and polpermissive and (0 = any (polroles) or $2::text::regrole = any (polroles)) order by 1`,
    [policyName, role],
  )
  return rows.map(([statement]) => statement)
}

const allOf = ['select', 'insert', 'update', 'delete']

/** Whether a role lacks one of the rights below, or a view reads with the rights of its owner. */
export async function lacksRights(database: Queryable, role: string, tables: readonly HeldTable[]): Promise<boolean> {
  const rights = Object.fromEntries([
    ...tables.map(({ name, isWritten }) => [name, isWritten ? allOf : ['select']]),
    ...views.map((view) => [view, allOf]),
    [notedIn, ['insert']],
  ])
  const lacking = await database.query(
    `select from pg_class, jsonb_array_elements_text($2::jsonb -> relname) as needed
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not has_table_privilege($1, oid, needed)
     union all select from pg_class where relnamespace = current_schema()::regnamespace
       and case relkind when 'S' then not (has_sequence_privilege($1, oid, 'usage') and has_sequence_privilege($1, oid, 'select')) end
     union all select from pg_class where relnamespace = current_schema()::regnamespace and relname = any ($3::text[])
       and not coalesce('security_invoker=true' = any (reloptions), false)
     union all select where not has_schema_privilege($1, current_schema(), 'usage') limit 1`,
    [role, JSON.stringify(rights), views],
  )
  return lacking.length > 0
}

/** The statements that let a role use these tables, within their policies. It gets no right on any other. */
export function rightsStatements(role: string, schema: string, tables: readonly HeldTable[]): string[] {
  const names = (isWritten: boolean) => tables.filter((table) => table.isWritten === isWritten).map(({ name }) => name)
  return [
    `grant usage on schema ${schema} to ${role}`,
    `grant ${allOf.join(', ')} on ${[...names(true), ...views].join(', ')} to ${role}`,
    `grant select on ${names(false).join(', ')} to ${role}`,
    `grant insert on ${notedIn} to ${role}`,
    `grant usage, select on all sequences in schema ${schema} to ${role}`,
    ...views.map((view) => `alter view ${view} set (security_invoker = true)`),
  ]
}
