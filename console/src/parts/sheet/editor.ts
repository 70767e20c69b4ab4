// The editor of the active cell: opened by typing or by a key, and scanned codes that arrive in it.
import { useCallback, useRef, useState } from 'react'
import { text } from '../../texts/sheet.ts'
import { Unreadable } from '../unreadable.ts'
import type { Size } from './cell-positions.ts'
import type { Cells } from './cells.ts'
import { shownIn, type ValueFormat } from './format.ts'
import type { Editing } from './SheetCell.tsx'
import { isCode } from './scanned.ts'
import type { Selection } from './selection.ts'

export interface EditorParts {
  readonly canWrite: boolean
  /** Announces what happened, in a sentence. */
  readonly say: (message: string) => void
  /** Called with a code that was scanned while a cell had the focus. */
  readonly scanned: (code: string) => void
}

export function useEditor(
  cells: Cells,
  { active, go }: Selection,
  size: Size,
  { canWrite, say, scanned }: EditorParts,
) {
  const [editing, setEditing] = useState<Editing>()
  const begunAt = useRef(0)
  const { cellAt, editAt, valueAt, formatAt, labelAt, put } = cells

  function begin(typed?: string) {
    if (!canWrite || size.rows === 0 || size.columns === 0) return
    const value = valueAt(active)
    const format = formatAt(active)
    if (format === undefined) return
    go(active)
    if (format.isFlag) return typed === undefined ? set(format, value === 1 ? 0 : 1) : undefined
    begunAt.current = performance.now()
    setEditing({
      text: typed ?? (value === undefined ? '' : format.typed(value)),
      isQuick: typed !== undefined,
      isWrong: false,
    })
  }

  function set(format: ValueFormat, value: number | undefined) {
    if (value === valueAt(active)) return
    put([{ place: active, value }])
    say(text.said.set(labelAt(active), shownIn(format, value)))
  }

  /** What an empty editor means: the saved value, or none where a value can be removed. */
  function emptied(): number | undefined {
    const cleared = formatAt(active)?.cleared
    return cleared === undefined ? undefined : (cellAt(active)?.saved ?? (editAt(active) ? cleared : undefined))
  }

  /** Applies the typed value, and `step` to it; false keeps an invalid one for correction. */
  function commit(step = 0): boolean {
    const format = formatAt(active)
    if (editing === undefined || format === undefined) return true
    const typed = editing.text.trim()
    const value = typed === '' ? emptied() : format.read(typed)
    if (value instanceof Unreadable) {
      setEditing({ ...editing, isWrong: true })
      say(value.reason)
      return false
    }
    setEditing(undefined)
    set(format, step === 0 ? value : (value ?? 0) + step)
    return true
  }

  /** Whether the editor's text is a scanned code, not a value; then it leads to its row. */
  function takeScan(): boolean {
    const typed = editing?.text ?? ''
    if (editing?.isQuick !== true || !isCode(typed, performance.now() - begunAt.current)) return false
    setEditing(undefined)
    say(text.said.scanned(typed))
    scanned(typed)
    return true
  }

  return {
    editing,
    begin,
    commit,
    takeScan,
    typeOn: useCallback((typed: string) => setEditing((now) => now && { ...now, text: typed, isWrong: false }), []),
    /** The editor stays open with the other behaviour of the arrow keys. */
    keepMoving: () => setEditing((now) => now && { ...now, isQuick: !now.isQuick }),
    cancel: () => setEditing(undefined),
  }
}
