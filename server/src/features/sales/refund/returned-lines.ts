// The lines that a refund takes back: those that a request names, or all that are left.

import { bodyError, invalid, Problem } from '../../../core/problem.ts'
import { findLines } from '../named-lines.ts'
import type { WantedLine } from './refund-body.ts'
import { amountsOfUnits, isSameQuantity, leftOf } from './refund-lines.ts'
import type { Returned } from './refund-record.ts'
import type { OrderLine } from './sold-lines.ts'

/** The lines that a request names. */
export function linesToReturn(lines: readonly OrderLine[], wanted: readonly WantedLine[]): Returned[] | Problem {
  const byPlace = new Map(lines.map((line) => [`${line.kind} ${line.position}`, line]))
  const named = findLines(wanted, (kind, position) => byPlace.get(`${kind} ${position}`))
  if (named instanceof Problem) return named
  const returned: Returned[] = []
  for (const [n, line] of named.entries()) {
    const at = `/lines/${n}`
    const { quantity, restock = true } = wanted[n] as WantedLine
    if (line.sold.total === undefined) {
      const message =
        'The order does not say what this line cost. Refund the whole sale, without lines, or write the refund with POST /v1/refund.'
      return new Problem('conflict', message, [bodyError(`${at}/${line.kind}`, 'unpriced', message)])
    }
    // A line with a negative quantity came back when it was sold.
    const left = Math.max(leftOf(line), 0)
    const units = quantity === undefined || isSameQuantity(quantity, left) ? left : quantity
    if (units <= 0 && quantity !== undefined)
      return invalid([bodyError(`${at}/quantity`, 'exclusiveMinimum', 'must be greater than 0', 0)])
    if (units > left || left === 0) {
      const message = left === 0 ? 'Nothing of the line is left.' : `Only ${left} of the line is left.`
      return new Problem('conflict', message, [bodyError(`${at}/quantity`, 'left', message, left)])
    }
    returned.push({ line, quantity: units, restocks: restock, amounts: amountsOfUnits(line, units) })
  }
  return returned
}

/** Whether the returned lines are all that is left of what was sold; goods that the customer gave in exchange are not. */
export const takesAll = (lines: readonly OrderLine[], returned: readonly Returned[]): boolean => {
  const units = new Map(returned.map(({ line, quantity }) => [line, quantity]))
  return lines.every((line) => (units.get(line) ?? 0) >= leftOf(line))
}

/** All lines with units left, completely; in an exchange, goods that were given in return go out again. */
export const linesLeft = (lines: readonly OrderLine[]): Returned[] =>
  lines
    .filter((line) => leftOf(line) !== 0)
    .map((line) => ({ line, quantity: leftOf(line), restocks: true, amounts: amountsOfUnits(line, leftOf(line)) }))
