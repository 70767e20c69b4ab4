// The keys of the sheet, as in the ARIA grid pattern and in spreadsheets.
import type { KeyboardEvent } from 'react'
import { besides, isSingle, ledTo } from './cell-positions.ts'
import type { Sheet } from './sheet.ts'

interface Actions {
  readonly undo: () => void
  readonly redo: () => void
  /** The number of visible rows, for the page keys. */
  readonly page: number
  /** Leaves the sheet for the next element. */
  readonly leave: () => void
  readonly find: () => void
  /** Shows the history of the cell, where it has one. */
  readonly history?: () => void
  /** Focuses the choices of a refused cell. */
  readonly decide: () => void
}

/** True if the key was handled. */
export function pressed(event: KeyboardEvent, sheet: Sheet, actions: Actions): boolean {
  return sheet.editing === undefined ? inSheet(event, sheet, actions) : inEditor(event, sheet)
}

function inEditor({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, sheet: Sheet): boolean {
  const { active, size, editing } = sheet
  if (key === 'Escape') {
    sheet.cancel()
    return true
  }
  if (key === 'F2') {
    sheet.keepMoving()
    return true
  }
  if (key === 'Enter' && sheet.takeScan()) return true
  const step = { row: active.row + (shiftKey ? -1 : 1), column: active.column }
  const isArrow = editing?.isQuick === true && /^Arrow/.test(key)
  const next =
    key === 'Enter'
      ? { row: Math.max(0, Math.min(size.rows - 1, step.row)), column: active.column }
      : key === 'Tab'
        ? (besides(active, shiftKey ? -1 : 1, size) ?? active)
        : isArrow
          ? ledTo({ key, ctrlKey, metaKey }, active, size, 1)
          : undefined
  if (next === undefined) return false
  if (sheet.commit()) sheet.go(next)
  return true
}

function inSheet(event: KeyboardEvent, sheet: Sheet, actions: Actions): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event
  const { active, size, range, canWrite } = sheet
  const isCommand = ctrlKey || metaKey
  if (altKey) {
    if (key !== 'ArrowDown') return false
    actions.decide()
    return true
  }
  const next = ledTo(event, active, size, actions.page)
  if (next !== undefined) {
    if (shiftKey) sheet.extend(next)
    else sheet.go(next)
    return true
  }
  if (key === 'Tab') {
    const beside = besides(active, shiftKey ? -1 : 1, size)
    // After the last cell, Tab leaves the sheet as usual.
    if (beside === undefined) return false
    sheet.go(beside)
    return true
  }
  if (key === 'Escape') {
    if (isSingle(range)) actions.leave()
    else sheet.go(active)
    return true
  }
  if (isCommand) return command(event, sheet, actions)
  if (actions.history && (key === 'h' || key === 'H')) {
    actions.history()
    return true
  }
  if (key === '/') {
    actions.find()
    return true
  }
  if (!canWrite) return false
  if (key === 'Enter' || key === 'F2') sheet.begin()
  else if (key === 'Backspace') sheet.begin('')
  else if (key === 'Delete') sheet.clear()
  else if (key === ' ' && sheet.formatAt(active)?.isFlag) sheet.begin()
  else if (/^[\d.,+-]$/.test(key)) sheet.begin(key)
  else return false
  return true
}

function command({ key, shiftKey }: KeyboardEvent, sheet: Sheet, { undo, redo }: Actions): boolean {
  const { size, canWrite } = sheet
  const letter = key.toLowerCase()
  if (letter === 'a') {
    sheet.select({ row: 0, column: 0 }, { row: size.rows - 1, column: size.columns - 1 })
    return true
  }
  if (!canWrite) return false
  if (letter === 'z') (shiftKey ? redo : undo)()
  else if (letter === 'y') redo()
  else if (letter === 'd') sheet.fill('down')
  // With a single column selected, Ctrl+R reloads the page as usual.
  else if (letter === 'r' && !shiftKey && (sheet.range.left !== sheet.range.right || sheet.active.column > 0))
    sheet.fill('right')
  else return false
  return true
}
