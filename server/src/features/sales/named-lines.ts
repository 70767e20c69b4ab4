// Lines of an order that a refund or a split names by their places, each once.

import { bodyError, invalid, type Problem } from '../../core/problem.ts'
import { type Fields, integer } from '../../engine/field.ts'
import { ORDER_LINES } from '../../resources/sale-shapes.ts'

/** A line by its place, and how much of it. */
export interface NamedLine {
  readonly lineItem?: number
  readonly customSale?: number
  readonly quantity?: number
}

/** The members that name a line. */
export const lineName = {
  lineItem: integer(0, ORDER_LINES, {
    description: 'Position of the line in the order’s `lineItems`, from 0.',
    example: 0,
  }),
  customSale: integer(0, ORDER_LINES, {
    description: 'Position of the custom sale in the order’s `customSales`, from 0, instead of `lineItem`.',
  }),
} satisfies Fields

/** The lines that a body names, in its order, by `find`. A problem (400) for one that is named badly or twice, or does not exist. */
export function findLines<Line>(
  named: readonly NamedLine[],
  find: (kind: 'lineItem' | 'customSale', position: number) => Line | undefined,
): Line[] | Problem {
  const seen = new Set<string>()
  const lines: Line[] = []
  for (const [n, { lineItem, customSale }] of named.entries()) {
    const wrong = (member: string, code: string, message: string) =>
      invalid([bodyError(`/lines/${n}${member}`, code, message)])
    if ((lineItem === undefined) === (customSale === undefined))
      return wrong('', 'required', 'needs either lineItem or customSale')
    const kind = lineItem === undefined ? 'customSale' : 'lineItem'
    const position = (lineItem ?? customSale) as number
    const line = find(kind, position)
    if (line === undefined)
      return wrong(`/${kind}`, 'unknown', 'must be the position of a line in the order, counted from 0')
    if (seen.has(`${kind} ${position}`)) return wrong(`/${kind}`, 'duplicate', 'is named by an earlier line')
    seen.add(`${kind} ${position}`)
    lines.push(line)
  }
  return lines
}
