// A sentence from the server: text in backticks is shown as code, times in the user's format.
import { Code } from '@mantine/core'
import { dateTime } from './format.ts'

const time = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g

export function Sentence({ children }: { children: string }) {
  return children.split('`').map((piece, n) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their order.
    n % 2 === 1 ? <Code key={n}>{piece}</Code> : piece.replaceAll(time, (found) => dateTime(found)),
  )
}
