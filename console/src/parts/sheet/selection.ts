// The selection of the sheet: the active cell, and the range from the cell where the selection began.
import { useCallback, useState } from 'react'
import { type CellPosition, rangeOf, type Size, within } from './cell-positions.ts'

const start = { row: 0, column: 0 } as const

export type Selection = ReturnType<typeof useSelection>

export function useSelection(size: Size) {
  const [spot, setSpot] = useState<{ active: CellPosition; anchor: CellPosition }>({ active: start, anchor: start })
  const active = within(spot.active, size)
  const anchor = within(spot.anchor, size)
  return {
    active,
    anchor,
    range: rangeOf(active, anchor),
    go: useCallback((place: CellPosition) => setSpot({ active: place, anchor: place }), []),
    extend: useCallback((place: CellPosition) => setSpot((before) => ({ ...before, active: place })), []),
    select: useCallback((from: CellPosition, to: CellPosition) => setSpot({ active: from, anchor: to }), []),
  }
}
