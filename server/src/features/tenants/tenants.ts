// Organizations and companies as the command line and the first start make them.

import { newId } from '../../core/ids.ts'
import { RACE_TRIES } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import { type Actor, permissions, Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { createKey, type KeyOwner } from '../keys/key-store.ts'
import { wake } from '../payment-processor/registering.ts'
import { type CompanyRecord, companyColumns, companyOf } from './company-record.ts'
import { companyMaker } from './new-company.ts'
import { ownerOf } from './onboarding.ts'

/** A new organization with a plan without limits, and the value of its key. Without an owner it can onboard nothing. */
export async function createOrganization(
  database: Database,
  {
    name,
    ownerEmail,
    defaultCurrency,
  }: { name: string; ownerEmail?: string | undefined; defaultCurrency?: string | undefined },
): Promise<{ organizationId: string; planId: string; apiKey: string; keyId: string; ownerId?: string }> {
  return database.transaction(async (transaction) => {
    const [organizationId, planId, ownerId, now] = [newId(), newId(), newId(), new Date().toISOString()]
    await insertOrganization(transaction, { id: organizationId, name, defaultCurrency }, now)
    await transaction.query(
      `insert into plans (id, organization_id, name, is_default, created_at, updated_at) values ($1, $2, 'Unlimited', true, $3, $3)`,
      [planId, organizationId, now],
    )
    if (ownerEmail !== undefined)
      await transaction.query(
        'insert into organization_owners (organization_id, id, email, created_at) values ($1, $2, $3, $4)',
        [organizationId, ownerId, ownerEmail, now],
      )
    const { id: keyId, value: apiKey } = await createKey(transaction, { organizationId }, firstKey)
    return { organizationId, planId, apiKey, keyId, ...(ownerEmail !== undefined && { ownerId }) }
  })
}

/**
 * Writes its row, with an alias made of the name: of several that are made at once under one name, each gets one of its
 * own. Where none is to be had, the id stands in for it.
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
 * A new company as the operator makes it, who needs no owner of its organization: with an outlet when that is named, with
 * roles and an account when it is to be staffed. `members` are checked. Throws as `companyMaker` says.
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
  // Committed, unless the database is a transaction itself; then the loop finds the company by itself.
  wake()
  return made
}

/** A database of which all is done in a transaction that is already open. */
export const asDatabase = (database: Database, transaction: Queryable): Database => ({
  ...database,
  ...transaction,
  transaction: (work) => work(transaction),
})

/** What an empty database begins with. */
export interface FirstTenant {
  readonly organizationId: string
  readonly organizationKey: string
  readonly companyId: string
  readonly companyKey: string
  readonly outletId: string
}

/** Makes an organization, a company and an outlet where there is no organization yet; undefined where there is one. */
export async function createFirstTenant(database: Database): Promise<FirstTenant | undefined> {
  return database.transaction(async (transaction) => {
    // Of several servers that start at once on one database, one makes them and the others see that they are there.
    await transaction.query('select pg_advisory_xact_lock(7270115403)')
    const organizations = await transaction.query('select 1 from organizations limit 1')
    if (organizations.length > 0) return undefined
    const inside = asDatabase(database, transaction)
    const { organizationId, apiKey: organizationKey } = await createOrganization(inside, { name: 'My organization' })
    const first = { name: 'My company', currency: 'EUR', organizationId, outletName: 'Main outlet' }
    const { companyId, apiKey: companyKey, outletId = '' } = await createCompany(inside, first)
    return { organizationId, organizationKey, companyId, companyKey, outletId }
  })
}

/** Companies, oldest first; of one organization when it is named. */
export async function listCompanies(database: Queryable, organizationId?: string): Promise<CompanyRecord[]> {
  const rows = await database.query(
    `select ${companyColumns} from companies as stored
     where $1::text is null or stored.organization_id = $1 order by stored.created_at, stored.id`,
    [organizationId ?? null],
  )
  return rows.map(companyOf)
}

/** A company, whoever's it is. Throws `not_found`. */
export async function readCompany(database: Queryable, id: string): Promise<CompanyRecord> {
  const [row] = await database.query(`select ${companyColumns} from companies as stored where stored.id = $1`, [id])
  if (row === undefined) throw notFound('company', id)
  return companyOf(row)
}

/** Throws `not_found` when there is no such company or organization. */
export async function requireOwner(database: Queryable, owner: KeyOwner): Promise<void> {
  const [what, table, id] =
    'companyId' in owner
      ? ['company', 'companies', owner.companyId]
      : ['organization', 'organizations', owner.organizationId]
  const rows = await database.query(`select 1 from ${table} where id = $1`, [id])
  if (rows.length === 0) throw notFound(what, id)
}

/** The scope of a company for the command line, or for what a key or a person began and the service goes on with. Throws `not_found`. */
export async function scopeOf(database: Queryable, companyId: string, { keyId, userId }: Actor = {}): Promise<Scope> {
  await requireOwner(database, { companyId })
  // What a person may do was looked at when it began.
  const user = userId === undefined ? undefined : { id: userId, role: undefined, signInId: '' }
  return Scope.grant(companyId, keyId, undefined, user)
}
