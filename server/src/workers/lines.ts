// Reads whole lines, so that what several processes write is never mixed within a line.
import type { Readable } from 'node:stream'

/** Calls `take` with each line of a stream, including its end, as soon as it is complete. */
export function forEachLine(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end === 0) rest += text
    else {
      for (const line of (rest + text.slice(0, end)).split(/(?<=\n)/)) take(line)
      rest = text.slice(end)
    }
  })
  stream.on('end', () => {
    if (rest !== '') take(`${rest}\n`)
  })
}
