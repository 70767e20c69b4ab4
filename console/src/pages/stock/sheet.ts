// The logic of the sheet: moving, typing, pasting, filling. Independent of how it is rendered.
import { useCallback, useMemo, useRef, useState } from 'react'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/stock.ts'
import { cellsOf, textOf } from './clipboard.ts'
import { type Edit, type Edits, keyOf, type Level } from './edits.ts'
import { isSingle, type Place, placesOf, type Range, rangeOf, within } from './places.ts'
import { readQuantity, shownQuantity, typedQuantity } from './quantity.ts'
import type { Row } from './rows.ts'
import type { Editing } from './StockCell.tsx'
import type { ShownOutlet } from './StockRow.tsx'

interface SheetParts {
  readonly rows: readonly Row[]
  readonly outlets: readonly ShownOutlet[]
  readonly edits: Edits
  readonly canWrite: boolean
  readonly type: (cells: readonly { readonly level: Level; readonly quantity: number }[], now: Edits) => void
  /** Announces what happened, in a sentence. */
  readonly say: (message: string) => void
  readonly nameOf: (row: Row) => string
  /** Called with a code that was scanned while a cell had the focus. */
  readonly scanned: (code: string) => void
}

export type Sheet = ReturnType<typeof useSheet>

/** Scanners type at least this many characters, and take at most this many milliseconds for each. */
const scan = { signs: 8, msEach: 30 } as const

export function useSheet({ rows, outlets, edits, canWrite, type, say, nameOf, scanned }: SheetParts) {
  const size = useMemo(() => ({ rows: rows.length, columns: outlets.length }), [rows.length, outlets.length])
  const [spot, setSpot] = useState<{ active: Place; anchor: Place }>({
    active: { row: 0, column: 0 },
    anchor: { row: 0, column: 0 },
  })
  const [editing, setEditing] = useState<Editing>()
  const begunAt = useRef(0)
  const active = within(spot.active, size)
  const anchor = within(spot.anchor, size)
  const range = rangeOf(active, anchor)

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

  const go = useCallback((place: Place) => setSpot({ active: place, anchor: place }), [])
  const extend = useCallback((place: Place) => setSpot((before) => ({ ...before, active: place })), [])
  const select = useCallback((from: Place, to: Place) => setSpot({ active: from, anchor: to }), [])

  function put(entries: readonly { place: Place; quantity: number }[]): number {
    const cells = entries.flatMap(({ place, quantity }) => {
      const level = levelAt(place)
      return level ? [{ level, quantity }] : []
    })
    type(cells, edits)
    return cells.length
  }

  function begin(typed?: string) {
    if (!canWrite || size.rows === 0 || size.columns === 0) return
    const quantity = quantityAt(active)
    begunAt.current = performance.now()
    setSpot({ active, anchor: active })
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

  function clear() {
    const filled = placesOf(range).filter((place) => quantityAt(place) !== undefined && quantityAt(place) !== 0)
    if (filled.length > 0) say(text.said.cleared(put(filled.map((place) => ({ place, quantity: 0 })))))
  }

  function copied(): string {
    const block = []
    for (let row = range.top; row <= range.bottom; row++) {
      const cells = []
      for (let column = range.left; column <= range.right; column++) {
        const quantity = quantityAt({ row, column })
        cells.push(quantity === undefined ? '' : typedQuantity(quantity))
      }
      block.push(cells)
    }
    say(text.said.copied(placesOf(range).length))
    return textOf(block)
  }

  /** A block is pasted at its upper left cell; a single value into every selected cell. */
  function paste(clipboard: string) {
    const block = cellsOf(clipboard)
    const isOne = block.length === 1 && block[0]?.length === 1
    const meant: { place: Place; cell: string }[] = isOne
      ? placesOf(range).map((place) => ({ place, cell: block[0]?.[0] ?? '' }))
      : block.flatMap((cells, row) =>
          cells.map((cell, column) => ({ place: { row: range.top + row, column: range.left + column }, cell })),
        )
    const filled = meant.filter(({ cell }) => cell.trim() !== '')
    const inside = filled.filter(({ place }) => place.row < size.rows && place.column < size.columns)
    const read = inside.map(({ place, cell }) => ({ place, quantity: readQuantity(cell) }))
    const numbers = read.flatMap(({ place, quantity }) => (quantity instanceof Unreadable ? [] : [{ place, quantity }]))
    // Show why the first cell is rejected, since the reason may not be obvious.
    const reason = read.map(({ quantity }) => quantity).find((quantity) => quantity instanceof Unreadable)?.reason
    if (numbers.length === 0) return say(reason ?? text.said.pastedNothing)
    const pasted = put(numbers)
    const width = Math.max(...block.map((cells) => cells.length))
    if (!isOne)
      select(
        { row: range.top, column: range.left },
        within({ row: range.top + block.length - 1, column: range.left + width - 1 }, size),
      )
    say(
      [
        text.said.pasted(pasted),
        inside.length > numbers.length && text.said.left(inside.length - numbers.length),
        reason,
        filled.length > inside.length && text.said.outside,
      ]
        .filter(Boolean)
        .join(' '),
    )
  }

  /** Fills `target` with the nearest edge of `source`. */
  function fillFrom(source: Range, target: Range) {
    const cells = placesOf(target).flatMap((place) => {
      const from = {
        row: Math.max(source.top, Math.min(source.bottom, place.row)),
        column: Math.max(source.left, Math.min(source.right, place.column)),
      }
      const quantity = quantityAt(from)
      const isSource = from.row === place.row && from.column === place.column
      return quantity === undefined || isSource ? [] : [{ place, quantity }]
    })
    if (cells.length > 0) say(text.said.filled(put(cells)))
    select({ row: target.top, column: target.left }, { row: target.bottom, column: target.right })
  }

  /** Fills a selection from its first row or column; a single cell from the one before it. */
  function fill(direction: 'down' | 'right') {
    const { top, left, bottom, right } = range
    const isDown = direction === 'down'
    if (isDown ? top === bottom : left === right) {
      const from = isDown ? { row: top - 1, column: left } : { row: top, column: left - 1 }
      if (from.row < 0 || from.column < 0 || !isSingle(range)) return
      const quantity = quantityAt(from)
      if (quantity !== undefined) say(text.said.filled(put([{ place: active, quantity }])))
      return
    }
    fillFrom({ ...range, ...(isDown ? { bottom: top } : { right: left }) }, range)
  }

  return {
    ...{ size, active, anchor, range, editing, rows, outlets, canWrite },
    ...{ levelAt, editAt, labelAt, go, extend, select, begin, commit, takeScan, clear, copied, paste, fill, fillFrom },
    typeOn: useCallback((typed: string) => setEditing((now) => now && { ...now, text: typed, isWrong: false }), []),
    /** The editor stays open with the other behaviour of the arrow keys. */
    keepMoving: () => setEditing((now) => now && { ...now, isQuick: !now.isQuick }),
    cancel: () => setEditing(undefined),
  }
}
