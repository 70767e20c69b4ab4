// Keys: their values, checked by a checksum without a look-up and stored as a hash (decisions §8), and their rows: what creates,
// deletes, ends and lists them, and notifies every server process of it.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { newId } from '../../core/ids.ts'
import { notFound } from '../../core/problem.ts'
import type { Permission } from '../../core/scope.ts'
import { namedValues, type Queryable, type Row } from '../../database/connect.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes = { company: 'posk_', organization: 'poso_' } as const

/** What a key gives access to: one company, or an organization. */
type KeyKind = keyof typeof prefixes

/** Characters of every value. */
export const keyLength = 41

function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = alphabet.charAt(rest % 62) + text
  return text
}

const checksum = (body: string): string => base62(crc32(body), 6)

/** A new value: prefix, 30 random base62 characters, 6 of their CRC32. */
export function newKeyValue(kind: KeyKind): string {
  const body = Array.from({ length: 30 }, () => alphabet.charAt(randomInt(62))).join('')
  return prefixes[kind] + body + checksum(body)
}

/** The kind of a well-formed value; undefined if form or checksum is wrong. */
export function kindOf(value: string): KeyKind | undefined {
  if (!/^pos[ko]_[0-9A-Za-z]{36}$/.test(value) || checksum(value.slice(5, 35)) !== value.slice(35)) return undefined
  return value.startsWith(prefixes.company) ? 'company' : 'organization'
}

/** What is stored of a value: its SHA-256 in hexadecimal. */
export const hashOf = (value: string): string => hash('sha256', value, 'hex')

/** The channel on which all server processes receive a changed key's hash. */
export const keyChannel = 'cashwrap_key'

/** What a key gives access to. */
export type KeyOwner = { readonly companyId: string } | { readonly organizationId: string }

/** A key as lists show it, without its value. */
interface KeyRecord {
  readonly id: string
  readonly companyId?: string
  readonly organizationId?: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly permissions: readonly Permission[]
  /** The resources that it is limited to. */
  readonly resources?: readonly string[]
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly expiresAt?: string
  /** When a rotated key is deleted. */
  readonly deleteAt?: string
}

/** Columns of `api_keys as stored` that `keyOf` reads. */
export const keyColumns = `stored.id, stored.company_id, stored.organization_id, stored.name, stored.prefix, stored.last_four,
  stored.permissions, stored.resources, iso_time(stored.created_at), iso_time(stored.last_used_at), iso_time(stored.expires_at),
  iso_time(stored.delete_at)`

export const keyOf = (row: Row): KeyRecord =>
  namedValues(row, [
    ...(['id', 'companyId', 'organizationId', 'name', 'prefix', 'lastFour', 'permissions', 'resources'] as const),
    ...(['createdAt', 'lastUsedAt', 'expiresAt', 'deleteAt'] as const),
  ])

/** What a new key is to have. */
interface NewKey {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** Only for a key of a company; undefined for all. */
  readonly resources?: readonly string[] | undefined
  readonly expiresAt?: string | undefined
}

/** Creates a key. Its value is in the result and nowhere else. */
export async function createKey(
  database: Queryable,
  owner: KeyOwner,
  { name, permissions, resources, expiresAt }: NewKey,
): Promise<{ id: string; value: string }> {
  const isCompany = 'companyId' in owner
  const value = newKeyValue(isCompany ? 'company' : 'organization')
  const id = newId()
  await database.query(
    `insert into api_keys (id, company_id, organization_id, name, hash, prefix, last_four, permissions, resources, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      isCompany ? owner.companyId : null,
      isCompany ? null : owner.organizationId,
      name,
      hashOf(value),
      value.slice(0, 9),
      value.slice(-4),
      permissions,
      resources ?? null,
      new Date().toISOString(),
      expiresAt ?? null,
    ],
  )
  return { id, value }
}

const companyOf = (owner: KeyOwner | undefined) => (owner && 'companyId' in owner ? owner.companyId : null)
const organizationOf = (owner: KeyOwner | undefined) =>
  owner && 'organizationId' in owner ? owner.organizationId : null

/** Deletes a key, of `owner` if named. Notifies every server process in the same transaction. Throws `not_found`. */
export async function deleteKey(database: Queryable, id: string, owner?: KeyOwner): Promise<void> {
  const rows = await database.query(
    `with gone as (
       delete from api_keys
       where id = $1 and ($2::text is null or company_id = $2) and ($3::text is null or organization_id = $3)
       returning hash
     )
     select pg_notify('${keyChannel}', hash) from gone`,
    [id, companyOf(owner), organizationOf(owner)],
  )
  if (rows.length === 0) throw notFound('key', id)
}

/** Sets the time when a key is deleted, and notifies every server process in the same transaction. */
export async function endKeyAt(transaction: Queryable, id: string, time: string): Promise<void> {
  await transaction.query(
    `with ended as (update api_keys set delete_at = $2 where id = $1 returning hash)
     select pg_notify('${keyChannel}', hash) from ended`,
    [id, time],
  )
}

/** Keys by name, prefix and last four characters, newest first. */
export async function listKeys(database: Queryable, owner?: KeyOwner): Promise<KeyRecord[]> {
  const rows = await database.query(
    `select ${keyColumns} from api_keys as stored
     where ($1::text is null or company_id = $1) and ($2::text is null or organization_id = $2)
       and (delete_at is null or delete_at > now())
     order by created_at desc, id desc`,
    [companyOf(owner), organizationOf(owner)],
  )
  return rows.map(keyOf)
}

/**
 * Makes every server process look the keys of a company up again, because the company was suspended or reactivated. It
 * must be called after changing the company's row, in the same transaction; a concurrent create of a key and this
 * change wait for each other at that row.
 */
export async function dropCompanyKeys(transaction: Queryable, companyId: string): Promise<void> {
  await transaction.query(`select pg_notify('${keyChannel}', hash) from api_keys where company_id = $1`, [companyId])
}
