// A list as a CSV file: all records that the filters let pass, page by page, in the chosen columns (RFC 4180).
import type { ListQuery, Page, RecordData } from '../../api/records.ts'
import { get } from '../../api/request.ts'

interface ExportRequest {
  readonly companyId: string
  readonly many: string
  readonly query: ListQuery
  readonly columns: readonly { readonly title: string; readonly valueOf: (record: RecordData) => unknown }[]
  readonly progress: (done: number, all: number) => void
  readonly signal: AbortSignal
}

/** The file, and how many rows it has. */
export async function exportList({
  companyId,
  many,
  query,
  columns,
  progress,
  signal,
}: ExportRequest): Promise<{ file: Blob; rows: number }> {
  const parts: string[] = ['\ufeff', line(columns.map(({ title }) => title))]
  let cursor: string | undefined
  let rows = 0
  let count = 0
  do {
    const page = await get<Page>({ companyId }, `/v1/${many}`, { query: { ...query, limit: 1000, cursor }, signal })
    parts.push(page.data.map((record) => line(columns.map((column) => column.valueOf(record)))).join(''))
    rows += page.data.length
    // Only the first page says how many records there are.
    if (cursor === undefined) count = page.meta.count
    cursor = page.meta.nextCursor
    progress(rows, Math.max(rows, count))
  } while (cursor !== undefined)
  return { file: new Blob(parts, { type: 'text/csv;charset=utf-8' }), rows }
}

const line = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

/**
 * One cell. What a spreadsheet would take for a formula gets an apostrophe, so that no record runs anything; for one that cuts
 * lines at semicolons or tabs, behind those too, and for one that knows no quotes, at the
 * beginning of each line.
 */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isNumber = typeof value === 'number' || /^[+-]?[\d.]+$/.test(text)
  const safe = isNumber ? text : text.replace(/(^|[;\t\r\n] *"*)(?=[=+\-@\t\r＝＋－＠])/g, "$1'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands a file to the browser. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // Chromium has read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
