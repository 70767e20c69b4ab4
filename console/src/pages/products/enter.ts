// Enter in the grid of variants: down to the next one, as in the sheets of prices and stock.
import type { KeyboardEvent } from 'react'

/** Focuses the same input of the next row that has it. Enter in the last row does nothing: it does not save the product. */
export function enterGoesDown(event: KeyboardEvent): void {
  const { key, target, defaultPrevented } = event
  // A list of choices takes Enter for the chosen one.
  if (key !== 'Enter' || defaultPrevented || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const cell = target.closest('td')
  const place = cell === null ? -1 : inputsOf(cell).indexOf(target)
  for (let row = cell?.parentElement?.nextElementSibling; row; row = row.nextElementSibling) {
    const input = inputsOf((row as HTMLTableRowElement).cells[cell?.cellIndex ?? -1])[place]
    if (input === undefined) continue
    input.focus()
    input.select()
    return
  }
}

const inputsOf = (cell: HTMLElement | undefined): HTMLInputElement[] => [...(cell?.querySelectorAll('input') ?? [])]
