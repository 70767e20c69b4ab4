// Rotating a key: a new key replaces it, and the old one is deleted at once or at a chosen time.

import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { isId } from '../../core/ids.ts'
import { KEY_OVERLAP_MS } from '../../core/limits.ts'
import { bodyError, notFound, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { dateTime } from '../../engine/field.ts'
import { bodySchema, checked } from '../../engine/schema.ts'
import { deleteKey, endKeyAt, type KeyOwner } from '../keys/key-store.ts'
import { type Giver, keyColumns, keyOf, makeKey } from './keys.ts'

const days = KEY_OVERLAP_MS / 24 / 60 / 60 / 1000
const fields = {
  deleteOldAt: {
    ...dateTime({ description: `When the old key is deleted, at most ${days} days ahead; without it, at once.` }),
    check: (value: unknown, at: string) => {
      if (typeof value !== 'string' || !isDateTime(value)) return []
      const ahead = Date.parse(canonicalDateTime(value)) - Date.now()
      if (ahead <= 0)
        return [bodyError(at, 'past', 'must be in the future; leave it out to delete the old key at once')]
      return ahead > KEY_OVERLAP_MS ? [bodyError(at, 'maximum', `must not be more than ${days} days ahead`)] : []
    },
  },
}
const { create } = bodySchema({ fields, requireOneOf: [] })

/** The body of the request. */
export const rotation = {
  document: {
    schema: {
      title: 'KeyRotation',
      type: 'object',
      properties: { deleteOldAt: fields.deleteOldAt.schema },
      unevaluatedProperties: false,
    },
    example: {},
  },
  /** Throws 400. */
  read: (body: unknown) => checked(create(body)).set as { readonly deleteOldAt?: string },
}

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
    throw new Problem(
      'conflict',
      `The key was already rotated; it is deleted at ${old.deleteAt}. Delete it if that is too late.`,
    )
  if (old.expiresAt !== undefined && old.expiresAt <= now)
    throw new Problem('conflict', `The key expired at ${old.expiresAt}; create another one.`)
  // If the answer were lost, no valid key would be left to ask again.
  if (id === actingKeyId && deleteOldAt === undefined)
    throw new Problem('conflict', 'A key cannot delete itself at once; set deleteOldAt, or use another key.')
  const { name, permissions, expiresAt } = old
  const made = await makeKey(transaction, owner, { name, permissions, ...(expiresAt && { expiresAt }) }, giver)
  if (deleteOldAt === undefined) await deleteKey(transaction, id, owner)
  else await endKeyAt(transaction, id, deleteOldAt)
  return JSON.stringify({ ...JSON.parse(made), replaces: id })
}
