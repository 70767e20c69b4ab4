// Separates codes that a scanner typed into a cell from counts and prices that a person typed.

/** Scanners type at least this many characters, and take at most this many milliseconds for each. */
const FEWEST = 8
const MS_EACH = 30

/** Whether a text is a code: the barcode of goods at any speed, or digits that came too fast for typing. */
export const isCode = (typed: string, milliseconds: number): boolean =>
  isGtin(typed) || (typed.length >= FEWEST && /^\d+$/.test(typed) && milliseconds < MS_EACH * typed.length)

/** A GTIN-12, -13 or -14 by its check digit. No shop counts that many units; a scanner by radio or a busy page may be slow. */
function isGtin(typed: string): boolean {
  if (!/^\d{12,14}$/.test(typed)) return false
  const sum = [...typed].reverse().reduce((all, digit, n) => all + Number(digit) * (n % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
