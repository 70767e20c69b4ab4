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

/** The cells of each line that is not empty, of the first `most` lines. */
export function readCsv(text: string, most = Number.POSITIVE_INFINITY): string[][] {
  const source = text.replace(/^\ufeff/, '')
  const separator = separatorOf(text)
  const lines: string[][] = []
  let line: string[] = []
  let cell = ''
  let isQuoted = false
  const endLine = () => {
    line.push(cell)
    if (line.some((each) => each.trim() !== '')) lines.push(line)
    line = []
    cell = ''
  }
  for (let at = 0; at < source.length && lines.length < most; at++) {
    const sign = source[at] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (source[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) {
      line.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') endLine()
    else cell += sign
  }
  if (lines.length < most) endLine()
  return lines
}
