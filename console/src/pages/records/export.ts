// A list as a CSV file: all records that match the filters, page by page, in the chosen columns (RFC 4180).
import type { ListQuery, Page, RecordData } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import { retried } from '../../api/retries.ts'
import { csvFile, csvLine, numberText, timeText } from '../../parts/csv.ts'
import { text } from '../../texts/records.ts'
import type { ReferenceNames } from './reference-names.ts'

export interface ExportColumn {
  readonly title: string
  readonly valueOf: (record: RecordData) => unknown
  /** The resource that the ids belong to. A column with its names precedes this one. */
  readonly refersTo?: string | undefined
  /** Its values are points in time. */
  readonly isTime?: boolean
  /** Its values are numbers or amounts. */
  readonly isNumber?: boolean
}

interface ExportRequest {
  readonly companyId: string
  readonly many: string
  readonly query: ListQuery
  /** Only these records, instead of all that the query finds. */
  readonly records?: readonly RecordData[] | undefined
  readonly columns: readonly ExportColumn[]
  readonly names: ReferenceNames
  /** In which times are written. */
  readonly timeZone: string
  readonly progress: (done: number, all: number) => void
  readonly signal: AbortSignal
}

/** The file, and how many rows it has. */
export async function exportList({
  companyId,
  many,
  query,
  records,
  columns,
  names,
  timeZone,
  progress,
  signal,
}: ExportRequest): Promise<{ file: Blob; rows: number }> {
  const titles = ({ title, refersTo, isTime }: ExportColumn): string[] => {
    if (isTime) return [text.timeIn(title, timeZone)]
    return refersTo ? [title, text.idOf(title)] : [title]
  }
  const lines = [csvLine(columns.flatMap(titles))]
  let cursor: string | undefined
  let rows = 0
  let all = 0
  do {
    const asked = { query: { ...query, limit: 1000, cursor }, signal }
    const page: Pick<Page, 'data'> & { meta: Partial<Page['meta']> } = records
      ? { data: records, meta: {} }
      : await retried(() => get<Page>({ companyId }, `/v1/${many}`, asked))
    for (const column of columns) {
      const ids = page.data.flatMap((record) => idsIn(column.valueOf(record)))
      if (column.refersTo !== undefined) await names.learn(column.refersTo, ids)
    }
    const cells = (record: RecordData) =>
      columns.flatMap((column) => {
        const value = column.valueOf(record)
        if (column.isTime) return [timeText(value, timeZone)]
        if (column.isNumber) return [numberText(value)]
        const shown = isListOfTexts(value) ? value.join('; ') : value
        return column.refersTo === undefined ? [shown] : [namesIn(names, column.refersTo, value), shown]
      })
    lines.push(page.data.map((record) => csvLine(cells(record))).join(''))
    rows += page.data.length
    cursor = page.meta.nextCursor
    // A page requested with a cursor has no count.
    all = Math.max(all, rows, page.meta.count ?? 0)
    progress(rows, all)
  } while (cursor !== undefined)
  return { file: csvFile(lines), rows }
}

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The ids in a value: one id or a list. */
const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string')

/** The names of the records that a value refers to; empty for ids without a name. */
export const namesIn = (names: ReferenceNames, many: string, value: unknown): string =>
  idsIn(value)
    .flatMap((id) => names.nameOf(many, id) ?? [])
    .join('; ')
