// The cells of the sheet: the level that each one shows, and what is typed there.
import { useCallback } from 'react'
import { text } from '../../texts/stock.ts'
import { type Edit, type Edits, keyOf, type Level } from './edits.ts'
import type { Place } from './places.ts'
import type { Row } from './rows.ts'
import type { ShownOutlet } from './StockRow.tsx'

export interface CellsParts {
  readonly rows: readonly Row[]
  readonly outlets: readonly ShownOutlet[]
  readonly edits: Edits
  readonly type: (cells: readonly { readonly level: Level; readonly quantity: number }[], now: Edits) => void
  readonly nameOf: (row: Row) => string
}

export type Cells = ReturnType<typeof useCells>

export function useCells({ rows, outlets, edits, type, nameOf }: CellsParts) {
  const levelAt = useCallback(
    ({ row, column }: Place): Level | undefined => {
      const [variant, outlet] = [rows[row], outlets[column]]
      if (variant === undefined || outlet === undefined) return undefined
      const names = { variantId: variant.id, productId: variant.productId, outletId: outlet.id }
      return { ...names, stock: variant.levels.get(outlet.id) }
    },
    [rows, outlets],
  )
  const editAt = (place: Place): Edit | undefined => {
    const level = levelAt(place)
    return level && edits.get(keyOf(level))
  }
  /** The quantity that a cell shows; undefined if it has no stock. */
  const quantityAt = (place: Place): number | undefined => editAt(place)?.quantity ?? levelAt(place)?.stock
  const labelAt = ({ row, column }: Place): string =>
    rows[row] && outlets[column] ? text.at(nameOf(rows[row]), outlets[column].name) : ''

  /** Types quantities into cells; returns the number of cells that exist. */
  function put(entries: readonly { place: Place; quantity: number }[]): number {
    const cells = entries.flatMap(({ place, quantity }) => {
      const level = levelAt(place)
      return level ? [{ level, quantity }] : []
    })
    type(cells, edits)
    return cells.length
  }

  return { levelAt, editAt, quantityAt, labelAt, put }
}
