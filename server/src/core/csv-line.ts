// Lines of CSV that people open in a spreadsheet: refused lines of an import, what an undo left, and reports.

/** Cells as a line of CSV. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\n`

// A spreadsheet would take text with such a beginning for a formula. If it splits lines at semicolons or tabs, it does
// so after each of these too, and, since it ignores quotes, at each line of the text.
const quoted = (cell: string): string => {
  const text = cell.replace(/(?:^|[;\t\r\n] *"*)(?=[=+\-@＝＋－＠])/g, "$&'").replace(/^(?=[\t\r])/, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
