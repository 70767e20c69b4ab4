// Blocks of cells: cleared, copied, pasted and filled.

import { text } from '../../texts/sheet.ts'
import { Unreadable } from '../unreadable.ts'
import { type CellPosition, isSingle, placesOf, type Range, type Size, within } from './cell-positions.ts'
import type { Cells } from './cells.ts'
import { cellsOf, textOf } from './clipboard.ts'
import type { Selection } from './selection.ts'

interface BlockParts
  extends Pick<Cells, 'valueAt' | 'formatAt' | 'put'>,
    Pick<Selection, 'active' | 'range' | 'select'> {
  readonly size: Size
  readonly say: (message: string) => void
}

export const blockActions = (parts: BlockParts) => ({
  clear: () => clear(parts),
  copied: () => copied(parts),
  paste: (clipboard: string, at?: CellPosition) => paste(parts, clipboard, at),
  fill: (direction: 'down' | 'right') => fill(parts, direction),
  fillFrom: (source: Range, target: Range) => fillFrom(parts, source, target),
})

function clear({ valueAt, formatAt, put, range, say }: BlockParts): void {
  const cleared = placesOf(range)
    .filter((place) => valueAt(place) !== undefined)
    .map((place) => ({ place, value: formatAt(place)?.cleared }))
    .filter(({ place, value }) => valueAt(place) !== value)
  if (cleared.length === 0) return
  const isZero = cleared.every(({ value }) => value === 0)
  say((isZero ? text.said.zeroed : text.said.cleared)(put(cleared)))
}

function copied({ valueAt, formatAt, range, say }: BlockParts): string {
  const block = []
  for (let row = range.top; row <= range.bottom; row++) {
    const cells = []
    for (let column = range.left; column <= range.right; column++) {
      const value = valueAt({ row, column })
      cells.push(value === undefined ? '' : (formatAt({ row, column })?.typed(value) ?? ''))
    }
    block.push(cells)
  }
  say(text.said.copied(placesOf(range).length))
  return textOf(block)
}

/** A block is pasted at its upper left cell, by default that of the selection; a single value into every selected cell. */
function paste(
  { formatAt, put, select, range, size, say }: BlockParts,
  clipboard: string,
  at: CellPosition = { row: range.top, column: range.left },
): void {
  const block = cellsOf(clipboard)
  const isOne = block.length === 1 && block[0]?.length === 1
  const meant: { place: CellPosition; cell: string }[] = isOne
    ? placesOf(range).map((place) => ({ place, cell: block[0]?.[0] ?? '' }))
    : block.flatMap((cells, row) =>
        cells.map((cell, column) => ({ place: { row: at.row + row, column: at.column + column }, cell })),
      )
  const filled = meant.filter(({ cell }) => cell.trim() !== '')
  const inside = filled.filter(({ place }) => place.row < size.rows && place.column < size.columns)
  const read = inside.flatMap(({ place, cell }) => {
    const format = formatAt(place)
    return format ? [{ place, value: format.read(cell) }] : []
  })
  const numbers = read.flatMap(({ place, value }) => (value instanceof Unreadable ? [] : [{ place, value }]))
  // Show why the first cell is rejected, since the reason may not be obvious.
  const reason = read.map(({ value }) => value).find((value) => value instanceof Unreadable)?.reason
  if (numbers.length === 0) {
    say(reason ?? text.said.pastedNothing)
    return
  }
  const pasted = put(numbers)
  const width = Math.max(...block.map((cells) => cells.length))
  if (!isOne) select(at, within({ row: at.row + block.length - 1, column: at.column + width - 1 }, size))
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
function fillFrom({ valueAt, formatAt, put, select, say }: BlockParts, source: Range, target: Range): void {
  const cells = placesOf(target).flatMap((place) => {
    const from = {
      row: Math.max(source.top, Math.min(source.bottom, place.row)),
      column: Math.max(source.left, Math.min(source.right, place.column)),
    }
    const value = valueAt(from)
    const isSource = from.row === place.row && from.column === place.column
    return value === undefined || isSource || formatAt(from) !== formatAt(place) ? [] : [{ place, value }]
  })
  if (cells.length > 0) say(text.said.filled(put(cells)))
  select({ row: target.top, column: target.left }, { row: target.bottom, column: target.right })
}

/** Fills a selection from its first row or column; a single cell from the one before it. */
function fill(parts: BlockParts, direction: 'down' | 'right'): void {
  const { valueAt, formatAt, put, active, range, say } = parts
  const { top, left, bottom, right } = range
  const isDown = direction === 'down'
  if (isDown ? top === bottom : left === right) {
    const from = isDown ? { row: top - 1, column: left } : { row: top, column: left - 1 }
    if (from.row < 0 || from.column < 0 || !isSingle(range) || formatAt(from) !== formatAt(active)) return
    const value = valueAt(from)
    if (value !== undefined) say(text.said.filled(put([{ place: active, value }])))
    return
  }
  fillFrom(parts, { ...range, ...(isDown ? { bottom: top } : { right: left }) }, range)
}
