// Keys of a company or of an organization, as the server lists, makes, rotates and deletes them.
import { get, send } from '../../api/request.ts'
import { pagesOf } from './pages-of.ts'
import type { Place } from './place.ts'

export const permissions = ['read', 'create', 'update', 'delete'] as const
type Permission = (typeof permissions)[number]

export interface Key {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly permissions: readonly Permission[]
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly expiresAt?: string
  /** It was rotated, and ends then. */
  readonly deleteAt?: string
}

/** A key with its value, which is answered once. */
export interface NewKey extends Key {
  readonly apiKey: string
}

export const keysQuery = (place: Place) => pagesOf<Key>(place, 'keys', { sortBy: 'createdAt', sortOrder: 'desc' })

interface WantedKey {
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly expiresAt?: string
}

/** `idempotencyKey` is the same for each try of one form, so that a broken connection makes no second key. */
export const createKey = ({ whose, root }: Place, body: WantedKey, idempotencyKey: string): Promise<NewKey> =>
  get<NewKey>(whose, `${root}/keys`, { method: 'POST', body, headers: { 'idempotency-key': idempotencyKey } })

/** Without a time the old key ends now. */
export const rotateKey = (
  { whose, root }: Place,
  id: string,
  deleteOldAt: string | undefined,
  idempotencyKey: string,
): Promise<NewKey> =>
  get<NewKey>(whose, `${root}/keys/${id}/rotate`, {
    method: 'POST',
    body: { ...(deleteOldAt !== undefined && { deleteOldAt }) },
    headers: { 'idempotency-key': idempotencyKey },
  })

export const deleteKey = ({ whose, root }: Place, id: string): Promise<Response> =>
  send(whose, `${root}/keys/${id}`, { method: 'DELETE' })

/** How a key is known where its value is not shown: how it begins and how it ends. */
export const shownKey = ({ prefix, lastFour }: Key): string => `${prefix}…${lastFour}`

/** A line for the shell that uses a key at this service. */
export function curlOf({ apiKey, permissions: has }: NewKey, isCompany: boolean): string {
  const { origin } = window.location
  if (!isCompany) return lines(`curl ${origin}/v1/organization-api/companies`, `-H 'x-org-api-key: ${apiKey}'`)
  const reads = has.includes('read') || !has.includes('create')
  if (reads) return lines(`curl ${origin}/v1/whoami`, `-H 'x-api-key: ${apiKey}'`)
  return lines(
    `curl ${origin}/v1/customer`,
    `-H 'x-api-key: ${apiKey}'`,
    "-H 'content-type: application/json'",
    `-d '{"firstName": "Ada"}'`,
  )
}

/** One line for the shell, over several for people. */
const lines = (...parts: string[]): string => parts.join(' \\\n  ')
