// The visible rows of the tree of categories; one of them has the focus.
import { Text, VisuallyHidden } from '@mantine/core'
import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useCanWrite } from '../../api/company.ts'
import { text } from '../../texts/catalog.ts'
import { type Actions, CategoryRow } from './CategoryRow.tsx'
import classes from './CategoryTree.module.css'
import { useDragging } from './dragging.ts'
import type { Tree, TreeRow } from './tree.ts'
import { pressedInTree } from './tree-keys.ts'

interface CategoryTreeProps {
  readonly tree: Tree
  readonly rows: readonly TreeRow[]
  readonly setOpen: (id: string, isOpen: boolean) => void
  /** Not while a search hides some rows: positions between rows would be ambiguous. */
  readonly canMove: boolean
  readonly actions: Actions
}

/** The visible rows and the focused one, which stays rendered however far it is scrolled away. */
function withRow({ startIndex, endIndex, overscan, count }: Range, at: number): number[] {
  const from = Math.max(0, startIndex - overscan)
  const to = Math.min(count - 1, endIndex + overscan)
  const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)
  return at < from ? [at, ...shown] : at > to && at < count ? [...shown, at] : shown
}

/** The one row in the tab order, and the rendered rows. */
function useCurrentRow(rows: readonly TreeRow[], scroller: RefObject<HTMLDivElement | null>) {
  // It stays the same category wherever that is moved.
  const [current, setCurrent] = useState<string>()
  const found = rows.findIndex(({ node }) => node.category.id === current)
  const at = Math.max(0, found)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 40,
    getItemKey: (index) => (rows[index] as TreeRow).node.category.id,
    overscan: 20,
    rangeExtractor: (visible) => withRow(visible, at),
  })

  function focus(index: number) {
    const row = rows[index]
    if (row === undefined) return
    setCurrent(row.node.category.id)
    virtual.scrollToIndex(index)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus())
  }

  return { at, setCurrent, virtual, focus }
}

export function CategoryTree({ tree, rows, setOpen, canMove, actions }: CategoryTreeProps) {
  const canWrite = useCanWrite()
  const scroller = useRef<HTMLDivElement>(null)
  const hint = useId()
  const { at, setCurrent, virtual, focus } = useCurrentRow(rows, scroller)
  // A row moved by keys keeps the focus, which the browser removes from an element that changes its place.
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows.
  useEffect(() => {
    if (performance.now() - movedAt.current < 3000 && document.activeElement === document.body) focus(at)
  }, [rows])
  const dragging = useDragging(tree, canWrite && canMove, actions.move)

  const keys = { tree, rows, at, setOpen, canWrite, canMove: canWrite && canMove, actions, focus }
  function pressed(event: KeyboardEvent<HTMLDivElement>) {
    if (pressedInTree(event, keys) === 'moved') movedAt.current = performance.now()
  }

  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed" py="md" role="status">
        {text.noneFits}
      </Text>
    )
  return (
    <>
      <div
        ref={scroller}
        role="tree"
        aria-label={text.categories}
        aria-describedby={hint}
        className={classes.tree}
        onKeyDown={pressed}
        {...dragging.frame}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index] as TreeRow
            const { id } = row.node.category
            return (
              <CategoryRow
                key={key}
                row={row}
                index={index}
                start={start}
                isCurrent={index === at}
                drop={dragging.target?.id === id ? dragging.target.where : undefined}
                isDragged={dragging.dragged === id}
                canMove={canWrite && canMove}
                take={() => setCurrent(id)}
                toggle={() => setOpen(id, !row.isOpen)}
                tree={tree}
                actions={actions}
              />
            )
          })}
        </div>
      </div>
      <Text size="xs" c="dimmed" mt={6} id={hint} visibleFrom="sm">
        {canWrite ? text.keys : <VisuallyHidden>{text.keysOfViewer}</VisuallyHidden>}
      </Text>
    </>
  )
}
