// Organizations and companies as the operator of the service lists, reads and changes them, and as the command line and
// the first start create them.

import { later } from '../../core/date-time.ts'
import { newId } from '../../core/ids.ts'
import { RACE_TRIES } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import { type Actor, permissions, Scope } from '../../core/scope.ts'
import { type Database, hasRow, namedValues, type Queryable, type Row, requireRow } from '../../database/connect.ts'
import { createKey, type KeyOwner } from '../keys/key-store.ts'
import { wake } from '../payment-processor/registering.ts'
import { type CompanyRecord, companyColumns, companyOf } from './companies.ts'
import { companyMaker } from './new-company.ts'
import { firstOwner, ownerOf } from './onboarding.ts'

/** An organization as the command line shows it. */
export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  /** Its name on public pages. */
  readonly alias: string
  readonly logo?: string
  /** For its companies that do not set one; without it they use USD. */
  readonly defaultCurrency?: string
  /** The e-mail address of its first owner; without one it cannot onboard companies. */
  readonly ownerEmail?: string
  readonly companies: number
  readonly createdAt: string
  readonly updatedAt: string
}

const columns = `stored.id, stored.name, coalesce(stored.alias, stored.id), stored.logo, stored.default_currency,
  (${firstOwner('email', 'stored.id')}),
  (select count(*) from companies where organization_id = stored.id), iso_time(stored.created_at), iso_time(stored.updated_at)`

const organizationOf = (row: Row): OrganizationRecord =>
  namedValues(row, [
    ...(['id', 'name', 'alias', 'logo', 'defaultCurrency', 'ownerEmail', 'companies'] as const),
    ...(['createdAt', 'updatedAt'] as const),
  ])

/** Organizations, oldest first. */
export async function listOrganizations(database: Queryable): Promise<OrganizationRecord[]> {
  const rows = await database.query(
    `select ${columns} from organizations as stored order by stored.created_at, stored.id`,
  )
  return rows.map(organizationOf)
}

/** Throws `not_found`. */
export async function readOrganization(database: Queryable, id: string): Promise<OrganizationRecord> {
  const statement = `select ${columns} from organizations as stored where stored.id = $1`
  return organizationOf(await requireRow(database, 'organization', id, statement))
}

/**
 * Changes the e-mail address of the first owner, who is created if there is none; in a transaction. Throws `not_found`.
 */
export async function changeOwner(transaction: Queryable, id: string, email: string): Promise<void> {
  await transaction.query('select 1 from organizations where id = $1 for no key update', [id])
  const before = await readOrganization(transaction, id)
  const time = later(new Date().toISOString(), before.updatedAt)
  if (before.ownerEmail === undefined) await insertOwner(transaction, { organizationId: id, id: newId(), email }, time)
  else
    await transaction.query(
      `update organization_owners set email = $2 where organization_id = $1
         and id = (${firstOwner('id', '$1')})`,
      [id, email],
    )
  await transaction.query('update organizations set updated_at = $2 where id = $1', [id, time])
}

const insertOwner = (
  transaction: Queryable,
  { organizationId, id, email }: { organizationId: string; id: string; email: string },
  time: string,
) =>
  transaction.query(
    'insert into organization_owners (organization_id, id, email, created_at) values ($1, $2, $3, $4)',
    [organizationId, id, email, time],
  )

/**
 * A new organization with a plan without limits, and the value of its key. Without an owner it cannot onboard
 * companies.
 */
export async function createOrganization(
  database: Database,
  {
    name,
    ownerEmail,
    defaultCurrency,
  }: { name: string; ownerEmail?: string | undefined; defaultCurrency?: string | undefined },
): Promise<{ organizationId: string; planId: string; apiKey: string; keyId: string; ownerId?: string }> {
  return database.transaction(async (transaction) => {
    const organizationId = newId()
    const planId = newId()
    const ownerId = newId()
    const now = new Date().toISOString()
    await insertOrganization(transaction, { id: organizationId, name, defaultCurrency }, now)
    await transaction.query(
      `insert into plans (id, organization_id, name, is_default, created_at, updated_at) values ($1, $2, 'Unlimited', true, $3, $3)`,
      [planId, organizationId, now],
    )
    if (ownerEmail !== undefined)
      await insertOwner(transaction, { organizationId, id: ownerId, email: ownerEmail }, now)
    const { id: keyId, value: apiKey } = await createKey(transaction, { organizationId }, firstKey)
    return { organizationId, planId, apiKey, keyId, ...(ownerEmail !== undefined && { ownerId }) }
  })
}

/**
 * Inserts its row, with an alias made from the name: organizations created concurrently under one name get different
 * ones. If none is free, the id is the alias.
 */
async function insertOrganization(
  transaction: Queryable,
  { id, name, defaultCurrency }: { id: string; name: string; defaultCurrency: string | undefined },
  now: string,
): Promise<void> {
  const insert = (alias: string, conflict = '') =>
    transaction.query(
      `insert into organizations (id, name, alias, created_at, updated_at, default_currency) values ($1, $2, ${alias}, $3, $3, $4)
       ${conflict} returning 1`,
      [id, name, now, defaultCurrency],
    )
  for (let tries = 0; tries < RACE_TRIES; tries++) {
    const rows = await insert('free_alias($2)', 'on conflict do nothing')
    if (rows.length > 0) return
  }
  await insert('null')
}

const firstKey = { name: 'First key', permissions }

/** A new company, and the value of a key with all permissions. */
interface CompanyWithKey {
  readonly companyId: string
  readonly apiKey: string
  readonly keyId: string
  readonly outletId?: string
  readonly currency: string
}

/**
 * A new company as the operator creates it, without need for an owner of its organization: with an outlet if one is
 * named, with roles and an account if it is to be staffed. `members` are checked. Throws like `companyMaker`.
 */
export async function createCompany(
  database: Database,
  {
    organizationId,
    outletName,
    isStaffed = false,
    ...members
  }: { name: string; organizationId: string; outletName?: string | undefined; isStaffed?: boolean } & Record<
    string,
    unknown
  >,
): Promise<CompanyWithKey> {
  const make = companyMaker(database)
  const made = await database.transaction(async (transaction) => {
    const owner = isStaffed ? await ownerOf(transaction, organizationId) : undefined
    const wanted = { organizationId, members: { email: owner, ...members }, outletName, isStaffed }
    const { company, outletId } = await make(transaction, wanted)
    const { id: keyId, value: apiKey } = await createKey(transaction, { companyId: company.id }, firstKey)
    const { id: companyId, currency } = company
    return { companyId, apiKey, keyId, currency, ...(outletId !== undefined && { outletId }) }
  })
  // Committed, unless the database is a transaction itself; then the loop finds the company later.
  wake()
  return made
}

/** A database whose statements all run in a transaction that is already open. */
export const asDatabase = (database: Database, transaction: Queryable): Database => ({
  ...database,
  ...transaction,
  transaction: (work) => work(transaction),
})

/** The initial data of an empty database. */
export interface FirstTenant {
  readonly organizationId: string
  readonly organizationKey: string
  readonly companyId: string
  readonly companyKey: string
  readonly outletId: string
}

/** Creates an organization, a company with its roles, and an outlet if there is no organization yet; otherwise undefined. */
export async function createFirstTenant(database: Database): Promise<FirstTenant | undefined> {
  return database.transaction(async (transaction) => {
    // If several servers start at once on one database, one creates them and the others see them.
    await transaction.query('select pg_advisory_xact_lock(7270115403)')
    const organizations = await transaction.query('select 1 from organizations limit 1')
    if (organizations.length > 0) return undefined
    const inside = asDatabase(database, transaction)
    const { organizationId, apiKey: organizationKey } = await createOrganization(inside, { name: 'My organization' })
    const members = { name: 'My company', currency: 'EUR' }
    const first = { ...members, organizationId, outletName: 'Main outlet', isStaffed: true }
    const { companyId, apiKey: companyKey, outletId = '' } = await createCompany(inside, first)
    return { organizationId, organizationKey, companyId, companyKey, outletId }
  })
}

/** Companies, oldest first; with an organization, only its own. */
export async function listCompanies(database: Queryable, organizationId?: string): Promise<CompanyRecord[]> {
  const rows = await database.query(
    `select ${companyColumns} from companies as stored
     where $1::text is null or stored.organization_id = $1 order by stored.created_at, stored.id`,
    [organizationId ?? null],
  )
  return rows.map(companyOf)
}

/** How many companies there are. */
export async function countCompanies(database: Queryable): Promise<number> {
  const [row] = await database.query('select count(*) from companies')
  return row?.[0]
}

/** A company of any organization. Throws `not_found`. */
export async function readCompany(database: Queryable, id: string): Promise<CompanyRecord> {
  const statement = `select ${companyColumns} from companies as stored where stored.id = $1`
  return companyOf(await requireRow(database, 'company', id, statement))
}

/** Throws `not_found` if there is no such company or organization. */
export async function requireOwner(database: Queryable, owner: KeyOwner): Promise<void> {
  const [what, table, id] =
    'companyId' in owner
      ? ['company', 'companies', owner.companyId]
      : ['organization', 'organizations', owner.organizationId]
  if (!(await hasRow(database, `select 1 from ${table} where id = $1`, [id]))) throw notFound(what, id)
}

/**
 * The scope of a company for the command line, or for work that the service continues for a caller. Throws `not_found`.
 */
export async function scopeOf(database: Queryable, companyId: string, { keyId, userId }: Actor = {}): Promise<Scope> {
  await requireOwner(database, { companyId })
  // The person's permissions were checked when the work began.
  const user = userId === undefined ? undefined : { id: userId, role: undefined, signInId: '' }
  return Scope.grant(companyId, { keyId, user })
}
