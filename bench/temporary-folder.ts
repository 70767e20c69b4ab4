// The folder of a measurement, with its database, which goes however the measurement ends: a forgotten database has gigabytes.
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const remover = fileURLToPath(new URL('remove-folder.ts', import.meta.url))

/**
 * Makes a folder in `parent`. Once this process has ended, also by a signal or `kill -9`, another process removes it with
 * the database in it.
 */
export async function temporaryFolder(name: string, parent = tmpdir()): Promise<string> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `cashwrap-${name}-`))
  // For root, PostgreSQL runs as another user. What that cannot reach would be in /var/lib/cashwrap.
  await chmod(folder, 0o755)
  // In a process group of its own, which Ctrl-C does not reach.
  const child = spawn(process.execPath, [remover, folder], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] })
  child.unref()
  ;(child.stdin as unknown as Socket).unref()
  return folder
}
