// Dragging a category: onto another one to nest it, or to its upper or lower edge to place it before or after.
import { type DragEvent, useState } from 'react'
import { mayStand, type TreePosition } from './moves.ts'
import { siblingsOf, type Tree } from './tree.ts'

export type Where = 'before' | 'into' | 'after'

interface Target {
  readonly id: string
  readonly where: Where
  readonly place: TreePosition
}

/** Handlers of the tree's frame, and the current drag. */
export function useDragging(tree: Tree, isOn: boolean, move: (id: string, place: TreePosition) => void) {
  const [dragged, setDragged] = useState<string>()
  const [target, setTarget] = useState<Target>()
  const rowOf = (event: DragEvent) => (event.target as HTMLElement).closest<HTMLElement>('[data-id]')

  /** The place under the pointer; undefined if the dragged category cannot go there. */
  function targetOf(event: DragEvent): Target | undefined {
    const row = rowOf(event)
    const id = row?.dataset.id
    if (row === null || id === undefined || dragged === undefined || id === dragged) return undefined
    const { top, height } = row.getBoundingClientRect()
    const part = (event.clientY - top) / height
    const where: Where = part < 0.28 ? 'before' : part > 0.72 ? 'after' : 'into'
    const place = placeAt(id, where)
    return mayStand(tree, dragged, place) ? { id, where, place } : undefined
  }

  function placeAt(id: string, where: Where): TreePosition {
    if (where === 'into') return { parentId: id, before: undefined }
    const siblings = siblingsOf(tree, id).filter(({ category }) => category.id !== dragged)
    const at = siblings.findIndex(({ category }) => category.id === id)
    return {
      parentId: tree.parents.get(id)?.category.id,
      before: where === 'before' ? id : siblings[at + 1]?.category.id,
    }
  }

  function end() {
    setDragged(undefined)
    setTarget(undefined)
  }

  const frame = isOn
    ? {
        onDragStart: (event: DragEvent) => {
          const id = rowOf(event)?.dataset.id
          if (id === undefined) return
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', tree.byId.get(id)?.category.name ?? id)
          setDragged(id)
        },
        onDragOver: (event: DragEvent) => {
          if (dragged === undefined) return
          const next = targetOf(event)
          if (next) event.preventDefault()
          if (next?.id !== target?.id || next?.where !== target?.where) setTarget(next)
        },
        onDrop: (event: DragEvent) => {
          event.preventDefault()
          const found = targetOf(event)
          if (found && dragged) move(dragged, found.place)
          end()
        },
        onDragEnd: end,
      }
    : {}
  return { dragged, target, frame }
}
