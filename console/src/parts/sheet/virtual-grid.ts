// Virtualization of the saved sheet: renders visible rows and columns, and the active ones, which have the focus.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo } from 'react'
import type { Row } from './rows.ts'
import type { Sheet } from './sheet.ts'

export const rowHeight = 46
export const headHeight = 40
export const columnWidth = 116

interface VirtualGridParts {
  readonly sheet: Sheet
  readonly scroller: RefObject<HTMLDivElement | null>
  /** The total of the leading columns. */
  readonly leadWidth: number
  readonly hasMore: boolean
  readonly loadMore: () => void
  /** Called with the visible rows. */
  readonly onVisible: (rows: readonly Row[]) => void
}

export function useVirtualGrid({ sheet, scroller, leadWidth, hasMore, loadMore, onVisible }: VirtualGridParts) {
  const { rows, heads, active } = sheet
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The head covers that much of the scroller; without it, the last row in view would be cut off.
    scrollPaddingEnd: headHeight,
    rangeExtractor: useWith(active.row, rows.length),
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: heads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => columnWidth,
    overscan: 4,
    scrollMargin: leadWidth,
    scrollPaddingStart: leadWidth,
    rangeExtractor: useWith(active.column, heads.length),
  })
  const shownRows = lines.getVirtualItems()
  const found = columns.getVirtualItems()
  // The same array as long as its content is the same, so that rows are not rendered again for nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: by indices and positions.
  const shownColumns = useMemo(() => found, [found.map(({ index, start }) => `${index}@${start}`).join()])

  const lastShown = shownRows.findLast(({ index }) => index !== active.row)?.index ?? 0
  const isNearEnd = lastShown > rows.length - 40 || active.row > rows.length - 40
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows trigger it again.
  useEffect(() => {
    if (isNearEnd && hasMore) loadMore()
  }, [isNearEnd, hasMore, loadMore, rows.length])

  const visible = shownRows.map(({ index }) => index).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: by indices.
  useEffect(() => {
    onVisible(shownRows.flatMap(({ index }) => rows[index] ?? []))
  }, [visible, rows, onVisible])

  return { lines, columns, shownRows, shownColumns }
}

/** The visible ones, plus the active one wherever it is. */
const useWith = (active: number, count: number) =>
  useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return shown.includes(active) || active >= count ? shown : [...shown, active].sort((a, b) => a - b)
    },
    [active, count],
  )
