// Keys in memory, so that a request needs no look-up; every server process drops a key from its cache when it is deleted.

import { singleFlight } from '../../concurrency/single-flight.ts'
import { lruCache } from '../../core/lru-cache.ts'
import type { Database } from '../../database/connect.ts'
import { listen } from '../../database/listen.ts'
import type { FindKey, KnownKey } from '../../http/auth/api-key.ts'
import { hashOf, keyChannel, keyLength, kindOf } from './key-store.ts'

/** API keys cached, so that a request needs no look-up. */
const CACHED_KEYS = 50_000
/** Milliseconds that a key is cached, in case that a connection pooler loses the notice of its deletion. */
const CACHED_KEY_MS = 60_000
/** Milliseconds between two writes of `lastUsedAt`. */
const LAST_USED_FLUSH_MS = 60_000

/** The listeners of this process's caches: one, except in tests. */
const listeners = new Set<{ caughtUp(): Promise<void> }>()

/**
 * Resolves once every server refuses what was deleted or suspended before the call. Requests that delete or suspend
 * await this before they answer.
 */
export const deletionsHeard = async (): Promise<void> => {
  await Promise.all([...listeners].map((listener) => listener.caughtUp()))
}

/** Keys in memory for a running server. It is empty while the channel is not known to be alive, so that a deleted key is refused at once. */
export class KeyCache {
  readonly #database: Database
  readonly #known = lruCache<string, KnownKey>(CACHED_KEYS, { ttl: CACHED_KEY_MS })
  /** Values that were recently valid: looking them up is not guessing. */
  readonly #familiar = lruCache<string, true>(CACHED_KEYS)
  readonly #lastUsed = new Map<string, number>()
  /** Concurrent look-ups of one key share a statement; a call during a statement waits for the next one, and so sees every earlier deletion. */
  readonly #askOnce = singleFlight<KnownKey | undefined>()
  /** Increases with every deletion heard: a result from before it is not cached. */
  #deletions = 0
  readonly #listener: ReturnType<typeof listen>
  readonly #flushing: NodeJS.Timeout

  constructor(database: Database) {
    this.#database = database
    this.#listener = listen(database, keyChannel, {
      heard: (hash) => {
        this.#deletions++
        this.#known.delete(hash)
        this.#familiar.delete(hash)
      },
      missed: () => {
        this.#deletions++
        this.#known.clear()
      },
    })
    listeners.add(this.#listener)
    this.#flushing = setInterval(() => void this.#flush(), LAST_USED_FLUSH_MS).unref()
  }

  /** Finds a key by its value; at once if it was used before. */
  readonly find: FindKey = (value, mayGuess) => {
    if (value.length !== keyLength) return undefined
    const hash = hashOf(value)
    const key = this.#known.get(hash)
    if (key !== undefined) return key
    if (kindOf(value) === undefined) return undefined
    const allowed = this.#familiar.has(hash) || mayGuess === undefined || mayGuess()
    const ask = () => this.#askOnce(hash, () => this.#lookUp(hash))
    if (typeof allowed === 'boolean') return allowed ? ask() : null
    return allowed.then((isAllowed) => (isAllowed ? ask() : null))
  }

  /** Stores that a key was used; later, many at once. */
  readonly used = (id: string): void => {
    this.#lastUsed.set(id, Date.now())
  }

  async close(): Promise<void> {
    clearInterval(this.#flushing)
    listeners.delete(this.#listener)
    await this.#flush()
    await this.#listener.close()
  }

  async #lookUp(hash: string): Promise<KnownKey | undefined> {
    const before = this.#deletions
    const [row] = await this.#database.reserved.query(
      {
        name: 'key_by_hash',
        text: `select key.id, company_id, key.organization_id, permissions, resources,
                 (extract(epoch from least(expires_at, delete_at)) * 1000)::bigint,
                 company.status, company.suspended_reason
               from api_keys as key left join companies as company on company.id = key.company_id
               where hash = $1`,
      },
      [hash],
    )
    if (row === undefined) {
      this.#familiar.delete(hash)
      return undefined
    }
    this.#familiar.set(hash, true)
    const [id, companyId, organizationId, permissions, resources, expiresAt, status, reason] = row
    const key: KnownKey = {
      id,
      companyId: companyId ?? undefined,
      organizationId: organizationId ?? undefined,
      permissions,
      resources: resources === null ? undefined : new Set<string>(resources),
      expiresAt: expiresAt ?? undefined,
      suspended: status === 'suspended' ? (reason ?? '') : undefined,
    }
    if (this.#listener.isAlive && before === this.#deletions) this.#known.set(hash, key)
    return key
  }

  async #flush(): Promise<void> {
    if (this.#lastUsed.size === 0) return
    // In one order for all servers, so that two of them never wait for each other's rows.
    const entries = [...this.#lastUsed].sort(([a], [b]) => (a < b ? -1 : 1))
    this.#lastUsed.clear()
    await this.#database
      .query(
        `update api_keys set last_used_at = used.at
         from unnest($1::text[], $2::timestamptz[]) as used(id, at)
         where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`,
        [entries.map(([id]) => id), entries.map(([, at]) => new Date(at).toISOString())],
      )
      .catch(() => {
        for (const [id, at] of entries) if (!this.#lastUsed.has(id)) this.#lastUsed.set(id, at)
      })
  }
}
