// Makes folders with their parents. Node's own recursive mkdir never ends if the kernel answers ENOENT for the last
// step, as in /proc.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder and its parents where they are missing; returns the first that is new, if one is. */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !(await stat(dirname(path)).catch(() => undefined))) {
      const first = await makeFolder(dirname(path), mode)
      return (await makeFolder(path, mode)) && (first ?? path)
    }
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error
    return undefined
  }
}
