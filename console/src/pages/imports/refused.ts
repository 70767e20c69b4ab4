// The rejected lines of a file, and the records that an undo left, as CSV from the server (RFC 4180).
import { send } from '../../api/request.ts'

interface RefusedLine {
  readonly line: string
  readonly column: string
  readonly reason: string
}

/** The number of lines that are shown; the CSV has all of them. */
const shownLines = 100

/** All rows as a CSV, and the first ones to show. */
export interface Report<Row> {
  readonly file: Blob
  readonly first: readonly Row[]
}

export async function readRefused(
  whose: { readonly companyId: string },
  id: string,
  signal?: AbortSignal,
): Promise<Report<RefusedLine>> {
  const { file, first } = await readCsv(whose, `/v1/imports/${encodeURIComponent(id)}/refused`, signal)
  return { file, first: first.map(([line = '', column = '', reason = '']) => ({ line, column, reason })) }
}

/** A record that an undo left as it is. */
interface LeftRecord {
  readonly resource: string
  readonly id: string
  readonly name: string
  readonly reason: string
}

/** The records that an undo left; the CSV has at most 10,000 of them. */
export async function readLeft(
  whose: { readonly companyId: string },
  id: string,
  signal?: AbortSignal,
): Promise<Report<LeftRecord>> {
  const { file, first } = await readCsv(whose, `/v1/imports/${encodeURIComponent(id)}/left`, signal)
  const records = first.map(([resource = '', recordId = '', name = '', reason = '']) => ({
    resource,
    id: recordId,
    name,
    reason,
  }))
  return { file, first: records }
}

async function readCsv(whose: { readonly companyId: string }, path: string, signal?: AbortSignal) {
  const response = await send(whose, path, { signal })
  const csv = await response.text()
  const [, ...first] = rowsOf(csv, shownLines + 1)
  return { file: new Blob([csv], { type: 'text/csv;charset=utf-8' }), first }
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
