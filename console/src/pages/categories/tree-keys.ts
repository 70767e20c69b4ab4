// The keys of the tree of categories, as in ARIA's tree pattern; with Alt, they move the category.
import type { KeyboardEvent } from 'react'
import type { Actions } from './CategoryRow.tsx'
import { placeOf, type Step } from './moves.ts'
import type { Tree, TreeRow } from './tree.ts'

interface TreeKeys {
  readonly tree: Tree
  readonly rows: readonly TreeRow[]
  /** The position of the current row. */
  readonly at: number
  readonly canWrite: boolean
  readonly canMove: boolean
  readonly setOpen: (id: string, isOpen: boolean) => void
  readonly actions: Actions
  readonly focus: (index: number) => void
}

const steps: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

/** Does what the key means in the current row; says whether the category was moved. */
export function pressedInTree(event: KeyboardEvent, keys: TreeKeys): 'moved' | undefined {
  const row = keys.rows[keys.at]
  // Keys in a row's menu belong to the menu.
  if (row === undefined || (event.target as HTMLElement).getAttribute('role') !== 'treeitem') return undefined
  if (event.altKey) return moved(event, row, keys)
  if (event.ctrlKey || event.metaKey) return undefined
  const run = meaningOf(event.key, row, keys)
  if (run !== undefined) {
    event.preventDefault()
    run()
  } else if (event.key.length === 1) focusLetter(event.key, keys)
  return undefined
}

function moved(event: KeyboardEvent, { node }: TreeRow, { tree, canMove, actions }: TreeKeys): 'moved' | undefined {
  const step = steps[event.key]
  if (step === undefined) return undefined
  event.preventDefault()
  const { id } = node.category
  const place = canMove ? placeOf(tree, id, step) : undefined
  if (place === undefined) return undefined
  actions.move(id, place)
  return 'moved'
}

function meaningOf(key: string, { node, isOpen, level }: TreeRow, keys: TreeKeys): (() => unknown) | undefined {
  const { rows, at, canWrite, setOpen, actions, focus } = keys
  const { id } = node.category
  const hasBelow = node.children.length > 0
  const above = rows.findLastIndex((one, n) => n < at && one.level < level)
  return new Map<string, () => unknown>([
    ['ArrowDown', () => focus(at + 1)],
    ['ArrowUp', () => focus(at - 1)],
    ['Home', () => focus(0)],
    ['End', () => focus(rows.length - 1)],
    ['ArrowRight', () => (hasBelow && !isOpen ? setOpen(id, true) : hasBelow && focus(at + 1))],
    ['ArrowLeft', () => (isOpen ? setOpen(id, false) : focus(above))],
    ['Enter', () => actions.edit(node)],
    [' ', () => hasBelow && setOpen(id, !isOpen)],
    ['Delete', () => canWrite && actions.remove(node)],
  ]).get(key)
}

/** A letter goes to the next category that begins with it. */
function focusLetter(letter: string, { rows, at, focus }: TreeKeys): void {
  const fits = ({ node }: TreeRow) => node.category.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase())
  const next = rows.findIndex((one, n) => n > at && fits(one))
  focus(next >= 0 ? next : rows.findIndex(fits))
}
