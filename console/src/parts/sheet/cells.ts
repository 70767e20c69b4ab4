// The cells of the sheet: what is saved in each one, and what is typed there.
import { useCallback } from 'react'
import { text } from '../../texts/sheet.ts'
import type { CellPosition } from './cell-positions.ts'
import { type Cell, type Edit, type Edits, keyOf } from './edits.ts'
import type { Head, ValueFormat } from './format.ts'
import type { Row } from './rows.ts'

export interface CellsParts {
  readonly rows: readonly Row[]
  readonly heads: readonly Head[]
  readonly edits: Edits
  readonly type: (cells: readonly { readonly cell: Cell; readonly value: number | undefined }[], now: Edits) => void
  readonly nameOf: (row: Row) => string
}

export type Cells = ReturnType<typeof useCells>

export function useCells({ rows, heads, edits, type, nameOf }: CellsParts) {
  const cellAt = useCallback(
    ({ row, column }: CellPosition): Cell | undefined => {
      const variant = rows[row]
      const head = heads[column]
      if (variant === undefined || head === undefined) return undefined
      const names = { variantId: variant.id, productId: variant.productId, headId: head.id }
      return { ...names, saved: variant.values.get(head.id) }
    },
    [rows, heads],
  )
  const editAt = (place: CellPosition): Edit | undefined => {
    const cell = cellAt(place)
    return cell && edits.get(keyOf(cell))
  }
  /** The value that a cell shows; undefined if it has none. */
  const valueAt = (place: CellPosition): number | undefined => {
    const edit = editAt(place)
    return edit === undefined ? cellAt(place)?.saved : edit.value
  }
  const formatAt = ({ column }: CellPosition): ValueFormat | undefined => heads[column]?.format
  const labelAt = ({ row, column }: CellPosition): string =>
    rows[row] && heads[column] ? text.at(nameOf(rows[row]), heads[column].name) : ''

  /** Types values into cells; returns the number of cells that exist. */
  function put(entries: readonly { place: CellPosition; value: number | undefined }[]): number {
    const cells = entries.flatMap(({ place, value }) => {
      const cell = cellAt(place)
      return cell ? [{ cell, value }] : []
    })
    type(cells, edits)
    return cells.length
  }

  return { cellAt, editAt, valueAt, formatAt, labelAt, put }
}
