// Positions in a sheet: cells, ranges, and where keys lead.

export interface CellPosition {
  readonly row: number
  readonly column: number
}

export interface Size {
  readonly rows: number
  readonly columns: number
}

export interface Range {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** From one corner to the opposite one, in any order. */
export const rangeOf = (a: CellPosition, b: CellPosition): Range => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
})

export const isSingle = ({ top, left, bottom, right }: Range): boolean => top === bottom && left === right

/** A range extended to a cell, vertically or horizontally, whichever is further. */
export function stretched(range: Range, { row, column }: CellPosition): Range {
  const down = row - range.bottom
  const up = range.top - row
  const right = column - range.right
  const left = range.left - column
  const most = Math.max(down, up, right, left, 0)
  const corner = { row: range.top, column: range.left }
  if (most === 0) return range
  if (most === down) return rangeOf(corner, { row, column: range.right })
  if (most === up) return rangeOf({ row, column: range.left }, { row: range.bottom, column: range.right })
  if (most === right) return rangeOf(corner, { row: range.bottom, column })
  return rangeOf({ row: range.top, column }, { row: range.bottom, column: range.right })
}

/** All cells of a range, row by row. */
export function placesOf({ top, left, bottom, right }: Range): CellPosition[] {
  const places: CellPosition[] = []
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) places.push({ row, column })
  return places
}

/** The nearest existing cell. */
export const within = ({ row, column }: CellPosition, { rows, columns }: Size): CellPosition => ({
  row: Math.max(0, Math.min(rows - 1, row)),
  column: Math.max(0, Math.min(columns - 1, column)),
})

interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The cell that a key leads to; undefined if none. `page` is the number of visible rows. */
export function ledTo({ key, ctrlKey, metaKey }: Press, { row, column }: CellPosition, size: Size, page: number) {
  const isFar = ctrlKey || metaKey
  const lastRow = size.rows - 1
  const lastColumn = size.columns - 1
  const places: Readonly<Record<string, CellPosition>> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? lastRow : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? lastColumn : column + 1 },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? lastRow : row, column: lastColumn },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
  }
  const place = places[key]
  return place && within(place, size)
}

/** The next cell to the right or left, across row ends; undefined beyond the last and the first. */
export function besides(
  { row, column }: CellPosition,
  step: 1 | -1,
  { rows, columns }: Size,
): CellPosition | undefined {
  const next = row * columns + column + step
  return next < 0 || next >= rows * columns ? undefined : { row: Math.floor(next / columns), column: next % columns }
}
