// How long this disk takes to make a write durable: the figures of writes depend on it.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Median milliseconds to make 8 KB durable, as PostgreSQL does at each commit. */
export async function fsyncMs(folder: string, times = 100): Promise<number> {
  const path = join(folder, 'fsync')
  const file = await open(path, 'w')
  const page = Buffer.alloc(8192, 1)
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const start = performance.now()
    await file.write(page, 0, page.length, (n % 16) * page.length)
    await file.datasync()
    took.push(performance.now() - start)
  }
  await file.close()
  await rm(path)
  return took.sort((a, b) => a - b)[times >> 1] as number
}
