// The rejected lines of a file, and the records that an undo left, as CSV from the server (RFC 4180).
import { send } from '../../api/request.ts'
import { readCsv } from '../../parts/read-csv.ts'

interface RefusedLine {
  readonly line: string
  readonly column: string
  readonly reason: string
}

/** The number of lines that are shown; the CSV has all of them. */
const shownLines = 100

/** All rows as a CSV, and the first ones to show. */
export interface Report<Row> {
  readonly csv: string
  readonly first: readonly Row[]
}

export async function readRefused(
  scope: { readonly companyId: string },
  id: string,
  signal?: AbortSignal,
): Promise<Report<RefusedLine>> {
  const { csv, first } = await readReport(scope, `/v1/imports/${encodeURIComponent(id)}/refused`, signal)
  return { csv, first: first.map(([line = '', column = '', reason = '']) => ({ line, column, reason })) }
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
  scope: { readonly companyId: string },
  id: string,
  signal?: AbortSignal,
): Promise<Report<LeftRecord>> {
  const { csv, first } = await readReport(scope, `/v1/imports/${encodeURIComponent(id)}/left`, signal)
  const records = first.map(([resource = '', recordId = '', name = '', reason = '']) => ({
    resource,
    id: recordId,
    name,
    reason,
  }))
  return { csv, first: records }
}

async function readReport(scope: { readonly companyId: string }, path: string, signal?: AbortSignal) {
  const csv = await (await send(scope, path, { signal })).text()
  return { csv, first: readCsv(csv, shownLines + 1).slice(1) }
}
