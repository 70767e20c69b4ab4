// The stock sheet as it is drawn: variants by outlets, only what is in sight, with head and first columns always there.
import { useElementSize } from '@mantine/hooks'
import { defaultRangeExtractor, type Range as Sight, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { text } from '../../texts/stock.ts'
import type { Edit, Edits } from './edits.ts'
import { pressed } from './keys.ts'
import type { Place, Range } from './places.ts'
import { rangeOf } from './places.ts'
import type { Row } from './rows.ts'
import classes from './StockGrid.module.css'
import { type Lead, type Outlet, StockRow } from './StockRow.tsx'
import type { Sheet } from './sheet.ts'

const rowHeight = 46
const headHeight = 40
const columnWidth = 116

export interface CellPlace {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

interface StockGridProps {
  readonly sheet: Sheet
  readonly edits: Edits
  readonly lead: Lead
  readonly productName: (id: string) => string | undefined
  readonly hasMore: boolean
  readonly loadMore: () => void
  /** Rows that there are in all, where it is known. */
  readonly count: number | undefined
  readonly undo: () => void
  readonly redo: () => void
  readonly leave: () => void
  readonly find: () => void
  readonly history: () => void
  readonly decide: () => void
  /** Hears which rows are in sight. */
  readonly onSight: (rows: readonly Row[]) => void
  /** What is shown at the active cell, given where that lies among all cells, in pixels. */
  readonly children?: (place: CellPlace) => ReactNode
}

export function StockGrid(props: StockGridProps) {
  const { sheet, edits, productName, hasMore, loadMore, count, onSight } = props
  const { rows, outlets, active, range, editing, size } = sheet
  const scroller = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<Range>()
  const drag = useRef<'select' | 'fill'>(undefined)
  const { ref: measured, width: room } = useElementSize()
  const lead = useMemo((): Lead => {
    const least = props.lead
    // What is left beside few outlets is the first column's.
    return { ...least, name: Math.max(least.name, room - least.code - outlets.length * columnWidth) }
  }, [props.lead, room, outlets.length])
  const leadWidth = lead.name + lead.code
  const width = leadWidth + outlets.length * columnWidth

  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: headHeight,
    rangeExtractor: useWith(active.row, rows.length),
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: outlets.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => columnWidth,
    overscan: 4,
    scrollMargin: leadWidth,
    scrollPaddingStart: leadWidth,
    rangeExtractor: useWith(active.column, outlets.length),
  })
  const shownRows = lines.getVirtualItems()
  const found = columns.getVirtualItems()
  // The same as before as long as they are the same ones, so that rows are not drawn anew for nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: by which they are, and where.
  const shownColumns = useMemo(() => found, [found.map(({ index, start }) => `${index}@${start}`).join()])

  const lastShown = shownRows.findLast(({ index }) => index !== active.row)?.index ?? 0
  const isNearEnd = lastShown > rows.length - 40 || active.row > rows.length - 40
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows ask anew.
  useEffect(() => {
    if (isNearEnd && hasMore) loadMore()
  }, [isNearEnd, hasMore, loadMore, rows.length])

  const sight = shownRows.map(({ index }) => index).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: by which they are.
  useEffect(() => {
    onSight(shownRows.flatMap(({ index }) => rows[index] ?? []))
  }, [sight, rows, onSight])

  const editsOfRows = useMemo(() => {
    const byRow = new Map<string, Map<string, Edit>>()
    for (const [key, edit] of edits) {
      const own = byRow.get(edit.variantId) ?? new Map<string, Edit>()
      byRow.set(edit.variantId, own.set(key, edit))
    }
    return byRow
  }, [edits])

  // Wherever the active cell goes, sight and focus go with it.
  const place = `${active.row},${active.column}`
  const isOpen = editing !== undefined
  const hadFocus = useRef(false)
  // At once, and not with the next frame: whoever types on has the next key down before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the place, or what is open there, is another.
  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null || rows.length === 0) return
    lines.scrollToIndex(active.row)
    columns.scrollToIndex(active.column)
    const { activeElement } = document
    // With an editor that closes, or a row that is out of sight now, the focus went as well.
    const isHere = current.contains(activeElement) || (hadFocus.current && activeElement === document.body)
    if (!isOpen && isHere) focusActive()
  }, [place, isOpen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: both are refs.
  const frame = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element
    return measured(element)
  }, [])

  function focusActive() {
    scroller.current?.querySelector<HTMLElement>('[role="gridcell"][data-active]')?.focus({ preventScroll: true })
  }

  const { typeOn } = sheet
  const latest = useRef(sheet)
  latest.current = sheet
  const leaveEditor = useCallback(() => {
    // What is no number when the cell is left is not kept; the cell is as before.
    if (latest.current.editing !== undefined && !latest.current.commit()) latest.current.cancel()
  }, [])

  const isInside = (event: { target: EventTarget }) => scroller.current?.contains(event.target as Node) === true

  function press(event: KeyboardEvent) {
    // What is shown at a cell is drawn elsewhere in the document, and has its own keys.
    if (!isInside(event)) return
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1)
    if (pressed(event, sheet, { ...props, page })) event.preventDefault()
  }

  function copy(event: ClipboardEvent) {
    if (sheet.editing !== undefined || !isInside(event)) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', sheet.copied())
  }

  function paste(event: ClipboardEvent) {
    if (sheet.editing !== undefined || !sheet.canWrite || !isInside(event)) return
    event.preventDefault()
    sheet.paste(event.clipboardData.getData('text/plain'))
  }

  const placeOf = (target: EventTarget): Place | undefined => {
    const cell = (target as HTMLElement).closest<HTMLElement>('[role="gridcell"]')
    const row = cell?.closest<HTMLElement>('[data-index]')
    return cell && row ? { row: Number(row.dataset.index), column: Number(cell.dataset.column) } : undefined
  }

  function down(event: PointerEvent) {
    if (event.button !== 0 || !isInside(event) || (event.target as HTMLElement).tagName === 'INPUT') return
    const at = placeOf(event.target)
    if (at === undefined) return
    const isMouse = event.pointerType === 'mouse'
    if (isMouse && (event.target as HTMLElement).dataset.handle !== undefined) {
      event.preventDefault()
      drag.current = 'fill'
      return
    }
    // A finger scrolls by this; its tap is heard as a click.
    if (!isMouse) return
    leaveEditor()
    if (event.shiftKey) sheet.extend(at)
    else sheet.go(at)
    drag.current = 'select'
  }

  function over(event: PointerEvent) {
    if (drag.current === undefined || event.buttons !== 1) return
    const at = placeOf(event.target)
    if (at === undefined) return
    if (drag.current === 'select') sheet.extend(at)
    else setDragged(stretched(range, at))
  }

  useEffect(() => {
    const up = () => {
      if (drag.current === 'fill' && dragged !== undefined) sheet.fillFrom(range, dragged)
      drag.current = undefined
      setDragged(undefined)
    }
    window.addEventListener('pointerup', up)
    return () => window.removeEventListener('pointerup', up)
  })

  function tap(event: MouseEvent) {
    if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse' || !isInside(event)) return
    const at = placeOf(event.target)
    if (at === undefined || (event.target as HTMLElement).tagName === 'INPUT') return
    if (at.row === active.row && at.column === active.column && !isOpen) return sheet.begin()
    leaveEditor()
    sheet.go(at)
  }

  const chosen = dragged ?? range
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table would have to hold all rows.
    <div
      ref={frame}
      className={classes.frame}
      role="grid"
      aria-label={text.grid}
      aria-rowcount={count === undefined ? (hasMore ? -1 : rows.length + 1) : count + 1}
      aria-colcount={outlets.length + 2}
      aria-multiselectable
      aria-readonly={!sheet.canWrite}
      onKeyDown={press}
      onFocus={(event) => {
        hadFocus.current = isInside(event)
      }}
      onBlur={({ relatedTarget }) => {
        hadFocus.current = scroller.current?.contains(relatedTarget) === true
      }}
      onCopy={copy}
      onPaste={paste}
      onPointerDown={down}
      onPointerOver={over}
      onClick={tap}
      onDoubleClick={(event) => {
        if (isInside(event) && placeOf(event.target)) sheet.begin()
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as the grid. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: nothing in it takes the focus. */}
      <div role="row" aria-rowindex={1} className={classes.head} style={{ width }}>
        <HeadCell
          index={0}
          className={`${classes.lead} cut`}
          style={{ left: 0, width: lead.name }}
          isEdge={lead.code === 0}
        >
          {text.product}
        </HeadCell>
        {lead.code > 0 && (
          <HeadCell index={1} className={`${classes.lead} cut`} style={{ left: lead.name, width: lead.code }} isEdge>
            {text.code}
          </HeadCell>
        )}
        {shownColumns.map(({ index, start, size: own }) => (
          <HeadCell
            key={outlets[index]?.id}
            index={index + 2}
            className={classes.headCell as string}
            style={{ left: start, width: own }}
            isActive={index === active.column}
          >
            <bdi title={outlets[index]?.name}>{outlets[index]?.name}</bdi>
          </HeadCell>
        ))}
      </div>
      <div className={classes.body} role="presentation" style={{ height: lines.getTotalSize(), width }}>
        {shownRows.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const isChosen = index >= chosen.top && index <= chosen.bottom
          return (
            <StockRow
              key={row.id}
              row={row}
              index={index}
              top={start}
              width={width}
              lead={lead}
              productName={productName(row.productId)}
              outlets={outlets as readonly Outlet[]}
              columns={shownColumns}
              edits={editsOfRows.get(row.id)}
              active={index === active.row ? active.column : undefined}
              selectedFrom={isChosen && !isOne(chosen) ? chosen.left : size.columns}
              selectedTo={isChosen && !isOne(chosen) ? chosen.right : -1}
              fillCorner={sheet.canWrite && index === range.bottom ? range.right : undefined}
              editing={index === active.row ? editing : undefined}
              onType={typeOn}
              onLeave={leaveEditor}
            />
          )
        })}
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

/** What is in sight, and the active one wherever it is: it holds the focus. */
const useWith = (active: number, count: number) =>
  useCallback(
    (sight: Sight) => {
      const shown = defaultRangeExtractor(sight)
      return shown.includes(active) || active >= count ? shown : [...shown, active].sort((a, b) => a - b)
    },
    [active, count],
  )

const isOne = ({ top, left, bottom, right }: Range) => top === bottom && left === right

/** A range drawn out to a place, down or up, or to a side: as far as the place is away most. */
function stretched(range: Range, { row, column }: Place): Range {
  const [down, up] = [row - range.bottom, range.top - row]
  const [right, left] = [column - range.right, range.left - column]
  const most = Math.max(down, up, right, left, 0)
  const corner = { row: range.top, column: range.left }
  if (most === 0) return range
  if (most === down) return rangeOf(corner, { row, column: range.right })
  if (most === up) return rangeOf({ row, column: range.left }, { row: range.bottom, column: range.right })
  if (most === right) return rangeOf(corner, { row: range.bottom, column })
  return rangeOf({ row: range.top, column }, { row: range.bottom, column: range.right })
}

interface HeadCellProps {
  readonly index: number
  readonly className: string
  readonly style: CSSProperties
  readonly isEdge?: boolean
  readonly isActive?: boolean
  readonly children: ReactNode
}

function HeadCell({ index, className, style, isEdge, isActive, children }: HeadCellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: nothing can be done in it.
    <div
      role="columnheader"
      aria-colindex={index + 1}
      className={className}
      style={style}
      data-edge={isEdge || undefined}
      data-active={isActive || undefined}
    >
      {children}
    </div>
  )
}
