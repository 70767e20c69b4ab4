// Small disks in memory, that can be filled to the last byte and freed again.
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ending } from './ending.ts'

const run = promisify(execFile)

export interface SmallDisk {
  readonly folder: string
  /** Takes all the room that is left. */
  fill(): Promise<void>
  free(): Promise<void>
}

/** Mounts a disk of so many megabytes; throws where that is not allowed. */
export async function smallDisk(ending: Ending, folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'cashwrap-faults', folder])
  ending.after(() => run('umount', [folder]))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'w')
      // Large pieces first; the small ones take what these leave over.
      for (const size of [1024 * 1024, 4096]) {
        const piece = Buffer.alloc(size, 1)
        let isFull = false
        while (!isFull)
          await file.write(piece).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOSPC') throw error
            isFull = true
          })
      }
      await file.close()
    },
    free: () => rm(ballast),
  }
}
