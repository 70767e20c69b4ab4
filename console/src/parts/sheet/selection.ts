// The selection of the sheet: the active cell, and the range from the cell where the selection began.
import { useCallback, useState } from 'react'
import { type Place, rangeOf, type Size, within } from './places.ts'

const start = { row: 0, column: 0 } as const

export type Selection = ReturnType<typeof useSelection>

export function useSelection(size: Size) {
  const [spot, setSpot] = useState<{ active: Place; anchor: Place }>({ active: start, anchor: start })
  const active = within(spot.active, size)
  const anchor = within(spot.anchor, size)
  return {
    ...{ active, anchor, range: rangeOf(active, anchor) },
    go: useCallback((place: Place) => setSpot({ active: place, anchor: place }), []),
    extend: useCallback((place: Place) => setSpot((before) => ({ ...before, active: place })), []),
    select: useCallback((from: Place, to: Place) => setSpot({ active: from, anchor: to }), []),
  }
}
