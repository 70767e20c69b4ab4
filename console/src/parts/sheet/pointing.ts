// The saved sheet by mouse and touch: cells are selected, ranges dragged, and filled from a corner.
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type CellPosition, type Range, stretched } from './cell-positions.ts'
import type { Sheet } from './sheet.ts'

const placeOf = (target: EventTarget): CellPosition | undefined => {
  const cell = (target as HTMLElement).closest<HTMLElement>('[role="gridcell"]')
  const row = cell?.closest<HTMLElement>('[data-index]')
  return cell && row ? { row: Number(row.dataset.index), column: Number(cell.dataset.column) } : undefined
}

const isInput = (target: EventTarget): boolean => (target as HTMLElement).tagName === 'INPUT'

/** `isInside` distinguishes events in the sheet from events in content that is shown at a cell. */
export function usePointing(
  sheet: Sheet,
  isInside: (event: { target: EventTarget }) => boolean,
  leaveEditor: () => void,
) {
  const { active, range, editing } = sheet
  const [dragged, setDragged] = useState<Range>()
  const drag = useRef<'select' | 'fill'>(undefined)

  useEffect(() => {
    const up = () => {
      if (drag.current === 'fill' && dragged !== undefined) sheet.fillFrom(range, dragged)
      drag.current = undefined
      setDragged(undefined)
    }
    window.addEventListener('pointerup', up)
    return () => window.removeEventListener('pointerup', up)
  })

  function down(event: PointerEvent) {
    if (event.button !== 0 || !isInside(event) || isInput(event.target)) return
    const at = placeOf(event.target)
    if (at === undefined) return
    const isMouse = event.pointerType === 'mouse'
    if (isMouse && (event.target as HTMLElement).dataset.handle !== undefined) {
      event.preventDefault()
      drag.current = 'fill'
      return
    }
    // Touch scrolls with this; a tap arrives as a click.
    if (!isMouse) return
    leaveEditor()
    if (event.shiftKey) sheet.extend(at)
    else sheet.go(at)
    drag.current = 'select'
  }

  function over(event: PointerEvent) {
    if (drag.current === undefined || event.buttons !== 1) return
    const at = placeOf(event.target)
    if (at === undefined) return
    if (drag.current === 'select') sheet.extend(at)
    else setDragged(stretched(range, at))
  }

  function tap(event: MouseEvent) {
    if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse' || !isInside(event)) return
    const at = placeOf(event.target)
    if (at === undefined || isInput(event.target)) return
    if (at.row === active.row && at.column === active.column && editing === undefined) return sheet.begin()
    leaveEditor()
    sheet.go(at)
  }

  return {
    /** The selection, or what it would be on release. */
    chosen: dragged ?? range,
    handlers: {
      onPointerDown: down,
      onPointerOver: over,
      onClick: tap,
      onDoubleClick: (event: MouseEvent) => {
        if (isInside(event) && placeOf(event.target)) sheet.begin()
      },
    },
  }
}
