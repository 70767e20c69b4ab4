// Whether the built console matches its sources: checked at each start, so it must take only a few milliseconds.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const folder = fileURLToPath(new URL('.', import.meta.url))
/** The folder of the built console. */
export const dist = join(folder, 'dist')
/** The file in a built console that holds the digest of its sources. */
export const markName = '.made-of'

/** Digest of all sources of the console. */
export function madeOf(): string {
  const digest = createHash('sha256')
  const shared = ['../docs/guides/*.md', '../server/src/core/{currency,formulas}.ts', '../package-lock.json']
  const sources = globSync(['src/**/*', 'public/*', 'fonts/*', 'index.html', '*.ts', ...shared], {
    cwd: folder,
    withFileTypes: true,
  })
  const files = sources.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) digest.update(file.slice(folder.length)).update(readFileSync(file))
  return digest.digest('hex')
}

/** Whether the build was made from the current sources. */
export function isFresh(): boolean {
  const mark = join(dist, markName)
  return existsSync(mark) && readFileSync(mark, 'utf8') === madeOf()
}

/** Puts a build in the place of the one before. Of builds that end at the same time, the last one stays. */
export async function putInPlace(built: string, place: string): Promise<void> {
  const before = `${built}-before`
  for (;;) {
    await rename(place, before).catch(ignoring('ENOENT'))
    const isDone = await rename(built, place).then(() => true, ignoring('ENOTEMPTY', 'EEXIST'))
    await rm(before, { recursive: true, force: true })
    // Otherwise another build was put there meanwhile.
    if (isDone) return
  }
}

/** Rethrows an error of the file system, unless it has one of these codes. */
const ignoring =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error
  }

/** Milliseconds after which an unfinished build is one that was killed, as for lack of memory. */
const BUILD_MOST_MS = 60 * 60 * 1000

/** Removes what killed builds left: otherwise each start on a machine with too little memory would leave more. */
export async function removeRemains(beside: string): Promise<void> {
  for (const name of await readdir(beside)) {
    if (!name.startsWith('dist-')) continue
    const path = join(beside, name)
    // Another build may have removed it meanwhile.
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > BUILD_MOST_MS) await rm(path, { recursive: true, force: true })
  }
}
