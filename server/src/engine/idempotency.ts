// The database side of idempotency keys (decisions §12): the work's own statement or transaction writes the claim, so that neither exists without the other.

import type { BatchItem } from '../concurrency/batch.ts'
import { batcher } from '../concurrency/batcher.ts'
import { type Claim, contextOf, type FindKept, inProgress, type KeptAnswer } from '../core/idempotency-claim.ts'
import { Problem } from '../core/problem.ts'
import type { Database, Queryable, Statement } from '../database/connect.ts'
import { byCompany, gathering } from '../database/one-company.ts'
import { together } from '../database/pipeline.ts'
import { keepsPlan } from '../database/statement.ts'
import type { Answer } from '../http/route.ts'
import { inTransaction, retriedTransaction } from './bisect-on-error.ts'
import { inOne } from './many-rows.ts'
import { type KeptClaim, mayClaim, writeClaims } from './one-company-claims.ts'

/** Characters of a response that is stored under an idempotency key: several times that of a bulk of 10 MB. */
export const KEPT_CHARACTERS = 64 * 1024 * 1024

/** A claim, and the text of the response to its request. */
export interface AnsweredClaim {
  readonly claim: Claim
  readonly answer: string
  /** The row holds the same text as its body, so that it need not be sent twice. */
  readonly isBody?: boolean
}

/** Parameters of the claims of some rows: the row's number from 1, and the values of `claiming`'s columns. */
export function claimValues(rows: readonly { readonly claims: readonly AnsweredClaim[] }[]): unknown[][] {
  const all = rows.flatMap(({ claims }, n) => claims.map((claimed) => ({ row: n + 1, ...claimed })))
  return [all.map(({ row }) => row), ...claimColumns(all)]
}

const fingerprintOf = ({ claim: { seal, fingerprint } }: AnsweredClaim): string => seal?.(fingerprint) ?? fingerprint

/** A claim as its row keeps it; `body` is the text for one without its own response. */
export const keptClaim = (claimed: AnsweredClaim, body?: string): KeptClaim => ({
  key: claimed.claim.key,
  fingerprint: fingerprintOf(claimed),
  query: claimed.claim.query,
  status: claimed.claim.status,
  answer: keptText(claimed) ?? body,
})

const claimColumns = (claims: readonly AnsweredClaim[]): unknown[][] => [
  claims.map(({ claim }) => claim.key),
  claims.map(fingerprintOf),
  claims.map(({ claim }) => claim.query),
  claims.map(({ claim }) => claim.status),
  claims.map(keptText),
]

/**
 * SQL that writes the claims of `rows` at the time $1; the six parameters of `claimValues` begin with number `first`.
 * Each row has a number, `company_id`, and in `body` the text for a claim without its own response. `refused` then has
 * the numbers of the rows whose claim was refused: they must not be written. If a row gets one claim and not another,
 * `failing` fails the whole statement, since a claim must never exist without its work.
 */
export const claiming = (rows: string, first: number): string => `
      claim as materialized (
        select * from unnest($${first}::int[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::int[], $${first + 5}::text[])
          as claim(number, key, fingerprint, query, status, answer)
      ), claimed as (
        insert into idempotency_keys (owner_id, key, fingerprint, query, created_at, status, answer)
        select item.company_id, claim.key, claim.fingerprint, claim.query, $1::timestamptz, claim.status, coalesce(claim.answer, item.body::text)
        from ${rows} as item join claim using (number)
        where ${mayClaim('item.company_id', 'claim.key')}
        on conflict do nothing
        returning owner_id, key
      ), refused as materialized (
        select number, count(claimed.key) as had
        from ${rows} as item join claim using (number)
        left join claimed on claimed.owner_id = item.company_id and claimed.key = claim.key
        group by number having count(claimed.key) < count(*)
      )`
/** Divides by zero to make the statement fail. */
export const failing = '(select max(1 / (had = 0)::int) from refused)'

/** The response as it is kept; undefined where it is the row's body. */
function keptText({ claim, answer, isBody }: AnsweredClaim): string | undefined {
  if (claim.seal) return claim.seal(answer)
  return isBody ? undefined : answer
}

const claimAs = (name: string, claims: string): Statement => ({
  name,
  text: `
      insert into idempotency_keys (owner_id, key, fingerprint, query, created_at, status, answer)
      select owner_id, key, fingerprint, query, $1::timestamptz, status, answer
      from ${claims} as claim(owner_id, key, fingerprint, query, status, answer)
      where ${mayClaim('owner_id', 'key')}
      on conflict do nothing
      returning owner_id, key`,
})
const claimMany = claimAs(
  'idempotency_claim',
  'unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[])',
)
/**
 * The driver escapes each quote in an array's texts, which takes 50 ms for a response of 10 MB. A single parameter is
 * sent as it is.
 */
const claimOne = claimAs(
  'idempotency_claim_one',
  '(values ($2::text, $3::text, $4::text, $5::text, $6::int, $7::text))',
)

/** Writes claims whose requests changed nothing; true for each that was written. */
export async function claimAlone(database: Queryable, claims: readonly AnsweredClaim[]): Promise<boolean[]> {
  if (database.isSharded) return claimByOwner(database, claims)
  const columns = [claims.map(({ claim }) => claim.ownerId), ...claimColumns(claims)]
  const isOne = claims.length === 1
  const rows = await database.query(isOne ? claimOne : claimMany, [
    new Date().toISOString(),
    ...(isOne ? columns.flat() : columns),
  ])
  const written = new Set(rows.map(([ownerId, key]) => contextOf({ ownerId, key })))
  return claims.map(({ claim }) => written.has(contextOf(claim)))
}

/** The same by statements of one owner each. */
async function claimByOwner(database: Queryable, claims: readonly AnsweredClaim[]): Promise<boolean[]> {
  const now = new Date().toISOString()
  const written = new Map<AnsweredClaim, boolean>()
  for (const own of byCompany(database, claims, ({ claim }) => claim.ownerId)) {
    const [{ claim }] = own as [AnsweredClaim]
    const kept = own.map((claimed) => keptClaim(claimed))
    const results = await inOne(database, (transaction) => writeClaims(transaction, claim.ownerId, now, kept))
    for (const [n, claimed] of own.entries()) written.set(claimed, results[n] as boolean)
  }
  return claims.map((claimed) => written.get(claimed) ?? false)
}

/**
 * Carries out work of several statements under a claim, in one transaction with its response. The response must not set
 * headers or a content type. Without a claim the work gets the database itself, and begins a transaction where it needs
 * one. Throws `idempotency_in_progress` when the work is in progress elsewhere or was done before; the kept response is
 * looked up then (http/idempotency.ts).
 */
export async function once(
  database: Database,
  claim: Claim | undefined,
  work: (connection: Database | Queryable) => Promise<Answer>,
): Promise<Answer> {
  if (claim === undefined) return work(database)
  return retriedTransaction(database, async (transaction) => {
    if (!(await holdClaims(transaction, [claim]))[0]) throw inProgress()
    const answer = await work(transaction)
    await keepResponses(transaction, [{ claim, answer }])
    return answer
  })
}

/** The same for work that always is one transaction: returns its response once it is committed, and keeps it where there is a claim. */
export const transacted = (
  database: Database,
  claim: Claim | undefined,
  work: (transaction: Queryable) => Promise<Answer>,
): Promise<Answer> => once(database, claim, (connection) => inTransaction(database, connection, work))

/**
 * Locks claims until the transaction ends; false for each claim that is in use elsewhere or whose work was done before.
 * Work under a locked claim must store its response in the same transaction.
 */
export async function holdClaims(transaction: Queryable, claims: readonly Claim[]): Promise<boolean[]> {
  if (claims.length === 0) return []
  const parameters = [claims.map(({ ownerId }) => ownerId), claims.map(({ key }) => key)]
  const items = 'unnest($1::text[], $2::text[]) with ordinality as item(owner_id, key, number)'
  const hold = {
    name: 'idempotency_hold',
    text: `select number::int from ${items} where ${mayClaim('owner_id', 'key')}`,
  }
  const find = {
    name: 'idempotency_done',
    text: `select number::int from ${items} join idempotency_keys using (owner_id, key) where ${keepsPlan('item.number')}`,
  }
  // Two statements: the search must begin after the lock was granted.
  const [locked, done] = await together(transaction, [
    () => transaction.query(hold, parameters),
    () => transaction.query(find, parameters),
  ])
  const held = new Set(locked.map(([number]) => number))
  for (const [number] of done) held.delete(number)
  // A transaction can take its own locks again, so of two equal claims only the first counts as locked.
  const seen = new Set<string>()
  return claims.map((claim, n) => {
    const name = contextOf(claim)
    const isFirst = !seen.has(name)
    seen.add(name)
    return isFirst && held.has(n + 1)
  })
}

/** Keeps the responses of work under locked claims, in its transaction. */
export async function keepResponses(
  transaction: Queryable,
  done: readonly { readonly claim: Claim; readonly answer: Answer }[],
): Promise<void> {
  if (done.length === 0) return
  for (const { answer } of done) {
    // They are not stored, so a replay would lack them.
    if (answer.headers || answer.contentType)
      throw new Error(
        'A response that is kept for retries consists of a status and JSON: it cannot have headers or a content type.',
      )
    if (answer.body.length > KEPT_CHARACTERS)
      throw new Problem(
        'payload_too_large',
        'The response would be too long to be kept for retries. Send fewer items at once.',
      )
  }
  const kept = done.map(({ claim, answer }) => ({ claim: { ...claim, status: answer.status }, answer: answer.body }))
  if ((await claimAlone(transaction, kept)).includes(false)) throw inProgress()
}

/** Makes the function that looks up what is stored under keys; concurrent look-ups share a statement. */
export function findKept(database: Database): FindKept {
  const findMany = async (items: (BatchItem & { readonly claim: Claim })[]) => {
    const claims = items.map(({ claim }) => claim)
    const rows = await database.query(
      {
        name: 'idempotency_find',
        text: `
        select item.ordinality::int, kept.fingerprint, kept.query, kept.status, kept.answer
        from unnest($1::text[], $2::text[]) with ordinality as item(owner_id, key, ordinality)
        join idempotency_keys as kept on kept.owner_id = item.owner_id and kept.key = item.key
        where ${keepsPlan('item.ordinality')}`,
      },
      [claims.map(({ ownerId }) => ownerId), claims.map(({ key }) => key)],
    )
    const found: (KeptAnswer | undefined)[] = new Array(claims.length).fill(undefined)
    for (const [ordinal, fingerprint, query, status, answer] of rows)
      found[ordinal - 1] = { fingerprint, query, status, answer }
    return found
  }
  const find = batcher(findMany, gathering(database))
  // The owner of the key takes turns, whether it is an organization or a company.
  return (claim, isGone) => find({ scope: { companyId: claim.ownerId }, claim, isGone })
}
