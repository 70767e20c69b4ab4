// Copies the PostgreSQL programs to a folder where any user of the machine can run them, because a checkout may be in a private home.

import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../core/operator-error.ts'
import { type Account, isRoot, runCommand } from './account.ts'
import { platformOf } from './platform.ts'

/** Where root stores what another user must reach. */
export const systemDirectory = '/var/lib/cashwrap'

/** Makes root's folder, which others must be able to enter whatever the umask. An existing one stays as it is. */
export async function makeSystemDirectory(): Promise<void> {
  if (await mkdir(systemDirectory, { recursive: true })) await chmod(systemDirectory, 0o755)
}

/** Returns the folder with PostgreSQL's `bin`, copying it on the first start of a version. */
export async function installBinaries(account: Account, dataDirectory: string): Promise<string> {
  const source = locatePackage()
  const version = await versionOf(source)
  const parents = [isRoot() ? systemDirectory : cacheDirectory(), dataDirectory]
  let problem: unknown
  for (const parent of parents) {
    if (parent === undefined) continue
    const target = join(parent, `postgresql-${version}`)
    if (existsSync(join(target, 'bin', 'postgres'))) return target
    try {
      if (parent === systemDirectory) await makeSystemDirectory()
      else await mkdir(parent, { recursive: true })
      await copyPackage(join(source, 'native'), parent, target, account)
      return target
    } catch (error) {
      problem = error
    }
  }
  throw new OperatorError(
    `The embedded PostgreSQL could not be set up (${(problem as Error).message}): ` +
      `make ${parents[0] ?? dataDirectory} writable and executable for ${account.name}, or set DATABASE_URL to a database of your own.`,
  )
}

/** The major version of the embedded PostgreSQL: it reads only files of the same one. */
export const embeddedMajor = async (): Promise<number> => Number.parseInt(await versionOf(locatePackage()), 10)

async function versionOf(source: string): Promise<string> {
  return JSON.parse(await readFile(join(source, 'package.json'), 'utf8')).version
}

function locatePackage(): string {
  const { packageName: name } = platformOf()
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch {
    throw new OperatorError(
      `The embedded PostgreSQL for this platform is missing (the package ${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL database of your own, or install again with optional dependencies.',
    )
  }
}

function cacheDirectory(): string | undefined {
  const cache = process.env.XDG_CACHE_HOME
  if (cache && isAbsolute(cache)) return join(cache, 'cashwrap')
  try {
    return resolve(homedir(), '.cache', 'cashwrap')
  } catch {
    // A user without an entry in the password file and without HOME has no home.
    return undefined
  }
}

async function copyPackage(native: string, parent: string, target: string, account: Account): Promise<void> {
  const staging = await mkdtemp(join(parent, '.postgresql-'))
  try {
    await cp(native, staging, { recursive: true, verbatimSymlinks: true })
    await makeLinks(staging)
    await openToAll(staging)
    const problem = await runCommand(account, join(staging, 'bin', 'postgres'), ['--version'])
    // The most common reason is a system without glibc, where the kernel says only that the program does not exist.
    if (problem !== undefined)
      throw new Error(`${process.platform} cannot run its programs, ${platformOf().requirement}: ${problem}`)
    await rename(staging, target)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another process may have been faster; its copy is equally good.
    if (!existsSync(join(target, 'bin', 'postgres'))) throw error
  }
}

/** npm packages cannot contain links, and npm may be set not to run the script that creates them. */
async function makeLinks(directory: string): Promise<void> {
  const list = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(directory, relative('native', target))
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Each file is flushed too: if the rename survived a power cut but the files did not, the copy would be broken for good. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const handle = await open(join(entry.parentPath, entry.name), 'r')
    await handle.chmod(0o755)
    await handle.sync()
    await handle.close()
  }
}
