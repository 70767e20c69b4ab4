// The version of the program and the commit that it was built from, each from the one place where it is written.
import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8').trim()

export const { version }: { version: string } = JSON.parse(read('package.json'))

/** The commit of the checkout, or the one that an image was built from (`CASHWRAP_COMMIT`); undefined if neither is known. */
export function commit(): string | undefined {
  if (process.env.CASHWRAP_COMMIT) return process.env.CASHWRAP_COMMIT
  try {
    const head = read('.git/HEAD')
    if (!head.startsWith('ref: ')) return head
    const branch = head.slice(5)
    try {
      return read(`.git/${branch}`)
    } catch {
      // Git keeps branches that have not changed for long in one file.
      return read('.git/packed-refs')
        .split('\n')
        .find((line) => line.endsWith(` ${branch}`))
        ?.slice(0, 40)
    }
  } catch {
    return undefined
  }
}
