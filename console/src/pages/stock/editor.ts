// The editor of the active cell: opened by typing or by a key, and scanned codes that arrive in it.
import { useCallback, useRef, useState } from 'react'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/stock.ts'
import type { Cells } from './cells.ts'
import type { Size } from './places.ts'
import { readQuantity, shownQuantity, typedQuantity } from './quantity.ts'
import type { Editing } from './StockCell.tsx'
import type { Selection } from './selection.ts'

export interface EditorParts {
  readonly canWrite: boolean
  /** Announces what happened, in a sentence. */
  readonly say: (message: string) => void
  /** Called with a code that was scanned while a cell had the focus. */
  readonly scanned: (code: string) => void
}

/** Scanners type at least this many characters, and take at most this many milliseconds for each. */
const scan = { signs: 8, msEach: 30 } as const

export function useEditor(
  cells: Cells,
  { active, go }: Selection,
  size: Size,
  { canWrite, say, scanned }: EditorParts,
) {
  const [editing, setEditing] = useState<Editing>()
  const begunAt = useRef(0)
  const { levelAt, editAt, quantityAt, labelAt, put } = cells

  function begin(typed?: string) {
    if (!canWrite || size.rows === 0 || size.columns === 0) return
    const quantity = quantityAt(active)
    begunAt.current = performance.now()
    go(active)
    setEditing({
      text: typed ?? (quantity === undefined ? '' : typedQuantity(quantity)),
      isQuick: typed !== undefined,
      isWrong: false,
    })
  }

  /** Applies the typed quantity; false keeps an invalid one for correction. Empty restores the saved value. */
  function commit(): boolean {
    if (editing === undefined) return true
    const typed = editing.text.trim()
    const quantity = typed === '' ? (levelAt(active)?.stock ?? (editAt(active) ? 0 : undefined)) : readQuantity(typed)
    if (quantity instanceof Unreadable) {
      setEditing({ ...editing, isWrong: true })
      say(quantity.reason)
      return false
    }
    setEditing(undefined)
    if (quantity !== undefined && quantity !== quantityAt(active)) {
      put([{ place: active, quantity }])
      say(text.said.set(labelAt(active), shownQuantity(quantity)))
    }
    return true
  }

  /** Whether the editor's text came too fast for typing; then it is a scanned code, not a quantity. */
  function takeScan(): boolean {
    const typed = editing?.text ?? ''
    const isScan =
      editing?.isQuick === true &&
      typed.length >= scan.signs &&
      /^\d+$/.test(typed) &&
      performance.now() - begunAt.current < scan.msEach * typed.length
    if (!isScan) return false
    setEditing(undefined)
    say(text.said.scanned(typed))
    scanned(typed)
    return true
  }

  return {
    ...{ editing, begin, commit, takeScan },
    typeOn: useCallback((typed: string) => setEditing((now) => now && { ...now, text: typed, isWrong: false }), []),
    /** The editor stays open with the other behaviour of the arrow keys. */
    keepMoving: () => setEditing((now) => now && { ...now, isQuick: !now.isQuick }),
    cancel: () => setEditing(undefined),
  }
}
