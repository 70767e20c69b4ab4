// Blocks of cells in the clipboard format of spreadsheets: tabs between columns, lines between rows.

/** Cells of a pasted text. Excel quotes those that hold tabs, quotes or line breaks. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = text.replace(/\r?\n$/, '').matchAll(/("(?:[^"]|"")*"|[^\t\r\n]*)(\t|\r\n|\r|\n|$)/g)
  for (const [all, cell = '', end] of cells) {
    // The expression also matches the empty string after the last cell.
    if (all === '' && rows.at(-1)?.length) break
    rows.at(-1)?.push(cell.startsWith('"') && cell.endsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== '\t' && end !== '') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

export const textOf = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join('\t')).join('\n')
