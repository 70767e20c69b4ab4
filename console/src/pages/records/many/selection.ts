// Which rows of a list are selected: some by their ids, or all that the list's query finds.
import { useState } from 'react'
import type { RecordData } from '../../../api/records.ts'

export type RowSelection = ReturnType<typeof useRowSelection>

/** `query` identifies the list's query: with another one, the selection is empty. */
export function useRowSelection(rows: readonly RecordData[], count: number | undefined, query: string) {
  const [{ of, ids, isAll, anchor }, set] = useState(() => nothing(query))
  const isCurrent = of === query
  const chosen = isCurrent ? ids : none
  const isEverything = isCurrent && isAll
  const has = (id: string) => isEverything || chosen.has(id)
  const selectedCount = isEverything ? (count ?? rows.length) : chosen.size
  const areShownSelected = rows.length > 0 && rows.every(({ id }) => has(id))

  return {
    has,
    isAll: isEverything,
    count: selectedCount,
    /** The selected records in the order of the list, unless all that match are. */
    records: isEverything ? [] : inOrder(rows, chosen),
    shown: areShownSelected ? ('all' as const) : selectedCount > 0 ? ('some' as const) : ('none' as const),
    /** Switches a row; with Shift, also all rows since the last one. */
    toggle(index: number, isRange: boolean) {
      const row = rows[index]
      if (row === undefined) return
      const next = new Map(isEverything ? rows.map((one) => [one.id, one]) : chosen)
      const isOn = !has(row.id)
      const from = isRange ? rows.findIndex(({ id }) => id === anchor) : -1
      const range = from < 0 ? [row] : rows.slice(Math.min(from, index), Math.max(from, index) + 1)
      for (const one of range) {
        if (isOn) next.set(one.id, one)
        else next.delete(one.id)
      }
      set({ of: query, ids: next, isAll: false, anchor: row.id })
    },
    /** Selects all rows that were read, or none if they are. */
    toggleShown() {
      if (areShownSelected) set(nothing(query))
      else set({ of: query, ids: new Map(rows.map((row) => [row.id, row])), isAll: false, anchor: undefined })
    },
    selectAll: () => set({ of: query, ids: none, isAll: true, anchor: undefined }),
    /** Selects only these records. */
    select: (records: readonly RecordData[]) =>
      set({ of: query, ids: new Map(records.map((one) => [one.id, one])), isAll: false, anchor: undefined }),
    clear: () => set(nothing(query)),
  }
}

/** Records that the list does not show any more come last. */
function inOrder(rows: readonly RecordData[], chosen: ReadonlyMap<string, RecordData>): readonly RecordData[] {
  const shown = new Map(rows.flatMap((row) => (chosen.has(row.id) ? [[row.id, row]] : [])))
  return [...shown.values(), ...[...chosen.values()].filter(({ id }) => !shown.has(id))]
}

interface State {
  readonly of: string
  readonly ids: ReadonlyMap<string, RecordData>
  readonly isAll: boolean
  /** The row that was switched last. */
  readonly anchor: string | undefined
}

const none: ReadonlyMap<string, RecordData> = new Map()
const nothing = (of: string): State => ({ of, ids: none, isAll: false, anchor: undefined })
