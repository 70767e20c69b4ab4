// The refused lines of an import: a CSV file that is created with the first of them.
import { closeSync, openSync, writeSync } from 'node:fs'
import { OperatorError } from '../../core/operator-error.ts'
import type { RefusedRow } from './catalog.ts'

/** The file of refused lines. */
export interface RefusedRows {
  /** The first of them, to show at once. */
  readonly first: readonly RefusedRow[]
  /** The file, once it exists. */
  readonly path: () => string | undefined
  readonly add: (row: RefusedRow) => void
  readonly close: () => void
}

/** Rows kept in memory; the file has all. */
const FIRST = 100

/** Without a path no file is made. Throws an OperatorError if it cannot be created. */
export function refusedRows(path: string | undefined): RefusedRows {
  const first: RefusedRow[] = []
  let file: number | undefined
  return {
    first,
    path: () => (file === undefined ? undefined : path),
    add({ line, column, reason }) {
      if (first.length < FIRST) first.push({ line, reason, ...(column && { column }) })
      if (path === undefined) return
      file ??= begin(path)
      writeSync(file, refusedLine({ line, reason, ...(column && { column }) }))
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function begin(path: string): number {
  try {
    const file = openSync(path, 'w')
    writeSync(file, refusedHeader)
    return file
  } catch (error) {
    const { message } = error as Error
    throw new OperatorError(`Refused lines cannot be written: ${message}. Name another file with --refused.`)
  }
}

/** The header of the file. */
export const refusedHeader = 'line,column,reason\n'

/** A refused line as a line of the file. */
export const refusedLine = ({ line, column = '', reason }: RefusedRow): string =>
  csvLine([String(line), column, reason])

/** Cells as a line of CSV. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\n`

// A spreadsheet would take such a beginning for a formula; one that splits lines at semicolons or tabs, also after
// those.
const quoted = (cell: string): string => {
  const text = cell.replace(/(^|[;\t] *"*)(?=[=+\-@\t\r＝＋－＠])/g, "$1'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
