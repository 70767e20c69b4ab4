// Lines of CSV that people open in a spreadsheet: refused lines of an import, what an undo left, and reports.

/** Cells as a line of CSV. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\n`

// A spreadsheet would take such a beginning for a formula; one that splits lines at semicolons or tabs, also after
// those.
const quoted = (cell: string): string => {
  const text = cell.replace(/(^|[;\t] *"*)(?=[=+\-@\t\r＝＋－＠])/g, "$1'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
