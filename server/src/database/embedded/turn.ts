// The right to work on a folder, for one process at a time; the kernel releases it when its holder dies, however it dies.

import { constants, open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'

/** A right that this process has until it closes it. */
export interface Turn {
  close(): Promise<void>
}

/** macOS opens a folder together with a lock on it. Node has no name for this flag. */
const O_EXLOCK = 0x20

/** Takes the right to work on a folder; undefined while another process has it. */
export async function takeTurn(folder: string): Promise<Turn | undefined> {
  if (process.platform === 'linux') return takeName(folder)
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | O_EXLOCK
  try {
    return await open(folder, flags)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

/** An abstract name of a socket, which is in no folder, belongs to one process on Linux. */
async function takeName(folder: string): Promise<Turn | undefined> {
  const { dev, ino } = await stat(folder)
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once('error', () => resolve(undefined))
    server.listen(`\0cashwrap-${dev}-${ino}`, () => resolve({ close: async () => void server.close() }))
  })
}
