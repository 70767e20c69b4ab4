// Upserts: each creates or updates the record with an id of another system. Two upserts of the same id never make two
// records (decision 43).

import type { Condition } from '../core/etag.ts'
import { madeOf } from '../core/long-values.ts'
import { bodyError, invalid, Problem } from '../core/problem.ts'
import { type Queryable, serializationFailure } from '../database/connect.ts'
import { equals, keepsPlan } from '../database/statement.ts'
import type { Operations } from './operations.ts'
import type { Item, ItemResult } from './record.ts'
import { type Resource, spoken } from './resource.ts'

/**
 * Locks of one company and resource, chosen by the hash of the pair. A bulk request takes this many at most, since
 * PostgreSQL's table of locks is small. Different pairs seldom share one.
 */
const LOCKS = 64
/** Ids that a conflict names. */
const IDS_NAMED = 10

/** What another system calls a record: its id there and, where the resource has a `source`, the system. */
export type Pair = Readonly<Record<string, string>>

/** What is stored at the record of a pair. */
export interface ItemWithPair extends Item {
  readonly pair: Pair
  readonly ifMatch?: Condition | undefined
}

/** The members of a resource's pair, in their order in paths; none where it has no `externalId`. */
export function pairMembers({ fields }: Pick<Resource, 'fields'>): readonly string[] {
  if (fields.externalId === undefined) return []
  return fields.source === undefined ? ['externalId'] : ['source', 'externalId']
}

/** The pair as text: equal for equal pairs only. */
export const pairText = (pair: Pair): string => JSON.stringify(Object.values(pair))

/**
 * Creates or updates the records of pairs in a transaction. Items of one pair are carried out one after the other, each
 * after those of other transactions. A plain create takes no lock, so it may make a second record of a pair.
 */
export async function upsertMany(
  operations: Operations,
  transaction: Queryable,
  items: readonly ItemWithPair[],
): Promise<ItemResult[]> {
  if (items.length > 0) await lockPairs(operations.resource, transaction, items)
  const results = new Map<ItemWithPair, ItemResult>()
  for (let waiting = items; waiting.length > 0; ) {
    const { firsts, others } = firstOfEach(waiting)
    await upsertDistinct(operations, transaction, firsts, results)
    waiting = others
  }
  return items.map((item) => results.get(item) as ItemResult)
}

/** The first item of each pair, and the later items of the same pairs. An item without a pair counts as a first one. */
export function firstOfEach<Some extends Item & { readonly pair?: Pair | undefined }>(items: readonly Some[]) {
  const names = new Set<string>()
  const firsts: Some[] = []
  const others: Some[] = []
  for (const item of items) {
    const name = item.pair && `${item.scope.companyId} ${pairText(item.pair)}`
    if (name === undefined || names.size < names.add(name).size) firsts.push(item)
    else others.push(item)
  }
  return { firsts, others }
}

/**
 * Waits until earlier transactions with locks on the pairs have ended. Locks are taken in the same order, so that two
 * requests never wait for each other.
 */
export async function lockPairs(
  { table }: Resource,
  transaction: Queryable,
  items: readonly ItemWithPair[],
): Promise<void> {
  await transaction.query(
    {
      name: 'upsert_lock_pairs',
      text: `
      with lock as materialized (
        select distinct hashtextextended('upsert ' || company_id || ' ' || $3 || ' ' || (hashtext(pair) & ${LOCKS - 1}), 0) as key
        from unnest($1::text[], $2::text[]) as item(company_id, pair) order by key
      )
      select pg_advisory_xact_lock(key) from lock`,
    },
    [items.map(({ scope }) => scope.companyId), items.map(({ pair }) => pairText(pair)), table],
  )
}

/** Carries out items of different pairs, whose locks are held. */
async function upsertDistinct(
  operations: Operations,
  transaction: Queryable,
  items: readonly ItemWithPair[],
  results: Map<ItemWithPair, ItemResult>,
): Promise<void> {
  const { resource } = operations
  const found = await findByPair(resource, transaction, items)
  const created: ItemWithPair[] = []
  const updated: ItemWithPair[] = []
  for (const [n, item] of items.entries()) {
    const ids = found[n] as string[]
    if (ids.length > 1) results.set(item, ambiguous(resource, item, ids))
    else if (ids.length === 1) updated.push(item)
    else if (item.ifMatch) results.set(item, absent(resource, item))
    else created.push(item)
  }
  const withPair = ({ scope, value, at, pair }: ItemWithPair) => ({
    scope,
    value: valueWith(value, pair),
    ...(at !== undefined && { at }),
  })
  const idOf = new Map(items.map((item, n) => [item, found[n]?.[0] as string]))
  if (updated.length > 0) {
    const written = await operations.updateMany(
      updated.map((item) => ({
        ...withPair(item),
        id: idOf.get(item) as string,
        ifMatch: item.ifMatch,
        expected: item.pair,
      })),
      transaction,
    )
    for (const [n, item] of updated.entries()) results.set(item, updateResult(written[n] as ItemResult))
  }
  if (created.length === 0) return
  const written = await operations.createMany(created.map(withPair), transaction)
  for (const [n, item] of created.entries()) {
    const result = written[n] as ItemResult
    results.set(item, result instanceof Problem ? result : { ...result, outcome: 'created' })
  }
}

/** The body with its pair; one that is no object is refused as it is. */
const valueWith = (value: unknown, pair: Pair): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? madeOf({ ...value, ...pair }, value) : value

function updateResult(result: ItemResult): ItemResult {
  if (!(result instanceof Problem)) return { ...result, outcome: result.isUnchanged ? 'unchanged' : 'updated' }
  // The record was found by this transaction, so another one deleted it meanwhile.
  if (result.code === 'not_found') throw serializationFailure('A record was deleted during its upsert.')
  return result
}

/** The ids of the records of each pair, the oldest first. */
export async function findByPair(
  { table, remove }: Resource,
  transaction: Queryable,
  items: readonly ItemWithPair[],
): Promise<string[][]> {
  const hasSource = items[0]?.pair.source !== undefined
  const rows = await transaction.query(
    {
      name: `${table}_find_by_pair`,
      // Each item names its company: with a constant, the planner would misjudge a company that is new.
      text: `
        select item.number::int, found.id
        from unnest($1::text[], $2::text[]${hasSource ? ', $3::text[]' : ''})
          with ordinality as item(company_id, external_id, ${hasSource ? 'source, ' : ''}number)
        cross join lateral (
          select stored.id from ${table} as stored
          where stored.company_id = item.company_id and ${equals('stored.external_id', 'item.external_id')}
            ${hasSource ? 'and stored.source = item.source' : ''} ${remove === 'soft' ? 'and not stored.is_deleted' : ''}
          order by stored.external_id, stored.created_at, stored.id limit ${IDS_NAMED}
        ) as found
        where ${keepsPlan('item.number')}`,
    },
    [
      items.map(({ scope }) => scope.companyId),
      items.map(({ pair }) => pair.externalId),
      ...(hasSource ? [items.map(({ pair }) => pair.source)] : []),
    ],
  )
  const found: string[][] = items.map(() => [])
  for (const [number, id] of rows) found[number - 1]?.push(id)
  return found
}

/** A pair in words, as messages name it: `source "shop" and externalId "17"`. Values of an item have any length. */
export const pairInWords = (pair: Pair): string =>
  Object.entries(pair)
    .map(([member, value]) => `${member} ${JSON.stringify(value.slice(0, 200))}`)
    .join(' and ')

/** 409: it is not known which of the records is meant. */
export function ambiguous({ name }: Resource, { pair, at = '' }: ItemWithPair, ids: readonly string[]): Problem {
  const message = `Several ${spoken(name.many)} have the ${pairInWords(pair)}: ${ids.join(', ')}${ids.length === IDS_NAMED ? ', …' : ''}. Delete or change all but one of them.`
  const errors = ids.map((id) =>
    bodyError(`${at}/externalId`, 'ambiguous', `is also that of the ${spoken(name.one)} ${id}`),
  )
  return new Problem('conflict', message, errors)
}

/** 412: the caller asks for a version of a record that does not exist. */
const absent = ({ name }: Resource, { pair }: ItemWithPair): Problem =>
  new Problem(
    'version_mismatch',
    `There is no ${spoken(name.one)} with the ${pairInWords(pair)}, so no version matches.`,
  )

/** The pair of an item, or what is wrong with it; `why` says why a missing member is required. */
export function pairIn(
  resource: Resource,
  value: unknown,
  at = '',
  why = 'the item is stored at the record that has it',
): Pair | Problem {
  const members = value as Readonly<Record<string, unknown>>
  const names = pairMembers(resource)
  const errors = names.flatMap((member) => {
    const content = members[member]
    if (content === undefined || content === null || content === '')
      return bodyError(`${at}/${member}`, 'required', `is required, since ${why}`)
    return typeof content === 'string' ? [] : bodyError(`${at}/${member}`, 'type', 'must be a string')
  })
  if (errors.length > 0) return invalid(errors)
  return Object.fromEntries(names.map((member) => [member, members[member] as string]))
}
