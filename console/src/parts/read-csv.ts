// Reads the cells of a CSV file (RFC 4180), separated by comma, semicolon or tab, whichever the first line has most of.

/** The text of a file in the encodings that spreadsheets save: UTF-8, UTF-16 with its mark, or else Windows-1252. */
export async function textOf(file: Blob): Promise<string> {
  const content = await file.arrayBuffer()
  const [first, second] = new Uint8Array(content)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

/** What separates the cells. */
export function separatorOf(text: string): string {
  const first = /^\ufeff?([^\r\n]*)/.exec(text)?.[1] ?? ''
  const known = [',', ';', '\t'].toSorted((one, other) => first.split(other).length - first.split(one).length)
  return known[0] as string
}

/** The cells of a row, and the line of the file that it begins in; the first line is 1. */
interface NumberedCells {
  readonly line: number
  readonly cells: string[]
}

/** The cells of each row that is not empty, of the first `most` rows. */
export const readCsv = (text: string, most?: number): string[][] =>
  readNumberedCsv(text, most).map(({ cells }) => cells)

/** The same, with the lines that the rows begin in: empty lines, and breaks within a cell, count too, as an editor shows them. */
export function readNumberedCsv(text: string, most = Number.POSITIVE_INFINITY): NumberedCells[] {
  const source = text.replace(/^\ufeff/, '')
  const separator = separatorOf(text)
  const rows: NumberedCells[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let begun = 1
  const endRow = () => {
    cells.push(cell)
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: begun, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < source.length && rows.length < most; at++) {
    const sign = source[at] as string
    const isBreak = sign === '\n' || (sign === '\r' && source[at + 1] !== '\n')
    if (isBreak) line++
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (source[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) {
      cells.push(cell)
      cell = ''
    } else if (isBreak) {
      endRow()
      begun = line
    } else if (sign !== '\r') cell += sign
  }
  if (rows.length < most) endRow()
  return rows
}
