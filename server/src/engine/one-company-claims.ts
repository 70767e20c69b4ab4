// Idempotency keys if tables are distributed by company: separate statements for each owner.

import type { Queryable } from '../database/connect.ts'
import { insertMany, type ManyRows } from './many-rows.ts'

/** A row of `idempotency_keys`, except its owner and time. */
export interface KeptClaim {
  readonly key: string
  readonly fingerprint: string
  readonly query: string
  readonly status: number
  readonly answer: string | undefined
}

const locked = {
  name: 'idempotency_lock',
  text: `select key from unnest($2::text[]) as key where pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || key, 0))`,
}

const claim: ManyRows = {
  name: 'idempotency_claim',
  into: 'insert into idempotency_keys (owner_id, key, fingerprint, query, created_at, status, answer)',
  row: (of) => `$1, ${of(0)}, ${of(1)}, ${of(2)}, $2::timestamptz, ${of(3)}, ${of(4)}`,
  rest: 'on conflict do nothing returning key',
}

/**
 * Writes claims in a transaction; true for each that was written. A claim whose lock other work holds is refused
 * without waiting, and so is one whose work is done: the primary key sees its row, whatever the snapshot.
 */
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
