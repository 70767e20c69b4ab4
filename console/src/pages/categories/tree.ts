// Categories as a tree: parents, order, and faults such as loops and missing parents. No category is left out.

import type { Category } from '../../api/schemas.ts'
import { locale } from '../../language.ts'

/** Why a category is at the top level although it names a parent. */
type Fault = 'missing' | 'circle'

export interface Node {
  readonly category: Category
  readonly children: readonly Node[]
  readonly fault: Fault | undefined
}

export interface Tree {
  readonly roots: readonly Node[]
  readonly byId: ReadonlyMap<string, Node>
  /** The parent node's id; undefined at the top level. */
  readonly parents: ReadonlyMap<string, Node | undefined>
  /** Nodes with a fault. */
  readonly faults: readonly Node[]
}

const collator = new Intl.Collator(locale, { numeric: true })

/** By `menuOrder`, those without one last; then by name. */
export function compare(a: Category, b: Category): number {
  if (a.menuOrder !== b.menuOrder)
    return (a.menuOrder ?? Number.POSITIVE_INFINITY) < (b.menuOrder ?? Number.POSITIVE_INFINITY) ? -1 : 1
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)
}

export function treeOf(categories: readonly Category[]): Tree {
  const known = new Map(categories.map((category) => [category.id, category]))
  const below = new Map<string | undefined, Category[]>()
  const missing = new Set<string>()
  for (const category of categories) {
    const { id, parentId } = category
    if (parentId !== undefined && !known.has(parentId)) missing.add(id)
    const parent = missing.has(id) ? undefined : parentId
    const group = below.get(parent)
    if (group === undefined) below.set(parent, [category])
    else group.push(category)
  }
  for (const group of below.values()) group.sort(compare)

  const byId = new Map<string, Node>()
  const parents = new Map<string, Node | undefined>()
  const faults: Node[] = []

  /** Builds the nodes below one without recursion: a chain may be thousands of levels deep. */
  function grow(top: Category, fault: Fault | undefined): Node {
    const make = (category: Category, parent: Node | undefined, of: Fault | undefined) => {
      const node = { category, children: [] as Node[], fault: of }
      byId.set(category.id, node)
      parents.set(category.id, parent)
      return node
    }
    const root = make(top, undefined, fault)
    const open = [root]
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const category of below.get(node.category.id) ?? []) {
        // Already added: the loop ends where it began.
        if (byId.has(category.id)) continue
        const child = make(category, node, undefined)
        node.children.push(child)
        open.push(child)
      }
    if (fault !== undefined) faults.push(root)
    return root
  }

  const roots = (below.get(undefined) ?? []).map((top) => grow(top, missing.has(top.id) ? 'missing' : undefined))
  // What no top-level category leads to belongs to a loop, which begins at its first category.
  for (const category of categories)
    if (!byId.has(category.id)) {
      const circle = circleFrom(category, known)
      roots.push(grow([...circle].sort(compare)[0] as Category, 'circle'))
    }
  return { roots, byId, parents, faults }
}

/** The loop that the parents of a category lead into. */
function circleFrom(start: Category, known: ReadonlyMap<string, Category>): readonly Category[] {
  const path: Category[] = []
  const seen = new Set<string>()
  let at: Category | undefined = start
  while (at !== undefined && !seen.has(at.id)) {
    seen.add(at.id)
    path.push(at)
    at = known.get(at.parentId ?? '')
  }
  return path.slice(path.findIndex(({ id }) => id === at?.id))
}

/** All nodes below a node, top down. */
export function descendantsOf(node: Node): Node[] {
  const found: Node[] = []
  const open = [...node.children]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next)
    open.push(...next.children)
  }
  return found
}

/** A node's siblings, including itself. */
export const siblingsOf = (tree: Tree, id: string): readonly Node[] => tree.parents.get(id)?.children ?? tree.roots

/** From the top level down to a node, without it. */
export function ancestorsOf(tree: Tree, id: string): Node[] {
  const above: Node[] = []
  for (let at = tree.parents.get(id); at !== undefined; at = tree.parents.get(at.category.id)) above.unshift(at)
  return above
}

/** One visible row of the tree. */
export interface TreeRow {
  readonly node: Node
  readonly level: number
  readonly position: number
  readonly size: number
  readonly isOpen: boolean
}

/** The visible rows: those below expanded nodes; with `search`, the matches and their ancestors. */
export function rowsOf(tree: Tree, open: ReadonlySet<string>, search: string): TreeRow[] {
  const wanted = search.trim().toLocaleLowerCase()
  const fits = wanted === '' ? undefined : new Set<string>()
  if (fits)
    for (const [id, { category }] of tree.byId)
      if (category.name.toLocaleLowerCase().includes(wanted)) {
        fits.add(id)
        for (let at = tree.parents.get(id); at && !fits.has(at.category.id); at = tree.parents.get(at.category.id))
          fits.add(at.category.id)
      }
  const rows: TreeRow[] = []
  const line = (nodes: readonly Node[], level: number) => {
    const shown = fits ? nodes.filter(({ category }) => fits.has(category.id)) : nodes
    return shown.map((node, n) => ({ node, level, position: n + 1, size: shown.length })).reverse()
  }
  const waiting = line(tree.roots, 1)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, level } = next
    const isOpen = node.children.length > 0 && (fits !== undefined || open.has(node.category.id))
    rows.push({ ...next, isOpen })
    if (isOpen) for (const child of line(node.children, level + 1)) waiting.push(child)
  }
  return rows
}
