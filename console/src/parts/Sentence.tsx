// A sentence of the server's with what is to be typed as it stands: between backticks there, in the type of code here.
import { Code } from '@mantine/core'

export function Sentence({ children }: { children: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence keep their places.
  return children.split('`').map((piece, n) => (n % 2 === 1 ? <Code key={n}>{piece}</Code> : piece))
}
