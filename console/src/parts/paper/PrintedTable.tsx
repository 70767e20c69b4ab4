// The rows of a list on paper: on screen, a long list draws only those in view.
import type { ReactNode } from 'react'
import { text } from '../../texts/paper.ts'
import classes from './PrintedTable.module.css'
import { type PrintedList, useWholeList } from './use-whole-list.ts'

/** Rows on paper: some forty pages, which a browser lays out in a second. */
const mostPrinted = 2_000

interface PrintedTableProps {
  readonly columns: readonly {
    readonly key: string
    readonly title: string
    readonly align?: 'left' | 'right' | undefined
  }[]
  /** How many rows were read. */
  readonly count: number
  readonly keyAt: (index: number) => string
  /** The cell of a row in a column, both by index. */
  readonly cellAt: (row: number, column: number) => ReactNode
  readonly list?: PrintedList | undefined
}

export function PrintedTable({ columns, count, keyAt, cellAt, list }: PrintedTableProps) {
  if (!useWholeList(list, count, mostPrinted)) return null
  const printed = Math.min(count, mostPrinted)
  const hasMore = printed < count || list?.hasNextPage === true
  return (
    <div className={classes.printed}>
      {hasMore && <p>{text.firstRows(printed)}</p>}
      <table>
        <thead>
          <tr>
            {columns.map(({ key, title, align }) => (
              <th key={key} data-align={align} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: printed }, (_, row) => (
            <tr key={keyAt(row)}>
              {columns.map(({ key, align }, column) => (
                <td key={key} data-align={align}>
                  {cellAt(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
