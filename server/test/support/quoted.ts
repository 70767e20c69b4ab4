// Quotes sales for tests, as pure functions.
import assert from 'node:assert/strict'
import { Problem } from '../../src/core/problem.ts'
import { type QuoteSettings, quoteOf } from '../../src/features/sales/amounts/quote.ts'

/** How sales of tests are computed. */
const settings: QuoteSettings = { currency: 'EUR', taxRounding: 'line' }

/** The quote of a sale that can be computed. */
export const quoted = (sale: object, more: Partial<QuoteSettings> = {}) => {
  const quote = quoteOf<any>(sale, { ...settings, ...more })
  if (quote instanceof Problem) throw quote
  return quote
}

/** What keeps a sale from being computed, by pointer. */
export const refused = (sale: object, more: Partial<QuoteSettings> = {}) => {
  const problem = quoteOf<any>(sale, { ...settings, ...more })
  assert.ok(problem instanceof Problem)
  return problem.errors.map(({ pointer, code }) => [pointer, code])
}
