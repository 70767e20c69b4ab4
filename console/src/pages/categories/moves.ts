// Moving categories: the target, the necessary writes, and how to undo them.
import type { Category, CategoryUpdate } from '../../api/schemas.ts'
import { compare, descendantsOf, type Node, siblingsOf, type Tree } from './tree.ts'

/** A place: its parent (undefined: the top level), and the sibling after it (undefined: at the end). */
export interface TreePosition {
  readonly parentId: string | undefined
  readonly before: string | undefined
}

/** A change of one category. */
export type CategoryChange = Required<Pick<CategoryUpdate, 'id'>> & Pick<CategoryUpdate, 'parentId' | 'menuOrder'>

/** Whether a category may go there: not into itself. */
export function mayStand(tree: Tree, id: string, { parentId }: TreePosition): boolean {
  if (parentId === undefined) return true
  const node = tree.byId.get(id)
  return parentId !== id && node !== undefined && !descendantsOf(node).some(({ category }) => category.id === parentId)
}

const childrenAt = (tree: Tree, parentId: string | undefined): readonly Node[] =>
  parentId === undefined ? tree.roots : (tree.byId.get(parentId)?.children ?? [])

/** The fewest changes that move it there; none if it is there already. */
export function changesFor(tree: Tree, id: string, { parentId, before }: TreePosition): CategoryChange[] {
  const moved = tree.byId.get(id)
  if (moved === undefined || before === id) return []
  const others = childrenAt(tree, parentId)
    .filter((node) => node !== moved)
    .map(({ category }) => category)
  const at = before === undefined ? others.length : others.findIndex((one) => one.id === before)
  const place = at < 0 ? others.length : at
  const wanted = [...others.slice(0, place), moved.category, ...others.slice(place)]
  const orders = ordersFor(wanted, place)
  const isSameParent = (moved.category.parentId ?? undefined) === parentId
  return wanted.flatMap((category, n): CategoryChange[] => {
    const order = orders[n]
    const change = {
      ...(category.id === id && !isSameParent && { parentId: parentId ?? null }),
      ...(order !== category.menuOrder && order !== undefined && { menuOrder: order }),
    }
    return Object.keys(change).length === 0 ? [] : [{ id: category.id, ...change }]
  })
}

/** Values of `menuOrder` for this sequence. Those after the moved one are kept if they already follow it. */
function ordersFor(wanted: readonly Category[], moved: number): (number | undefined)[] {
  const isSorted = wanted.every((category, n) => n === 0 || compare(wanted[n - 1] as Category, category) < 0)
  if (isSorted) return wanted.map(({ menuOrder }) => menuOrder)
  let last: number | undefined
  return wanted.map(({ menuOrder }, n) => {
    const isFree = menuOrder !== undefined && (last === undefined || menuOrder > last)
    // The moved one still has the order of its old place, which means nothing here.
    if (n !== moved && isFree) last = menuOrder
    else if (n <= moved || menuOrder !== undefined) last = last === undefined ? 1 : Math.floor(last) + 1
    else return undefined
    return last
  })
}

/** The changes that undo these changes. */
export const undoing = (tree: Tree, changes: readonly CategoryChange[]): CategoryChange[] =>
  changes.map(({ id, parentId, menuOrder }) => {
    const before = tree.byId.get(id)?.category
    return {
      id,
      ...(parentId !== undefined && { parentId: before?.parentId ?? null }),
      ...(menuOrder !== undefined && { menuOrder: before?.menuOrder ?? null }),
    }
  })

/** Categories as they are after these changes. */
export function changed(categories: readonly Category[], changes: readonly CategoryChange[]): Category[] {
  const byId = new Map(changes.map((change) => [change.id, change]))
  return categories.map((category) => {
    const change = byId.get(category.id)
    if (change === undefined) return category
    const { parentId, menuOrder, ...rest } = { ...category, ...change }
    return {
      ...rest,
      ...(parentId !== null && parentId !== undefined && { parentId }),
      ...(menuOrder !== null && menuOrder !== undefined && { menuOrder }),
    } as Category
  })
}

export type Step = 'up' | 'down' | 'in' | 'out'

/** The place that one step leads to; undefined if there is none. */
export function placeOf(tree: Tree, id: string, step: Step): TreePosition | undefined {
  const siblings = siblingsOf(tree, id)
  const at = siblings.findIndex(({ category }) => category.id === id)
  const parent = tree.parents.get(id)
  const parentId = parent?.category.id
  const idAt = (n: number) => siblings[n]?.category.id
  if (step === 'up') return at > 0 ? { parentId, before: idAt(at - 1) } : undefined
  if (step === 'down') return at < siblings.length - 1 ? { parentId, before: idAt(at + 2) } : undefined
  if (step === 'in') return at > 0 ? { parentId: idAt(at - 1), before: undefined } : undefined
  if (parent === undefined) return undefined
  const above = siblingsOf(tree, parent.category.id)
  const next = above[above.indexOf(parent) + 1]
  return { parentId: tree.parents.get(parent.category.id)?.category.id, before: next?.category.id }
}
