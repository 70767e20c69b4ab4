// The version of the program, from the one place where it is written.
import { readFileSync } from 'node:fs'

export const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)
