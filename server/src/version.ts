// The version of the program and the commit that it was built from, each from the one place where it is written.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = fileURLToPath(new URL('../../', import.meta.url))

export const { version }: { version: string } = JSON.parse(readFileSync(`${checkout}package.json`, 'utf8'))

/** The commit that an image was built from (`CASHWRAP_COMMIT`), or that of the checkout; undefined without git. */
export function commit(environment = process.env, folder = checkout): string | undefined {
  if (environment.CASHWRAP_COMMIT) return environment.CASHWRAP_COMMIT
  // The checkout may be another user's, and it may be a copy without a repository inside another project's.
  const asked = ['-c', 'safe.directory=*', '-C', folder, 'rev-parse', '--verify', 'HEAD']
  const env = { PATH: environment.PATH, GIT_CEILING_DIRECTORIES: dirname(folder) }
  try {
    return execFileSync('git', asked, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
