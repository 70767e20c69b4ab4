// What the stock page works with: the sheet of variants by outlets, the reason of a count, and the history of a level.
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { SaveEdits } from '../../parts/sheet/saving-state.ts'
import { useVariantSheet } from '../../parts/sheet/variant-sheet.ts'
import type { ShownLevel } from './History.tsx'
import { rowOf, showLevels } from './levels.ts'
import { useOutlets } from './outlets.ts'
import { saveEdits } from './saving.ts'

export type Stock = ReturnType<typeof useStock>

/** `page` is the element that contains the sheet. */
export function useStock(page: RefObject<HTMLElement | null>) {
  const outlets = useOutlets()
  const [reason, setReason] = useState('')
  const save = useSaveStock(reason, setReason)
  const state = useVariantSheet({ page, rowOf, heads: outlets.shown, saveEdits: save })
  const history = useHistory(state)
  return { state, outlets, reason, setReason, history }
}

/** Saves counts with their reason, and empties it when all are saved. */
function useSaveStock(reason: string, setReason: (reason: string) => void): SaveEdits {
  const scope = useScope()
  const client = useQueryClient()
  return async (edits, settle) => {
    try {
      const done = await saveEdits(scope, edits, reason.trim(), ({ levels, entries }) => {
        showLevels(client, scope, levels)
        settle(entries)
      })
      if (done.refused === 0) setReason('')
      return done
    } finally {
      void refresh(client, scope.companyId, 'inventories')
      void refresh(client, scope.companyId, 'inventory-history')
      // Sheets are already up to date.
      void client.invalidateQueries({
        queryKey: [scope.companyId, 'variants'],
        predicate: ({ queryKey }) => queryKey[2] !== 'sheet',
      })
    }
  }
}

/** The level whose history is shown. */
function useHistory({ rows, sheet }: Stock['state']) {
  const [level, setLevel] = useState<ShownLevel>()
  return {
    level,
    /** Shows that of the active cell. */
    show() {
      const cell = sheet.cellAt(sheet.active)
      if (cell === undefined) return
      const { variantId, headId: outletId } = cell
      const isManaged = rows[sheet.active.row]?.badge === undefined
      setLevel({ variantId, outletId, isManaged, label: sheet.labelAt(sheet.active) })
    },
    close: () => setLevel(undefined),
  }
}
