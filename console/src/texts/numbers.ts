// Error texts of inputs for numbers and amounts.
import { translated } from '../language.ts'
export const text = translated('numbers', {
  notNumber: (typed: string) => `“${typed}” is not a number.`,
  ambiguous: (typed: string, thousands: string, decimal: string) =>
    `“${typed}” could mean ${thousands} or ${decimal}. Enter one of these instead.`,
  tooLong: 'Use at most 15 digits.',
  tooFine: 'Use at most 6 decimal places.',
  finerThan: (currency: string, digits: number) =>
    digits === 0
      ? `Amounts in ${currency} have no decimals.`
      : `Amounts in ${currency} have at most ${digits} decimals.`,
} as const)
