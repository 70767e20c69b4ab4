// Keys in PostgreSQL, cached in memory; every server process drops a key from its cache when it is deleted.
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { newId } from '../../core/ids.ts'
import { notFound } from '../../core/problem.ts'
import type { Permission } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { listen } from '../../database/listen.ts'
import type { FindKey, KnownKey } from '../../http/auth/api-key.ts'
import { hashOf, keyLength, kindOf, newKeyValue } from './key-value.ts'

/** API keys cached, so that a request needs no look-up. */
const CACHED_KEYS = 50_000
/** Milliseconds that a key is cached, in case that a connection pooler loses the notice of its deletion. */
const CACHED_KEY_MS = 60_000
/** Milliseconds between two writes of `lastUsedAt`. */
const LAST_USED_FLUSH_MS = 60_000

/** The channel on which all server processes receive a changed key's hash. */
const channel = 'cashwrap_key'

/** What a key gives access to. */
export type KeyOwner = { readonly companyId: string } | { readonly organizationId: string }

/** A key as lists show it, without its value. */
export interface KeyRecord {
  readonly id: string
  readonly companyId?: string
  readonly organizationId?: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly permissions: readonly Permission[]
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly expiresAt?: string
  /** When a rotated key is deleted. */
  readonly deleteAt?: string
}

/** Creates a key. Its value is in the result and nowhere else. */
export async function createKey(
  database: Queryable,
  owner: KeyOwner,
  {
    name,
    permissions,
    expiresAt,
  }: { name: string; permissions: readonly Permission[]; expiresAt?: string | undefined },
): Promise<{ id: string; value: string }> {
  const isCompany = 'companyId' in owner
  const value = newKeyValue(isCompany ? 'company' : 'organization')
  const id = newId()
  await database.query(
    `insert into api_keys (id, company_id, organization_id, name, hash, prefix, last_four, permissions, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      isCompany ? owner.companyId : null,
      isCompany ? null : owner.organizationId,
      name,
      hashOf(value),
      value.slice(0, 9),
      value.slice(-4),
      permissions,
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
     select pg_notify('${channel}', hash) from gone`,
    [id, companyOf(owner), organizationOf(owner)],
  )
  if (rows.length === 0) throw notFound('key', id)
}

/** Sets the time when a key is deleted, and notifies every server process in the same transaction. */
export async function endKeyAt(transaction: Queryable, id: string, time: string): Promise<void> {
  await transaction.query(
    `with ended as (update api_keys set delete_at = $2 where id = $1 returning hash)
     select pg_notify('${channel}', hash) from ended`,
    [id, time],
  )
}

/** Keys by name, prefix and last four characters, newest first. */
export async function listKeys(database: Queryable, owner?: KeyOwner): Promise<KeyRecord[]> {
  const rows = await database.query(
    `select json_strip_nulls(json_build_object(
       'id', id, 'companyId', company_id, 'organizationId', organization_id, 'name', name, 'prefix', prefix,
       'lastFour', last_four, 'permissions', permissions, 'createdAt', iso_time(created_at),
       'lastUsedAt', iso_time(last_used_at), 'expiresAt', iso_time(expires_at), 'deleteAt', iso_time(delete_at)))
     from api_keys
     where ($1::text is null or company_id = $1) and ($2::text is null or organization_id = $2)
       and (delete_at is null or delete_at > now())
     order by created_at desc, id desc`,
    [companyOf(owner), organizationOf(owner)],
  )
  return rows.map(([text]) => JSON.parse(text))
}

/** The problem of keys and members of a suspended company. */
export const suspended = (reason: string | null): string =>
  reason === null ? 'The company is suspended.' : `The company is suspended: ${reason}`

/**
 * Makes every server process look the keys of a company up again: it was suspended or reactivated. Call it after
 * changing the company's row, in the same transaction; creating a key at the same time waits for that row, or is waited
 * for.
 */
export async function dropCompanyKeys(transaction: Queryable, companyId: string): Promise<void> {
  await transaction.query(`select pg_notify('${channel}', hash) from api_keys where company_id = $1`, [companyId])
}

/** The listeners of this process's caches: one, except in tests. */
const caches = new Set<{ caughtUp(): Promise<void> }>()

/** Resolves once every server refuses what was deleted or suspended before: requests that report it await this. */
export const deletionsHeard = async (): Promise<void> => {
  const [any] = caches
  await any?.caughtUp()
}

/** Keys in memory for a running server. `find` is synchronous for a key that was used before. */
interface KeyCache {
  readonly find: FindKey
  /** Stores that a key was used; later, many at once. */
  used(id: string): void
  close(): Promise<void>
}

/**
 * Opens the cache. It is empty while the channel is not known to be alive, so that a deleted key is refused at once.
 */
export function keyCache(database: Database): KeyCache {
  const known = new LRUCache<string, KnownKey>({ max: CACHED_KEYS, ttl: CACHED_KEY_MS })
  // Values that were recently valid: looking them up is not guessing.
  const familiar = new LRUCache<string, true>({ max: CACHED_KEYS })
  const lastUsed = new Map<string, number>()
  // Concurrent look-ups of one key share a statement; a call during a statement waits for the next one, and so sees
  // every earlier deletion.
  const askOnce = singleFlight<KnownKey | undefined>()
  // Increases with every deletion heard: a result from before it is not cached.
  let deletions = 0
  const hearing = listen(database, channel, {
    heard: (hash) => {
      deletions++
      known.delete(hash)
      familiar.delete(hash)
    },
    missed: () => {
      deletions++
      known.clear()
    },
  })

  async function lookUp(hash: string): Promise<KnownKey | undefined> {
    const before = deletions
    const [row] = await database.reserved.query(
      {
        name: 'key_by_hash',
        text: `select key.id, company_id, key.organization_id, permissions,
                 (extract(epoch from least(expires_at, delete_at)) * 1000)::bigint,
                 company.status, company.suspended_reason
               from api_keys as key left join companies as company on company.id = key.company_id
               where hash = $1`,
      },
      [hash],
    )
    if (row === undefined) {
      familiar.delete(hash)
      return undefined
    }
    familiar.set(hash, true)
    const [id, companyId, organizationId, permissions, expiresAt, status, reason] = row
    const key: KnownKey = {
      id,
      companyId: companyId ?? undefined,
      organizationId: organizationId ?? undefined,
      permissions,
      expiresAt: expiresAt ?? undefined,
      suspended: status === 'suspended' ? suspended(reason) : undefined,
    }
    if (hearing.isAlive && before === deletions) known.set(hash, key)
    return key
  }

  async function flush(): Promise<void> {
    if (lastUsed.size === 0) return
    // In one order for all servers, so that two of them never wait for each other's rows.
    const entries = [...lastUsed].sort(([a], [b]) => (a < b ? -1 : 1))
    lastUsed.clear()
    await database
      .query(
        `update api_keys set last_used_at = used.at
         from unnest($1::text[], $2::timestamptz[]) as used(id, at)
         where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`,
        [entries.map(([id]) => id), entries.map(([, at]) => new Date(at).toISOString())],
      )
      .catch(() => {
        for (const [id, at] of entries) if (!lastUsed.has(id)) lastUsed.set(id, at)
      })
  }

  caches.add(hearing)
  const flushing = setInterval(flush, LAST_USED_FLUSH_MS)
  flushing.unref()

  return {
    find(value, mayGuess) {
      if (value.length !== keyLength) return undefined
      const hash = hashOf(value)
      const key = known.get(hash)
      if (key !== undefined) return key
      if (kindOf(value) === undefined) return undefined
      const may = familiar.has(hash) || mayGuess === undefined || mayGuess()
      const ask = () => askOnce(hash, () => lookUp(hash))
      return typeof may === 'boolean' ? (may ? ask() : null) : may.then((isGuess) => (isGuess ? ask() : null))
    },
    used: (id) => void lastUsed.set(id, Date.now()),
    async close() {
      clearInterval(flushing)
      caches.delete(hearing)
      await flush()
      await hearing.close()
    },
  }
}
