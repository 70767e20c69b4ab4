// The visible rows of the tree, with the keys of ARIA's tree pattern; with Alt, the keys move the category.
import { Text, VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useCanWrite } from '../../api/company.ts'
import { text } from '../../texts/catalog.ts'
import { type Actions, CategoryRow } from './CategoryRow.tsx'
import classes from './CategoryTree.module.css'
import { useDragging } from './dragging.ts'
import { placeOf, type Step } from './moves.ts'
import type { Row, Tree } from './tree.ts'

interface CategoryTreeProps {
  readonly tree: Tree
  readonly rows: readonly Row[]
  readonly setOpen: (id: string, isOpen: boolean) => void
  /** Not while a search hides some rows: positions between rows would be ambiguous. */
  readonly canMove: boolean
  readonly actions: Actions
}

const steps: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

export function CategoryTree({ tree, rows, setOpen, canMove, actions }: CategoryTreeProps) {
  const canWrite = useCanWrite()
  const scroller = useRef<HTMLDivElement>(null)
  const hint = useId()
  // The one row in the tab order; it stays the same category wherever that is moved.
  const [current, setCurrent] = useState<string>()
  const found = rows.findIndex(({ node }) => node.category.id === current)
  const at = Math.max(0, found)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 40,
    getItemKey: (index) => (rows[index] as Row).node.category.id,
    overscan: 20,
    // The focused row stays rendered however far it is scrolled away.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan)
      const to = Math.min(count - 1, endIndex + overscan)
      const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)
      return at < from ? [at, ...shown] : at > to && at < count ? [...shown, at] : shown
    },
  })
  // A row moved by keys keeps the focus, which the browser removes from an element that changes its place.
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows.
  useEffect(() => {
    if (performance.now() - movedAt.current < 3000 && document.activeElement === document.body) focus(at)
  }, [rows])
  const dragging = useDragging(tree, canWrite && canMove, actions.move)

  function focus(index: number) {
    const row = rows[index]
    if (row === undefined) return
    setCurrent(row.node.category.id)
    virtual.scrollToIndex(index)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus())
  }

  function pressed(event: KeyboardEvent<HTMLDivElement>) {
    const row = rows[at]
    // Keys in a row's menu belong to the menu.
    if (row === undefined || (event.target as HTMLElement).getAttribute('role') !== 'treeitem') return
    const { node, isOpen, level } = row
    const { id } = node.category
    if (event.altKey) {
      const step = steps[event.key]
      const place = step && canWrite && canMove ? placeOf(tree, id, step) : undefined
      if (step === undefined) return
      event.preventDefault()
      if (place) {
        movedAt.current = performance.now()
        actions.move(id, place)
      }
      return
    }
    if (event.ctrlKey || event.metaKey) return
    const hasBelow = node.children.length > 0
    const above = rows.findLastIndex((one, n) => n < at && one.level < level)
    const run = new Map<string, () => unknown>([
      ['ArrowDown', () => focus(at + 1)],
      ['ArrowUp', () => focus(at - 1)],
      ['Home', () => focus(0)],
      ['End', () => focus(rows.length - 1)],
      ['ArrowRight', () => (hasBelow && !isOpen ? setOpen(id, true) : hasBelow && focus(at + 1))],
      ['ArrowLeft', () => (isOpen ? setOpen(id, false) : focus(above))],
      ['Enter', () => actions.edit(node)],
      [' ', () => hasBelow && setOpen(id, !isOpen)],
      ['Delete', () => canWrite && actions.remove(node)],
    ])
    const known = run.get(event.key)
    if (known) {
      event.preventDefault()
      known()
      return
    }
    // A letter goes to the next category that begins with it.
    if (event.key.length !== 1) return
    const fits = ({ node }: Row) => node.category.name.toLocaleLowerCase().startsWith(event.key.toLocaleLowerCase())
    const next = rows.findIndex((one, n) => n > at && fits(one))
    focus(next >= 0 ? next : rows.findIndex(fits))
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
            const row = rows[index] as Row
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
