// Writes the moves of categories: shown at once, reverted if the server refuses them, with Undo for a while.
import { useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { ApiProblem } from '../../api/problem.ts'
import { readRecord, refresh } from '../../api/records.ts'
import { type CompanyScope, get } from '../../api/request.ts'
import type { Category, CategoryBulkResult } from '../../api/schemas.ts'
import { complain } from '../../parts/notices.ts'
import { offerUndo } from '../../parts/undo-notice.tsx'
import { text } from '../../texts/catalog.ts'
import { allQuery } from '../records/all.ts'
import { type CategoryChange, changed, changesFor, mayStand, type TreePosition, undoing } from './moves.ts'
import type { Tree } from './tree.ts'

/** The maximum number of items in one request. */
const atOnce = 1000

/** When categories were last changed from here: cached data may be older. */
const ownChanges = new Map<string, string | undefined>()
/** Moves are written one after another: each is based on the result of the one before. */
let line: Promise<unknown> = Promise.resolve()

/** The version of a category for a bulk item. Lists contain no versions, so it is read again. */
async function versionOf(scope: CompanyScope, { id, name, updatedAt }: Category): Promise<string> {
  const { record, etag } = await readRecord(scope, 'category', id)
  if (record.updatedAt !== updatedAt && record.updatedAt !== ownChanges.get(id)) throw changedMeanwhile(name)
  return etag
}

/** Writes over the categories as they were seen and returns them. Throws the first item's error. */
async function write(
  scope: CompanyScope,
  changes: readonly CategoryChange[],
  seen: readonly Category[],
): Promise<Category[]> {
  const versions = await Promise.all(seen.map((one) => versionOf(scope, one)))
  const written: Category[] = []
  for (let from = 0; from < changes.length; from += atOnce) {
    const items = changes.map((change, n) => ({ ...change, ifMatch: versions[n] })).slice(from, from + atOnce)
    const { results } = await get<CategoryBulkResult>(scope, '/v1/categories', { method: 'PATCH', body: { items } })
    for (const result of results) {
      if (result.status === 'error') continue
      written.push(result.data)
      ownChanges.set(result.data.id, result.data.updatedAt)
    }
    const refused = results.find((result) => result.status === 'error')
    if (refused === undefined) continue
    if (refused.error.statusCode === 412) throw changedMeanwhile(seen[from + refused.index]?.name)
    throw new ApiProblem(refused.error.statusCode, refused.error)
  }
  return written
}

export function useMoves() {
  const scope = useScope()
  const client = useQueryClient()
  const { queryKey } = allQuery(scope, 'categories')

  /** `seen` are the categories to change, in order, as they were when the user decided. */
  async function apply(changes: readonly CategoryChange[], seen: readonly Category[]): Promise<Category[]> {
    await client.cancelQueries({ queryKey })
    client.setQueryData<readonly Category[]>(queryKey, (all) => all && changed(all, changes))
    const writing = line.then(() => write(scope, changes, seen))
    line = writing.catch(() => {})
    try {
      return await writing
    } finally {
      void refresh(client, scope.companyId, 'categories')
    }
  }

  /** Moves a category to a place, and shows a notice with Undo. */
  async function move(tree: Tree, id: string, place: TreePosition): Promise<void> {
    const name = tree.byId.get(id)?.category.name ?? id
    if (!mayStand(tree, id, place)) return
    const changes = changesFor(tree, id, place)
    if (changes.length === 0) return
    const back = undoing(tree, changes)
    const failed = (error: unknown) => complain(error, text.notMoved(name))
    let written: Category[]
    try {
      written = await apply(changes, categoriesOf(tree, changes))
    } catch (error) {
      failed(error)
      return
    }
    const isElsewhere = changes.some((change) => change.id === id && change.parentId !== undefined)
    const parent = place.parentId === undefined ? undefined : tree.byId.get(place.parentId)?.category.name
    const message =
      isElsewhere && place.parentId === undefined
        ? text.movedTop(name)
        : text.moved(name, isElsewhere ? parent : undefined)
    // It replaces the previous one, which is about an older place.
    offerUndo({ id: `move-${id}`, message, undo: () => void apply(back, written).catch(failed) })
  }

  return { move, apply }
}

/** The categories to change, in the order of their changes. */
const categoriesOf = (tree: Tree, changes: readonly CategoryChange[]): Category[] =>
  changes.flatMap(({ id }) => tree.byId.get(id)?.category ?? [])

const changedMeanwhile = (name: string | undefined) =>
  new ApiProblem(412, { message: text.changedMeanwhile(name ?? '') })
