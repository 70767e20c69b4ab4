// A table of records that stays fast with thousands of rows: it draws only visible rows and loads more at the end. On phones and tablets each row is a card of two lines.
import { Loader, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { text } from '../texts/records.ts'
import { Head } from './DataHead.tsx'
import { BodyRow, type Column, checkWidth, type TableSelection, useOpen } from './DataRow.tsx'
import classes from './DataTable.module.css'
import { Failure } from './Failure.tsx'
import { PrintedTable } from './paper/PrintedTable.tsx'
import type { Sort } from './SortButton.tsx'
import { useLate } from './use-late.ts'

interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort) => void
  /** The target of a row: a link in the first column, and of a click anywhere in the row. */
  readonly linkOf?: (row: Row) => string
  /** Rows are being loaded, if there is no `list` to say so. */
  readonly isLoading?: boolean
  /** The paged list of these rows: its loading and its failures are shown. */
  readonly list?: Pick<
    UseInfiniteQueryResult,
    | 'hasNextPage'
    | 'isPending'
    | 'isPlaceholderData'
    | 'isError'
    | 'isFetching'
    | 'isFetchNextPageError'
    | 'error'
    | 'fetchNextPage'
    | 'refetch'
  >
  /** Shown instead of rows if there are none. */
  readonly empty?: ReactNode
  /** Rows shown as deleted: struck through and paler. */
  readonly isGone?: (row: Row) => boolean
  /** Rows can be selected, by a checkbox in front of each. */
  readonly selection?: TableSelection<Row>
  /** Takes the new width of a column, which users then can change. */
  readonly onWidth?: (key: string, width: number) => void
  /** As high as its rows, for short lists; otherwise it fills the available height. */
  readonly fits?: boolean
}

/** Where rows are cards: beside the navigation of a tablet on its side, where no pointer scrolls sideways, only the columns of a short list fit. */
const phones = '(max-width: 62em)'
const tablets = `${phones}, (max-width: 79.99em) and (pointer: coarse)`

const rowHeight = 41
const cardHeight = 62

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, sort, onSort, linkOf, list, empty, isGone, fits, selection } = props
  const { isLate, isLoading, isBusy } = useWaiting(props)
  const isCard = useMediaQuery(fits ? phones : tablets, false, { getInitialValueInEffect: false }) === true
  const scroller = useRef<HTMLDivElement>(null)
  const open = useOpen(linkOf)
  const virtual = useVirtualRows(scroller, rows.length, (index) => keyOf(rows[index] as Row), isCard)
  const shown = virtual.getVirtualItems()
  const first = shown[0]
  const last = shown.at(-1)
  const hasMore = list?.hasNextPage === true
  const focus = useFocusInRows(scroller, rows)
  useNextPage(list, last !== undefined && last.index > rows.length - 30)

  /** Arrow keys move from row to row; Enter opens, as on any link. */
  function step(event: KeyboardEvent<HTMLTableSectionElement>) {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]')
    if (direction === undefined || row === null) return
    const index = Number(row.dataset.index) + direction
    if (index < 0 || index >= rows.length) return
    event.preventDefault()
    virtual.scrollToIndex(index)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`)?.focus())
  }

  if (list?.isError && rows.length === 0) return <Failure error={list.error} retry={() => void list.refetch()} />
  const frame = fits ? `${classes.frame} ${classes.fits}` : classes.frame
  if (!isLoading && rows.length === 0 && empty) return <div className={frame}>{empty}</div>

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus it to scroll. */}
      <section className={`${frame} screen-only`} ref={scroller} aria-label={label} tabIndex={0} aria-busy={isBusy}>
        <table
          className={classes.table}
          data-cards={isCard || undefined}
          data-outdated={isLate || undefined}
          style={{ minWidth: isCard ? 0 : columns.reduce((sum, { width }) => sum + width, selection ? checkWidth : 0) }}
          aria-rowcount={rows.length + 1}
        >
          <Head {...{ columns, sort, onSort, selection, isCard }} onWidth={props.onWidth} />
          <tbody onKeyDown={step} onPointerOver={showWhole} {...focus}>
            {first !== undefined && first.start > 0 && <tr aria-hidden style={{ height: first.start }} />}
            {shown.map(({ index, key }) => {
              const row = rows[index] as Row
              return (
                <BodyRow
                  key={key}
                  {...{ row, index, columns, linkOf, open, selection, isCard }}
                  isGone={isGone?.(row) === true}
                />
              )
            })}
            {last !== undefined && last.end < virtual.getTotalSize() && (
              <tr aria-hidden style={{ height: virtual.getTotalSize() - last.end }} />
            )}
            {isLoading && rows.length === 0 && (
              <Outlines columns={(isCard ? 1 : columns.length) + (selection ? 1 : 0)} rows={fits ? 3 : 12} />
            )}
          </tbody>
        </table>
        {hasMore && rows.length > 0 && <More list={list} />}
      </section>
      <Printed {...{ columns, rows, keyOf, list }} />
    </>
  )
}

/** What is cut in a cell is its tooltip. */
function showWhole({ target }: PointerEvent<HTMLTableSectionElement>) {
  const shown = (target as HTMLElement).closest<HTMLElement>('td, td bdi, td a')
  if (shown !== null) shown.title = shown.scrollWidth > shown.clientWidth ? (shown.textContent ?? '') : ''
}

/** All rows that were read, on paper; without the actions of each. */
function Printed<Row>({
  columns,
  rows,
  keyOf,
  list,
}: Pick<DataTableProps<Row>, 'columns' | 'rows' | 'keyOf' | 'list'>) {
  const printed = columns.filter(({ isTitleHidden }) => !isTitleHidden)
  return (
    <PrintedTable
      columns={printed}
      count={rows.length}
      keyAt={(row) => keyOf(rows[row] as Row)}
      cellAt={(row, column) => printed[column]?.render(rows[row] as Row)}
      list={list}
    />
  )
}

/** The rows in view, and their places. */
function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  keyAt: (index: number) => string,
  isCard: boolean,
) {
  const height = isCard ? cardHeight : rowHeight
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: keyAt,
    overscan: 16,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height moves all rows.
  useEffect(() => virtual.measure(), [height])
  return virtual
}

/** Whether rows, or others in their place, are being read, and whether that takes a while. */
function useWaiting<Row>({ list, rows, isLoading }: Pick<DataTableProps<Row>, 'list' | 'rows' | 'isLoading'>) {
  const isOutdated = list?.isPlaceholderData === true
  const isLate = useLate(isOutdated)
  // An empty result of the previous search says nothing about this one.
  const isEmpty = list?.isPending || (isLate && rows.length === 0) || isLoading === true
  return { isLate, isLoading: isEmpty, isBusy: isEmpty || isOutdated }
}

/** Moves the focus to the first row if the row that had it is gone after a new search. Returns props of the element with the rows. */
function useFocusInRows(scroller: RefObject<HTMLElement | null>, rows: readonly unknown[]) {
  const isInRows = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other rows have been read.
  useEffect(() => {
    if (!isInRows.current || document.activeElement !== document.body) return
    isInRows.current = false
    scroller.current?.querySelector<HTMLElement>('tr[data-index] a')?.focus()
  }, [rows])
  return {
    onFocus: () => {
      isInRows.current = true
    },
    // Does not run when the element is removed.
    onBlur: () => {
      isInRows.current = false
    },
  }
}

/** Reads the next page when the last rows come into view. */
function useNextPage(list: DataTableProps<unknown>['list'], isNearEnd: boolean): void {
  // Not during a refetch, which this would cancel; nor repeatedly after a failure.
  const mayAsk = list?.hasNextPage === true && !list.isFetching && !list.isFetchNextPageError
  useEffect(() => {
    if (isNearEnd && mayAsk) void list?.fetchNextPage()
  }, [isNearEnd, mayAsk, list])
}

/** Below the last row, while there are more: they are being read, or that has failed. */
function More({ list }: { list: NonNullable<DataTableProps<unknown>['list']> }) {
  return (
    <div className={classes.more}>
      {list.isFetchNextPageError ? (
        <Failure error={list.error} retry={() => void list.fetchNextPage()} />
      ) : (
        <Loader size={16} role="status" aria-label={text.loadMore} />
      )}
    </div>
  )
}

function Outlines({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike.
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike.
        <td key={column}>
          <Skeleton h={14} w={`${45 + ((row * 7 + column * 13) % 45)}%`} />
        </td>
      ))}
    </tr>
  ))
}
