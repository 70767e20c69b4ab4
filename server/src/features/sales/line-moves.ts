// The stock of a sale's lines: which of them leave the shelf, or come back to it.

import { bodyError, invalid, type Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { type HeldVariant, type VariantKey, variantKey } from '../../resources/held-variants.ts'
import type { MovementKind, StockCause } from '../../resources/inventory-history.ts'
import type { Move, Moved } from '../../resources/stock-move.ts'

/** Beyond this a number cannot hold six decimals. */
const MOST_UNITS = 1e9
const MOVABLE = 'must be less than 1,000,000,000, with at most six decimals, since it moves stock'

/** A line of an order, as far as stock is concerned. */
export interface StockLine {
  readonly variantId?: string | undefined
  readonly quantity?: number
  readonly name?: string
  readonly sku?: string
}

/** What messages call a line: people count from 1. */
function labelOf({ name, sku }: StockLine, line: number): string {
  const known = [name && JSON.stringify(name), sku && `SKU ${sku}`].filter(Boolean).join(', ')
  return `line ${line + 1}${known && ` (${known})`}`
}

/** Lines whose goods change hands, at one outlet. */
export interface MovedLines {
  readonly scope: Scope
  readonly lines: readonly StockLine[]
  readonly outletId: string | undefined
  readonly mayGoBelow: boolean
  readonly cause: StockCause
  /** JSON pointer of the request's item. */
  readonly at: string
  /** JSON pointer of a line in the request, by its place in `lines`; by default in `lineItems`. */
  readonly lineAt?: (line: number) => string
}

/** The variants of lines that move. */
export const variantsOf = ({ scope, lines }: Pick<MovedLines, 'scope' | 'lines'>): VariantKey[] =>
  lines.flatMap(({ variantId, quantity }) => (variantId === undefined || quantity === 0 ? [] : [{ scope, variantId }]))

/** A move by an amount, and the place of its line. */
interface LineMove extends Move {
  readonly line: number
  readonly change: { readonly by: number }
}

/**
 * The moves of lines whose variant exists and is managed: out of stock by a sale, into it by a return. A line with a
 * negative quantity goes the other way. What comes in is first, so that a swap of one variant needs no more units than it
 * takes in the end. All or none of them are carried out. A problem if a managed line has no outlet.
 */
export function movesOf(
  { scope, lines, outletId, mayGoBelow, cause, at, lineAt = (line) => `${at}/lineItems/${line}` }: MovedLines,
  variants: ReadonlyMap<string, HeldVariant>,
  direction: 'out' | 'in',
): LineMove[] | Problem {
  const moves: LineMove[] = []
  const together = {}
  for (const [line, stockLine] of lines.entries()) {
    const { variantId, quantity = 1 } = stockLine
    if (variantId === undefined || quantity === 0) continue
    if (!variants.get(variantKey({ scope, variantId }))?.isManaged) continue
    if (outletId === undefined)
      return invalid([
        bodyError(
          `${at}/outletId`,
          'required',
          `is required, since the stock of ${labelOf(stockLine, line)} is managed`,
        ),
      ])
    if (Math.abs(quantity) >= MOST_UNITS || Number(quantity.toFixed(6)) !== quantity)
      return invalid([bodyError(`${lineAt(line)}/quantity`, 'range', MOVABLE)])
    const by = direction === 'out' ? -quantity : quantity
    const kind: MovementKind = by < 0 ? 'SALE' : 'RETURN'
    moves.push({
      scope,
      productId: undefined,
      variantId,
      outletId,
      kind,
      ...cause,
      mayGoBelow,
      together,
      line,
      change: { by },
      at: lineAt(line),
      label: labelOf(stockLine, line),
    })
  }
  return moves.sort((a, b) => Number(a.change.by < 0) - Number(b.change.by < 0))
}

/** What a response says of moves that were carried out, in the order of their lines. */
export const shownMoves = (moves: readonly LineMove[], moved: readonly Moved[]): object[] =>
  moves
    .map(({ line, variantId, outletId }, n) => {
      const { id, previousStock, stock } = moved[n] as Moved
      return { lineItem: line, inventoryId: id, variantId, outletId, previousStock, stock }
    })
    .sort((a, b) => a.lineItem - b.lineItem)
