// Organizations as the operator of the service lists, reads and changes them.

import { later } from '../../core/date-time.ts'
import { isId, newId } from '../../core/ids.ts'
import { notFound } from '../../core/problem.ts'
import type { Queryable, Row } from '../../database/connect.ts'

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
  (select email from organization_owners where organization_id = stored.id order by created_at, id limit 1),
  (select count(*) from companies where organization_id = stored.id), iso_time(stored.created_at), iso_time(stored.updated_at)`

function organizationOf([
  id,
  name,
  alias,
  logo,
  defaultCurrency,
  ownerEmail,
  companies,
  createdAt,
  updatedAt,
]: Row): OrganizationRecord {
  const optional = {
    ...(logo !== null && { logo }),
    ...(defaultCurrency !== null && { defaultCurrency }),
    ...(ownerEmail !== null && { ownerEmail }),
  }
  return { id, name, alias, ...optional, companies, createdAt, updatedAt }
}

/** Organizations, oldest first. */
export async function listOrganizations(database: Queryable): Promise<OrganizationRecord[]> {
  const rows = await database.query(
    `select ${columns} from organizations as stored order by stored.created_at, stored.id`,
  )
  return rows.map(organizationOf)
}

/** Throws `not_found`. */
export async function readOrganization(database: Queryable, id: string): Promise<OrganizationRecord> {
  const [row] = isId(id)
    ? await database.query(`select ${columns} from organizations as stored where stored.id = $1`, [id])
    : []
  if (row === undefined) throw notFound('organization', id)
  return organizationOf(row)
}

/**
 * Changes the e-mail address of the first owner, who is created if there is none; in a transaction. Throws `not_found`.
 */
export async function changeOwner(transaction: Queryable, id: string, email: string): Promise<void> {
  await transaction.query('select 1 from organizations where id = $1 for no key update', [id])
  const before = await readOrganization(transaction, id)
  const time = later(new Date().toISOString(), before.updatedAt)
  if (before.ownerEmail === undefined)
    await transaction.query(
      'insert into organization_owners (organization_id, id, email, created_at) values ($1, $2, $3, $4)',
      [id, newId(), email, time],
    )
  else
    await transaction.query(
      `update organization_owners set email = $2 where organization_id = $1
         and id = (select id from organization_owners where organization_id = $1 order by created_at, id limit 1)`,
      [id, email],
    )
  await transaction.query('update organizations set updated_at = $2 where id = $1', [id, time])
}
