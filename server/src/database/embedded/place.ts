// Puts a new folder of PostgreSQL's files in its place: created empty, or filled from a backup, and always complete.

import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, realpath, rename, rm, rmdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { type Account, canReach, eligibleAccounts, isRoot, run } from './account.ts'
import { makeSystemDirectory, systemDirectory } from './binaries.ts'
import { type Cluster, unusable } from './cluster.ts'
import { platformOf } from './platform.ts'

/** Creates an empty cluster. */
export async function createCluster(dataDirectory: string, binaries: string, durable: boolean): Promise<Cluster> {
  try {
    return await placeCluster(dataDirectory, (directory, account) => initialise(account, binaries, directory, durable))
  } catch (error) {
    throw unusable(dataDirectory, error)
  }
}

/**
 * Makes the folder of a cluster, which `fill` fills. It is complete and on the disk before it gets its name, so it is
 * either valid or absent.
 */
export async function placeCluster(
  dataDirectory: string,
  fill: (directory: string, account: Account) => Promise<void>,
): Promise<Cluster> {
  const place = join(dataDirectory, 'postgres')
  const account = eligibleAccounts()[0] as Account
  await clearRemains(dataDirectory)
  const here = !isRoot() || (await canReach(account, dataDirectory))
  const directory = here ? place : join(systemDirectory, `cluster-${randomBytes(6).toString('hex')}`)
  const staging = `${directory}.new-${randomBytes(6).toString('hex')}`
  if (!here) await makeSystemDirectory()
  await mkdir(staging, { mode: 0o700 })
  try {
    if (isRoot()) await chown(staging, account.uid, account.gid)
    await fill(staging, account)
    await rmdir(place).catch(() => {}) // An empty folder may stand there, such as one made by hand.
    await rename(staging, directory)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
  await flush(dirname(directory))
  if (!here) await symlink(directory, place)
  await flush(dataDirectory)
  await flush(dirname(dataDirectory))
  return { directory, account }
}

/** Removes a data folder with its cluster, wherever that is. */
export async function removeDataFolder(path: string): Promise<void> {
  const cluster = await realpath(join(path, 'postgres')).catch(() => undefined)
  const isElsewhere = cluster !== undefined && dirname(cluster) === systemDirectory
  if (isElsewhere) await rm(cluster, removal)
  await rm(path, removal)
}

/** A PostgreSQL that was just killed may still write. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 } as const

/** The builtin locale sorts by code point, at full speed and the same on every machine, but knows upper and lower case. */
async function initialise(account: Account, binaries: string, directory: string, durable: boolean): Promise<void> {
  const initdb = (characterTypes: string) =>
    run(account, join(binaries, 'bin', 'initdb'), [
      ...['-D', directory, '-U', 'cashwrap', '-E', 'UTF8', '--auth=trust', '--data-checksums', '--no-instructions'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${characterTypes}`],
      ...(durable ? [] : ['--no-sync']),
    ])
  let problem: string | undefined
  for (const characterTypes of platformOf().characterTypes) {
    problem = (await initdb(characterTypes)).problem
    if (problem === undefined) return
    if (!problem.includes('invalid locale name')) break
  }
  const nameless = problem?.includes('user does not exist')
  throw new OperatorError(
    `PostgreSQL could not create its database in ${directory}: ${problem}. ` +
      (nameless
        ? 'Start as a user that this system has a name for, or set DATABASE_URL to a database of your own.'
        : 'Put that right, or choose another data folder.'),
  )
}

/** What a start that was killed half-way left behind. */
async function clearRemains(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (name.startsWith('postgres.new-')) await rm(join(dataDirectory, name), { recursive: true, force: true })
  }
}

/** A new name in a folder survives a power cut only once the folder itself was flushed. */
export async function flush(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
