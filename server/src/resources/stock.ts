// Stock: the only way in which levels are set and moved, alone or together with others, with their events and their history (decisions §6).

import { later } from '../core/date-time.ts'
import { Problem } from '../core/problem.ts'
import { type Queryable, serializationFailure } from '../database/connect.ts'
import { together } from '../database/pipeline.ts'
import type { JsonObject } from '../engine/record.ts'
import { type RowToReplace, type RowToWrite, store } from '../engine/store.ts'
import { type HeldVariant, holdVariants, keyOf, showLevels } from './held-variants.ts'
import { inventory } from './inventory.ts'
import { appendHistory, lastEntries, levelKey } from './inventory-history.ts'
import { type Aim, aimOf, levelAfter, type Move, type Moved, type WorkingLevel } from './stock-move.ts'
import { lockLevels, tupleKey, unnamedProducts } from './stored-levels.ts'

/**
 * A level before a group of moves, and how many events and entries it had, since later moves add to the same arrays.
 */
interface Rewind {
  readonly level: WorkingLevel | undefined
  readonly events: number
  readonly history: number
}

type LevelStock = { readonly variantId: string; readonly outletId: string; readonly stock: number }

const { insert, replace } = store(inventory)

/** A level was created or deleted since it was looked up: a serialization failure, so that the transaction is retried. */
const changedMeanwhile = () =>
  serializationFailure('Another transaction created or deleted the level at the same time.')

/**
 * Carries out moves, those of one level one after the other; returns one result per move. A refused move (below zero,
 * another quantity than expected, another product than the variant's) does not affect the others. The variants are
 * locked first, then all levels, in one order for all writers. Needs a transaction that begins again when PostgreSQL,
 * or a level created meanwhile, requires it. `held` are the variants of the moves, where the transaction has locked them
 * already.
 */
export async function moveStock(
  transaction: Queryable,
  moves: readonly Move[],
  held?: ReadonlyMap<string, HeldVariant>,
): Promise<(Moved | Problem)[]> {
  if (moves.length === 0) return []
  const time = new Date().toISOString()
  const variants = held ?? (await holdVariants(transaction, moves))
  const unnamed = await unnamedProducts(transaction, variants, moves)
  const aims = moves.map((move) => aimOf(move, variants, unnamed))
  const { working, ends } = await lockWorking(transaction, aims, time)
  const isGone = ([key, [productId, another]]: [string, Set<string>]) =>
    productId !== undefined && another === undefined && !working.has(keyOf(productId, key))
  if ([...unnamed].some(isGone)) throw changedMeanwhile()
  const results = inGroups(moves).flatMap((group) => carryOut(group, { variants, unnamed, working, time }))
  const written = [...working.values()].filter(({ events }) => events.length > 0)
  const shown = written.map(({ scope, record }) => ({ scope, ...(record as unknown as LevelStock) }))
  await together(transaction, [
    () => write(transaction, written),
    () =>
      appendHistory(
        transaction,
        written.flatMap(({ history }) => history),
        ends,
      ),
    () => showLevels(transaction, variants, shown),
  ])
  return results
}

/** What the groups of a call share; each changes the levels, and the products that have one. */
interface Moving {
  readonly variants: ReadonlyMap<string, HeldVariant>
  readonly unnamed: ReadonlyMap<string, Set<string>>
  readonly working: Map<string, WorkingLevel>
  readonly time: string
}

/** Carries out the moves of a group in memory. A group with a refused move leaves every level as it was. */
function carryOut(group: readonly Move[], { variants, unnamed, working, time }: Moving): (Moved | Problem)[] {
  const before = new Map<string, Rewind>()
  const added: { products: Set<string>; productId: string }[] = []
  const results = group.map((move) => {
    const aim = aimOf(move, variants, unnamed)
    if (aim instanceof Problem) return aim
    const key = tupleKey(aim)
    const after = levelAfter(move, aim, working.get(key), time)
    if (after instanceof Problem) return after
    if (!before.has(key)) before.set(key, rewindTo(working.get(key)))
    working.set(key, after.level)
    after.level.events.push(...after.events)
    after.level.history.push(...after.history)
    const products = unnamed.get(levelKey(move))
    if (products && !products.has(aim.productId)) {
      products.add(aim.productId)
      added.push({ products, productId: aim.productId })
    }
    return after.result
  })
  if (!results.some((result) => result instanceof Problem)) return results
  for (const [key, { level, events, history }] of before)
    if (level) {
      level.events.length = events
      level.history.length = history
      working.set(key, level)
    } else working.delete(key)
  for (const { products, productId } of added) products.delete(productId)
  return results
}

const rewindTo = (level: WorkingLevel | undefined): Rewind => ({
  level,
  events: level?.events.length ?? 0,
  history: level?.history.length ?? 0,
})

/** Moves in a row that belong together; each other one alone. */
function inGroups(moves: readonly Move[]): Move[][] {
  const groups: Move[][] = []
  for (const move of moves) {
    const last = groups.at(-1)
    if (move.together !== undefined && last?.[0]?.together === move.together) last.push(move)
    else groups.push([move])
  }
  return groups
}

/** The live levels that moves name, by `tupleKey`, locked until the transaction ends, and the last entries of the managed ones. */
async function lockWorking(transaction: Queryable, aims: readonly (Aim | Problem)[], time: string) {
  const wanted = new Map(aims.flatMap((aim) => (aim instanceof Problem ? [] : [[tupleKey(aim), aim]])))
  const managed = new Map(
    [...wanted.values()].flatMap((aim) => (aim.variant?.isManaged ? [[levelKey(aim), aim] as const] : [])),
  )
  const [locked, ends] = await together(transaction, [
    () => lockLevels(transaction, wanted),
    () => lastEntries(transaction, [...managed.values()]),
  ])
  const working = new Map(
    [...locked].map(([key, { version, text }]) => {
      const record: JsonObject = JSON.parse(text)
      const now = later(time, String(record.updatedAt))
      const { scope } = wanted.get(key) as Aim
      return [key, { scope, record, text, version, now, events: [], history: [] } as WorkingLevel]
    }),
  )
  return { working, ends }
}

async function write(transaction: Queryable, levels: readonly WorkingLevel[]): Promise<void> {
  const inserts: RowToWrite[] = []
  const replaces: RowToReplace[] = []
  // In one order for all writers, so that two of them never wait for each other's new levels.
  for (const { scope, record, text, version, events } of levels.toSorted((a, b) =>
    placeOf(a) < placeOf(b) ? -1 : 1,
  )) {
    const row = { scope, id: String(record.id), body: text, events, claims: [] }
    if (version === undefined) inserts.push(row)
    else replaces.push({ ...row, version })
  }
  if (inserts.length > 0 && (await insert(transaction, inserts)).includes('refused')) throw changedMeanwhile()
  if (replaces.length > 0) await replace(transaction, replaces, true)
}

/** The same text by which the engine orders records that it creates (engine/create.ts). */
const placeOf = ({ record }: WorkingLevel) =>
  keyOf(String(record.variantId), String(record.outletId), String(record.productId ?? ''), String(record.companyId))
