// A sentence of the server's for people: what is to be typed, between backticks there, in the type of code; times as people write them.
import { Code } from '@mantine/core'
import { dateTime } from './format.ts'

const time = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g

export function Sentence({ children }: { children: string }) {
  return children.split('`').map((piece, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence keep their places.
    n % 2 === 1 ? <Code key={n}>{piece}</Code> : piece.replaceAll(time, (found) => dateTime(found)),
  )
}
