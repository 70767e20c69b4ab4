// The virtual grid of the saved sheet: variants by heads; the head and the first columns are always visible.
import { useResizeObserver } from '@mantine/hooks'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import type { Edits } from './edits.ts'
import { pressed } from './keys.ts'
import { usePointing } from './pointing.ts'
import type { Row } from './rows.ts'
import classes from './SheetGrid.module.css'
import { SheetHead } from './SheetHead.tsx'
import type { Lead } from './SheetRow.tsx'
import { SheetRows } from './SheetRows.tsx'
import type { Sheet } from './sheet.ts'
import { columnWidth, headHeight, rowHeight, useVirtualGrid } from './virtual-grid.ts'

export interface CellPlace {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

interface SheetGridProps {
  readonly label: string
  readonly sheet: Sheet
  readonly edits: Edits
  readonly lead: Lead
  readonly productName: (id: string) => string | undefined
  readonly hasMore: boolean
  readonly loadMore: () => void
  /** The total number of rows, if known. */
  readonly count: number | undefined
  readonly undo: () => void
  readonly redo: () => void
  readonly leave: () => void
  readonly find: () => void
  readonly history?: () => void
  readonly decide: () => void
  /** Called with the visible rows. */
  readonly onVisible: (rows: readonly Row[]) => void
  /** Content at the active cell, given the cell's position in the whole grid in pixels. */
  readonly children?: (place: CellPlace) => ReactNode
}

/** Scrolls the active cell into view and focuses it. Returns whether the grid had the focus last. */
function useFocusActive(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, active, editing }: Sheet,
  { lines, columns }: Pick<ReturnType<typeof useVirtualGrid>, 'lines' | 'columns'>,
): RefObject<boolean> {
  const place = `${active.row},${active.column}`
  const isOpen = editing !== undefined
  const hadFocus = useRef(false)
  // At once, not with the next frame: a fast typist presses the next key before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only if the cell, or what is open in it, changes.
  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null || rows.length === 0) return
    lines.scrollToIndex(active.row)
    columns.scrollToIndex(active.column)
    const { activeElement } = document
    // The focus is also lost when an editor closes or the row scrolls out of view.
    const isHere = current.contains(activeElement) || (hadFocus.current && activeElement === document.body)
    if (!isOpen && isHere) activeIn(current)?.focus({ preventScroll: true })
  }, [place, isOpen])
  return hadFocus
}

const activeIn = (grid: HTMLElement) => grid.querySelector<HTMLElement>('[role="gridcell"][data-active]')

/** Copying and pasting, unless the event is in content that is shown at a cell. */
const clipboardHandlers = (sheet: Sheet, isInside: (event: ClipboardEvent) => boolean) => ({
  onCopy(event: ClipboardEvent) {
    if (sheet.editing !== undefined || !isInside(event)) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', sheet.copied())
  },
  onPaste(event: ClipboardEvent) {
    if (sheet.editing !== undefined || !sheet.canWrite || !isInside(event)) return
    event.preventDefault()
    sheet.paste(event.clipboardData.getData('text/plain'))
  },
})

/** With few heads, the first column takes the remaining width. */
const useLead = (least: Lead, rest: number): Lead =>
  useMemo(() => ({ ...least, name: Math.max(least.name, rest - least.code) }), [least, rest])

/** Closes the editor with what is typed in it. */
function useLeaveEditor(sheet: Sheet): () => void {
  const latest = useRef(sheet)
  latest.current = sheet
  return useCallback(() => {
    // A typed text that is not a number is dropped on leaving; the cell is as before.
    if (latest.current.editing !== undefined && !latest.current.commit()) latest.current.cancel()
  }, [])
}

export function SheetGrid(props: SheetGridProps) {
  const { sheet, edits, productName, hasMore, count } = props
  const { rows, heads, active } = sheet
  const scroller = useRef<HTMLDivElement>(null)
  const [measured, { left, right }] = useResizeObserver<HTMLDivElement>()
  // The room inside: the width that is measured includes the border and a scrollbar, which would make the sheet scroll sideways.
  const lead = useLead(props.lead, right - left - heads.length * columnWidth)
  const leadWidth = lead.name + lead.code
  const width = leadWidth + heads.length * columnWidth

  const { lines, columns, shownRows, shownColumns } = useVirtualGrid({ ...props, scroller, leadWidth })

  const hadFocus = useFocusActive(scroller, sheet, { lines, columns })

  // biome-ignore lint/correctness/useExhaustiveDependencies: both are refs.
  const frame = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element
    return measured(element)
  }, [])

  const leaveEditor = useLeaveEditor(sheet)
  const isInside = (event: { target: EventTarget }) => scroller.current?.contains(event.target as Node) === true

  function press(event: KeyboardEvent) {
    // Content shown at a cell is rendered elsewhere in the document, and has its own keys.
    if (!isInside(event)) return
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1)
    if (pressed(event, sheet, { ...props, page })) event.preventDefault()
  }

  const { chosen, handlers } = usePointing(sheet, isInside, leaveEditor)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table would have to contain all rows.
    <div
      ref={frame}
      className={`${classes.frame} screen-only`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count === undefined ? (hasMore ? -1 : rows.length + 1) : count + 1}
      aria-colcount={heads.length + 2}
      aria-multiselectable
      aria-readonly={!sheet.canWrite}
      onKeyDown={press}
      onFocus={(event) => {
        hadFocus.current = isInside(event)
      }}
      onBlur={({ relatedTarget }) => {
        hadFocus.current = scroller.current?.contains(relatedTarget) === true
      }}
      {...clipboardHandlers(sheet, isInside)}
      {...handlers}
    >
      <SheetHead width={width} lead={lead} heads={heads} columns={shownColumns} active={active.column} />
      <div className={classes.body} role="presentation" style={{ height: lines.getTotalSize(), width }}>
        <SheetRows
          {...{ sheet, lead, width, productName, chosen, leaveEditor }}
          rows={shownRows}
          columns={shownColumns}
          edits={edits}
        />
      </div>
      {props.children?.({
        top: headHeight + active.row * rowHeight,
        left: leadWidth + active.column * columnWidth,
        width: columnWidth,
        height: rowHeight,
      })}
    </div>
  )
}
