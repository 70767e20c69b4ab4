// The lines of a file that were not taken, as the server gives them: CSV (RFC 4180).
import { send } from '../../api/request.ts'

interface RefusedLine {
  readonly line: string
  readonly column: string
  readonly reason: string
}

/** Lines that are shown; the file has all of them. */
const shownLines = 100

/** All of them as a file, and the first ones to be shown. */
export async function readRefused(
  whose: { readonly companyId: string },
  id: string,
  signal?: AbortSignal,
): Promise<{ file: Blob; first: RefusedLine[] }> {
  const response = await send(whose, `/v1/imports/${encodeURIComponent(id)}/refused`, { signal })
  const csv = await response.text()
  const [, ...lines] = rowsOf(csv, shownLines + 1)
  return {
    file: new Blob([csv], { type: 'text/csv;charset=utf-8' }),
    first: lines.map(([line = '', column = '', reason = '']) => ({ line, column, reason })),
  }
}

function rowsOf(csv: string, most: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [all, cell = '', end] of csv.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\r|\n|$)/g)) {
    if (all === '' && row.length === 0) break
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === ',') continue
    rows.push(row)
    row = []
    if (rows.length >= most) break
  }
  return rows
}
