// The processes of a PostgreSQL server as Linux shows them, so that they can be killed or frozen.
import { readFile } from 'node:fs/promises'
import { readPostmaster } from '../src/database/embedded/socket.ts'

/** The parent process of the server. */
export async function postmaster(directory: string): Promise<number> {
  const found = await readPostmaster(directory)
  if (found === undefined) throw new Error(`No server runs on ${directory}.`)
  return found.pid
}

/** The processes that it has started. */
export async function children(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Those that serve a connection, by the title that PostgreSQL gives them. */
export async function backends(pid: number): Promise<number[]> {
  const all = await children(pid)
  const titles = await Promise.all(all.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')))
  return all.filter((_, n) => titles[n]?.startsWith('postgres: cashwrap cashwrap'))
}

/** Sends a signal; a process that has just ended needs none. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
