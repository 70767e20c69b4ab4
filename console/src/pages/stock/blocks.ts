// Blocks of cells: cleared, copied, pasted and filled.
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/stock.ts'
import type { Cells } from './cells.ts'
import { cellsOf, textOf } from './clipboard.ts'
import { isSingle, type Place, placesOf, type Range, type Size, within } from './places.ts'
import { readQuantity, typedQuantity } from './quantity.ts'
import type { Selection } from './selection.ts'

interface BlockParts extends Pick<Cells, 'quantityAt' | 'put'>, Pick<Selection, 'active' | 'range' | 'select'> {
  readonly size: Size
  readonly say: (message: string) => void
}

export const blockActions = (parts: BlockParts) => ({
  clear: () => clear(parts),
  copied: () => copied(parts),
  paste: (clipboard: string) => paste(parts, clipboard),
  fill: (direction: 'down' | 'right') => fill(parts, direction),
  fillFrom: (source: Range, target: Range) => fillFrom(parts, source, target),
})

function clear({ quantityAt, put, range, say }: BlockParts): void {
  const filled = placesOf(range).filter((place) => quantityAt(place) !== undefined && quantityAt(place) !== 0)
  if (filled.length > 0) say(text.said.cleared(put(filled.map((place) => ({ place, quantity: 0 })))))
}

function copied({ quantityAt, range, say }: BlockParts): string {
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
function paste({ put, select, range, size, say }: BlockParts, clipboard: string): void {
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
  if (numbers.length === 0) {
    say(reason ?? text.said.pastedNothing)
    return
  }
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
function fillFrom({ quantityAt, put, select, say }: BlockParts, source: Range, target: Range): void {
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
function fill(parts: BlockParts, direction: 'down' | 'right'): void {
  const { quantityAt, put, active, range, say } = parts
  const { top, left, bottom, right } = range
  const isDown = direction === 'down'
  if (isDown ? top === bottom : left === right) {
    const from = isDown ? { row: top - 1, column: left } : { row: top, column: left - 1 }
    if (from.row < 0 || from.column < 0 || !isSingle(range)) return
    const quantity = quantityAt(from)
    if (quantity !== undefined) say(text.said.filled(put([{ place: active, quantity }])))
    return
  }
  fillFrom(parts, { ...range, ...(isDown ? { bottom: top } : { right: left }) }, range)
}
