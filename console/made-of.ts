// Whether the built console is the one that its sources make: asked at each start, so it must take a few milliseconds.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const folder = fileURLToPath(new URL('.', import.meta.url))
/** Where the built console lies. */
export const dist = join(folder, 'dist')
/** The file in a built console that tells what it was made of. */
export const markName = '.made-of'

/** Digest of all that the console is made of. */
export function madeOf(): string {
  const digest = createHash('sha256')
  const sources = globSync(['src/**/*', 'public/*', 'fonts/*', 'index.html', '*.ts', '../package-lock.json'], {
    cwd: folder,
    withFileTypes: true,
  })
  const files = sources.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) digest.update(file.slice(folder.length)).update(readFileSync(file))
  return digest.digest('hex')
}

/** Whether what is built was made of the sources as they are. */
export function isFresh(): boolean {
  const mark = join(dist, markName)
  return existsSync(mark) && readFileSync(mark, 'utf8') === madeOf()
}
