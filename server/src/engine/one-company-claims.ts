// Idempotency keys if tables are distributed by company: separate statements for each owner.

import type { Claim } from '../core/idempotency-claim.ts'
import type { Queryable } from '../database/connect.ts'
import { insertMany, type ManyRows } from './many-rows.ts'

/** A row of `idempotency_keys`, except its owner and time. */
export interface KeptClaim extends Pick<Claim, 'key' | 'fingerprint' | 'query' | 'status'> {
  readonly answer: string | undefined
}

/**
 * The condition under which a claim may be written. Work under a key holds the key's lock until its transaction has
 * ended, and no other work waits for it: a claim without the lock is refused at once. Work that has the lock must see
 * what the previous holder committed. A snapshot may be older than that, but the primary key is always current.
 */
export const mayClaim = (owner: string, key: string): string =>
  `pg_try_advisory_xact_lock(hashtextextended(${owner} || ' ' || ${key}, 0))`

const locked = {
  name: 'idempotency_lock',
  text: `select key from unnest($2::text[]) as key where ${mayClaim('$1', 'key')}`,
}

const claim: ManyRows = {
  name: 'idempotency_claim',
  into: 'insert into idempotency_keys (owner_id, key, fingerprint, query, created_at, status, answer)',
  row: (of) => `$1, ${of(0)}, ${of(1)}, ${of(2)}, $2::timestamptz, ${of(3)}, ${of(4)}`,
  rest: 'on conflict do nothing returning key',
}

/** Writes claims in a transaction; true for each that was written, and false for those whose lock other work holds or whose work is done. */
export async function writeClaims(
  transaction: Queryable,
  ownerId: string,
  now: string,
  claims: readonly KeptClaim[],
): Promise<boolean[]> {
  if (claims.length === 0) return []
  const rows = await transaction.query(locked, [ownerId, claims.map(({ key }) => key)])
  const held = new Set(rows.map(([key]) => key as string))
  const wanted = claims.filter(({ key }) => held.has(key))
  const written = await insertMany(
    transaction,
    claim,
    [ownerId, now],
    wanted.map(({ key, fingerprint, query, status, answer }) => [key, fingerprint, query, status, answer]),
  )
  const own = new Set(written.map(([key]) => key as string))
  // Of two equal keys the first is written.
  return claims.map(({ key }) => own.delete(key))
}
