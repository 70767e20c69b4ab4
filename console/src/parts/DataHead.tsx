// The head of a table: the titles of its columns, which sort it, and their widths; above cards, the order of the cards.
import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type Column, checkWidth, SelectAll, type TableSelection } from './DataRow.tsx'
import { type Sort, SortButton } from './SortButton.tsx'
import { useLater } from './use-later.ts'
import { WidthHandle } from './WidthHandle.tsx'

const loadSortMenu = () => import('./SortMenu.tsx')

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
  readonly selection: TableSelection<Row> | undefined
  readonly isCard: boolean
  /** Takes the new width of a column. Without it, users cannot change widths. */
  readonly onWidth: ((key: string, width: number) => void) | undefined
}

/** The widths of the columns, and their titles. */
export function Head<Row>({ columns, sort, onSort, selection, isCard, onWidth }: HeadProps<Row>) {
  if (isCard)
    return (
      <>
        <colgroup>
          {selection && <col style={{ width: checkWidth }} />}
          <col />
        </colgroup>
        <thead>
          <tr>
            {selection && <SelectAll selection={selection} />}
            <th scope="col">
              <SortOrder {...{ columns, sort, onSort }} />
            </th>
          </tr>
        </thead>
      </>
    )
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: checkWidth }} />}
        {columns.map(({ key, width }, n) => (
          <col key={key} data-first={n === 0 || undefined} style={{ [n === 0 ? '--first' : 'width']: `${width}px` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {selection && <SelectAll selection={selection} />}
          {columns.map((column, n) => (
            // The first column takes the remaining width.
            <HeadCell key={column.key} {...{ column, sort, onSort }} onWidth={n === 0 ? undefined : onWidth} />
          ))}
        </tr>
      </thead>
    </>
  )
}

/** The order of cards, which have no titles of columns to click. */
function SortOrder<Row>({ columns, sort, onSort }: Pick<HeadProps<Row>, 'columns' | 'sort' | 'onSort'>) {
  const [menu, want] = useLater(loadSortMenu)
  const sortable = columns.filter(({ sortKey }) => sortKey !== undefined)
  const current = sortable.find(({ sortKey }) => sortKey === sort?.by)
  if (onSort === undefined || sortable.length === 0) return <Title>{columns[0]?.title ?? ''}</Title>
  const face = { title: current?.title, isDescending: sort?.isDescending === true }
  if (menu === undefined) return <SortButton {...face} aria-haspopup="menu" aria-expanded={false} onClick={want} />
  return <menu.SortMenu {...{ face, sortable, sort, onSort }} />
}

interface HeadCellProps<Row> extends Pick<HeadProps<Row>, 'sort' | 'onSort' | 'onWidth'> {
  readonly column: Column<Row>
}

function HeadCell<Row>({ column, sort, onSort, onWidth }: HeadCellProps<Row>) {
  const { title, isTitleHidden, align, sortKey } = column
  const isSorted = sort !== undefined && sort.by === sortKey
  const direction = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th
      data-align={align}
      data-actions={isTitleHidden}
      aria-sort={direction}
      scope="col"
      // Without the name of the handle.
      aria-label={onWidth && title}
    >
      {sortKey !== undefined && onSort !== undefined ? (
        <button
          type="button"
          onClick={() => onSort({ by: sortKey, isDescending: isSorted ? !sort.isDescending : false })}
        >
          {title}
          {isSorted &&
            (sort.isDescending ? <IconArrowDown size={13} aria-hidden /> : <IconArrowUp size={13} aria-hidden />)}
        </button>
      ) : (
        <Title isHidden={isTitleHidden}>{title}</Title>
      )}
      {onWidth && <WidthHandle column={column} onWidth={onWidth} />}
    </th>
  )
}

const Title = ({ isHidden = false, children }: { isHidden?: boolean | undefined; children: string }) =>
  isHidden ? <VisuallyHidden>{children}</VisuallyHidden> : children
