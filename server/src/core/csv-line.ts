// Lines of CSV that people open in a spreadsheet: refused lines of an import, what an undo left, and reports.
import { withoutFormulas } from './formulas.ts'

/** Cells as a line of CSV. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\n`

const quoted = (cell: string): string => {
  const text = withoutFormulas(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
