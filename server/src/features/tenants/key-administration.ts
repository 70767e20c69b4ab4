// Keys as their owners create, list, rotate and delete them: members, rows, and the rules of who grants what. The table of keys, and the cache in
// which a request finds its key, are in features/keys.

import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { isId } from '../../core/ids.ts'
import { bodyError, conflict, invalid, notFound, Problem } from '../../core/problem.ts'
import { organizationOf, type Permission, permissions, type Scope } from '../../core/scope.ts'
import type { Queryable, Row } from '../../database/connect.ts'
import { body } from '../../engine/body.ts'
import {
  choice,
  dateTime,
  type Field,
  id,
  list,
  name,
  reference,
  required,
  serverOwned,
  visibleName,
} from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { keyResources, lackingCustomers, wrongResource } from '../keys/key-resources.ts'
import { createKey, deleteKey, endKeyAt, type KeyOwner, keyColumns, keyOf } from '../keys/key-store.ts'
import { actingPlace } from '../people/memberships.ts'

/** Milliseconds for which a rotated key may stay valid beside the new one: a quarter of a year. */
const KEY_OVERLAP_MS = 90 * 24 * 60 * 60 * 1000

const allowed: Field<Permission[]> = {
  ...list(choice(permissions), { description: 'What the key may do: one permission for each verb.' }),
  canonical: (sent) => permissions.filter((permission) => sent.includes(permission)),
}

const limitedTo: Field<string[]> = {
  ...list(choice(keyResources), {
    description:
      'The only resources that the key gives access to, each named by the first word of its paths, in the singular. Without this member, the key gives access to all. Only for keys of companies.',
    example: ['product', 'variant', 'sale'],
  }),
  canonical: (sent) => keyResources.filter((name) => sent.includes(name)),
  check: (value: unknown, at: string) => {
    const message = Array.isArray(value) ? lackingCustomers(value) : undefined
    return message === undefined ? [] : [bodyError(at, 'customer', message)]
  },
}

/** Declared like a resource; its table is not a resource's. */
export const key = resource(
  {
    name: { one: 'key', many: 'keys' },
    title: 'Keys',
    description: 'A key gives access to a company or an organization. Its value is shown once, when it is created.',
    fields: {
      name: required(
        visibleName({ description: 'Display name of the key, such as the program that uses it.', example: 'Till' }),
      ),
      permissions: required({ ...allowed, schema: { ...allowed.schema, minItems: 1 } }),
      resources: { ...limitedTo, schema: { ...limitedTo.schema, minItems: 1 } },
      expiresAt: {
        ...dateTime({ description: 'When the key expires; without it, the key is valid until it is deleted.' }),
        check: (value: unknown, at: string) =>
          typeof value === 'string' && isDateTime(value) && Date.parse(canonicalDateTime(value)) <= Date.now()
            ? [bodyError(at, 'past', 'must be in the future')]
            : [],
      },
      prefix: serverOwned(name({ description: 'The first characters of the value.' })),
      lastFour: serverOwned(name({ description: 'The last characters of the value.' })),
      companyId: serverOwned(id({ description: 'The company it gives access to.' })),
      organizationId: serverOwned(reference({ description: 'The organization it gives access to.' })),
      lastUsedAt: serverOwned(dateTime({ description: 'When it was last used, to within a minute.' })),
      deleteAt: serverOwned(dateTime({ description: 'When it is deleted, if it was rotated.' })),
    },
    remove: 'hard',
    list: { sort: ['name'], search: ['name'] },
    styleA: null,
    styleB: null,
    example: {
      name: 'Till',
      permissions: ['read', 'create'],
      prefix: 'posk_4fTq',
      lastFour: 'x9Kd',
      companyId: '6740a1f2c3d4e5f6a7b8c900',
    },
  },
  { showsCompany: false, isAppendOnly: true },
)
const { create } = bodySchema(key)

/** What a key has, and can grant: no further permission, and not for longer. */
interface Giver {
  readonly permissions: readonly Permission[]
  readonly expiresAt?: string | undefined
}

/**
 * What the requesting key or person can grant to a key of the owner; a person can grant everything. Locks either until the transaction ends.
 * Throws 401 if the key was just deleted or the sign-in ended, 403 for a person who is no longer an admin.
 */
export async function giverOf(transaction: Queryable, scope: Scope, owner: KeyOwner): Promise<Giver> {
  const { organizationId, keyId, user } = scope
  if (user !== undefined) {
    await actingPlace(transaction, scope, 'admin')
    return { permissions }
  }
  // Serialized, so that of two keys that delete each other one stays. Keys of companies wait only for the end of the key that makes them.
  if ('organizationId' in owner)
    await transaction.query('select 1 from organizations where id = $1 for no key update', [organizationId])
  const [own] = await transaction.query(
    'select permissions, iso_time(least(expires_at, delete_at)) from api_keys where organization_id = $1 and id = $2 for key share',
    [organizationId, keyId],
  )
  if (own === undefined) throw new Problem('invalid_key', 'The key is not valid: it was just deleted.')
  const [allowed, expiresAt] = own
  return { permissions: allowed, expiresAt: expiresAt ?? undefined }
}

/** A body's members, checked. */
interface WantedKey {
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly resources?: readonly string[]
  readonly expiresAt?: string
}

/** Throws 400 for an invalid body. An unknown resource is refused with the name that was probably meant. */
export function wantedOf(sent: unknown): WantedKey {
  const wanted = create(sent)
  if (!(wanted instanceof Problem)) return wanted.set as unknown as WantedKey
  const named = (sent as { readonly resources?: unknown } | null)?.resources
  const errors = wanted.errors.map((error) => {
    const [, n] = /^\/resources\/(\d+)$/.exec(error.pointer) ?? []
    const name: unknown = n === undefined || !Array.isArray(named) ? undefined : named[Number(n)]
    return typeof name === 'string' && error.code === 'enum' ? { ...error, message: wrongResource(name) } : error
  })
  throw invalid(errors)
}

/**
 * Creates a key on behalf of the granting key. Returns its record with its value, which is shown only this once. Throws
 * 403 for a key that would have more permissions or last longer.
 */
export async function makeKey(
  transaction: Queryable,
  owner: KeyOwner,
  wanted: WantedKey,
  giver: Giver,
): Promise<string> {
  if (wanted.resources !== undefined && !('companyId' in owner))
    throw invalid([
      bodyError(
        '/resources',
        'organization_key',
        'must be left out: only keys of companies can be limited to resources',
      ),
    ])
  const tooMuch = wanted.permissions.find((permission) => !giver.permissions.includes(permission))
  if (tooMuch !== undefined)
    throw new Problem('permission_denied', `The key has no permission to ${tooMuch}, so it cannot grant it.`)
  // Both have the same format, in which later is greater.
  if (giver.expiresAt !== undefined && (wanted.expiresAt === undefined || wanted.expiresAt > giver.expiresAt))
    throw new Problem(
      'permission_denied',
      `The key expires, so it cannot create a key that is valid for longer: set expiresAt to at most ${giver.expiresAt}.`,
    )
  const { id, value } = await createKey(transaction, owner, wanted)
  const [row] = await transaction.query(`select ${keyColumns} from api_keys as stored where stored.id = $1`, [id])
  return JSON.stringify({ ...keyOf(row as Row), apiKey: value })
}

/**
 * Deletes a key of an organization, on behalf of another key or a person. Throws `not_found`, and 409 if a key would
 * delete the last key that can create keys and does not expire: the organization would be locked out, at once or once
 * the others have expired. A person can create another.
 */
export async function removeOrganizationKey(
  transaction: Queryable,
  owner: KeyOwner,
  id: string,
  scope: Scope,
): Promise<void> {
  if (id === scope.keyId) throw new Problem('conflict', 'A key cannot delete itself; use another key.')
  if (scope.user !== undefined) return removeKey(transaction, owner, id)
  const lasting = await transaction.query(
    `select id from api_keys where organization_id = $1 and expires_at is null and delete_at is null
       and 'create' = any (permissions) limit 2`,
    [organizationOf({ scope })],
  )
  if (lasting.length === 1 && lasting[0]?.[0] === id)
    throw new Problem(
      'conflict',
      'This is the last key of the organization that does not expire and can create keys; create another such key first.',
    )
  await removeKey(transaction, owner, id)
}

/** Deletes a key of an owner. Throws `not_found`. */
export async function removeKey(transaction: Queryable, owner: KeyOwner, id: string): Promise<void> {
  if (!isId(id)) throw notFound('key', id)
  await deleteKey(transaction, id, owner)
}

const days = KEY_OVERLAP_MS / 24 / 60 / 60 / 1000
const deleteOldAt: Field<string> = {
  ...dateTime({ description: `When the old key is deleted, at most ${days} days ahead; without it, at once.` }),
  check: (value: unknown, at: string) => {
    if (typeof value !== 'string' || !isDateTime(value)) return []
    const ahead = Date.parse(canonicalDateTime(value)) - Date.now()
    if (ahead <= 0) return [bodyError(at, 'past', 'must be in the future; leave it out to delete the old key at once')]
    return ahead > KEY_OVERLAP_MS ? [bodyError(at, 'maximum', `must not be more than ${days} days ahead`)] : []
  },
}

/** The body of a rotation. */
export const rotation = body('KeyRotation', {}, { deleteOldAt }, {})

/**
 * Replaces an owner's key. Returns the new one's record with its value and `replaces`. `actingKeyId` is the requesting
 * key, if it is a key. Throws `not_found`, 403 for what the requester could not grant or delete, 409 for a key that has
 * expired, is already rotated, or would lock itself out.
 */
export async function rotateKey(
  transaction: Queryable,
  owner: KeyOwner,
  id: string,
  { deleteOldAt }: { readonly deleteOldAt?: string },
  giver: Giver,
  actingKeyId?: string,
): Promise<string> {
  if (!giver.permissions.includes('delete'))
    throw new Problem(
      'permission_denied',
      'Rotating a key deletes the old one, and the key has no permission to delete.',
    )
  const [column, ownerId] =
    'companyId' in owner ? ['company_id', owner.companyId] : ['organization_id', owner.organizationId]
  const [row] = isId(id)
    ? await transaction.query(
        `select ${keyColumns} from api_keys as stored where stored.id = $1 and stored.${column} = $2 for update`,
        [id, ownerId],
      )
    : []
  const old = row && keyOf(row)
  const now = new Date().toISOString()
  if (old === undefined || (old.deleteAt !== undefined && old.deleteAt <= now)) throw notFound('key', id)
  if (old.deleteAt !== undefined)
    throw conflict(
      'key_rotated',
      `The key was already rotated; it will be deleted at ${old.deleteAt}. Delete it now if that is too late.`,
    )
  if (old.expiresAt !== undefined && old.expiresAt <= now)
    throw conflict('key_expired', `The key expired at ${old.expiresAt}; create another one.`)
  // If the answer were lost, no valid key would be left to ask again.
  if (id === actingKeyId && deleteOldAt === undefined) {
    const message = 'A key cannot delete itself at once; set deleteOldAt, or use another key.'
    throw new Problem('conflict', message, [bodyError('/deleteOldAt', 'required', message)])
  }
  const { name, permissions, resources, expiresAt } = old
  const same = { name, permissions, ...(resources && { resources }), ...(expiresAt && { expiresAt }) }
  const made = await makeKey(transaction, owner, same, giver)
  if (deleteOldAt === undefined) await deleteKey(transaction, id, owner)
  else await endKeyAt(transaction, id, deleteOldAt)
  return JSON.stringify({ ...JSON.parse(made), replaces: id })
}
