// Organizations as the operator of the service lists, reads and changes them.
import type { Queryable, Row } from '../../database/connect.ts'
import { later } from '../../engine/date-time.ts'
import { isId, newId } from '../../engine/ids.ts'
import { notFound } from '../../http/problem.ts'

/** An organization as the command line shows it. */
export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  /** The e-mail of its first owner; without one it can onboard nothing. */
  readonly ownerEmail?: string
  readonly companies: number
  readonly createdAt: string
  readonly updatedAt: string
}

const columns = `stored.id, stored.name,
  (select email from organization_owners where organization_id = stored.id order by created_at, id limit 1),
  (select count(*) from companies where organization_id = stored.id), iso_time(stored.created_at), iso_time(stored.updated_at)`

function organizationOf([id, name, ownerEmail, companies, createdAt, updatedAt]: Row): OrganizationRecord {
  return { id, name, ...(ownerEmail !== null && { ownerEmail }), companies, createdAt, updatedAt }
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

/** Changes a name, and the e-mail of the first owner, who is made where there is none; in a transaction. Throws `not_found`. */
export async function changeOrganization(
  transaction: Queryable,
  id: string,
  { name, ownerEmail }: { name?: string | undefined; ownerEmail?: string | undefined },
): Promise<OrganizationRecord> {
  await transaction.query('select 1 from organizations where id = $1 for no key update', [id])
  const before = await readOrganization(transaction, id)
  const time = later(new Date().toISOString(), before.updatedAt)
  if (ownerEmail !== undefined && before.ownerEmail === undefined)
    await transaction.query(
      'insert into organization_owners (organization_id, id, email, created_at) values ($1, $2, $3, $4)',
      [id, newId(), ownerEmail, time],
    )
  else if (ownerEmail !== undefined)
    await transaction.query(
      `update organization_owners set email = $2 where organization_id = $1
         and id = (select id from organization_owners where organization_id = $1 order by created_at, id limit 1)`,
      [id, ownerEmail],
    )
  await transaction.query('update organizations set name = $2, updated_at = $3 where id = $1', [
    id,
    name ?? before.name,
    time,
  ])
  return readOrganization(transaction, id)
}
