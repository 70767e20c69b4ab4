// Puts a new folder of PostgreSQL's files in its place: created empty, or filled from a backup, and always complete.

import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, realpath, rename, rm, rmdir, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { type Account, canReach, eligibleAccounts, isRoot, runCommand } from './account.ts'
import { makeSystemDirectory, systemDirectory } from './binaries.ts'
import { type Cluster, unusable } from './cluster.ts'
import { platformOf } from './platform.ts'
import { type Turn, takeTurn } from './turn.ts'

/** Times that another program may mistake a new folder for an abandoned one. */
const STAGING_TRIES = 3

/** How a cluster is created. */
interface Creation {
  readonly binaries: string
  /** Whether its files are flushed to the disk. */
  readonly isDurable: boolean
  /** Once aborted, what is begun is removed. */
  readonly signal: AbortSignal
}

/** Creates an empty cluster. */
export async function createCluster(dataDirectory: string, creation: Creation): Promise<Cluster> {
  try {
    return await placeCluster(dataDirectory, (directory, account) => initialise(account, directory, creation))
  } catch (error) {
    throw unusable(dataDirectory, error)
  }
}

/*
 * The states of a placement. A killed program can leave each of them; `clearRemains` removes all but the last:
 *
 *   filling   `postgres.new-*` has a part of the files; or, where PostgreSQL cannot reach the data folder,
 *             `cluster-*.partial-*` in root's folder
 *   linked    only there: `postgres.new-*` is a link to `cluster-*`, which may not exist yet
 *   placed    `postgres` is the folder, or the link
 */

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
  const isHere = !isRoot() || (await canReach(account, dataDirectory))
  const directory = isHere ? place : join(systemDirectory, `cluster-${randomName()}`)
  if (!isHere) await makeSystemDirectory()
  const link = isHere ? undefined : `${place}.new-${randomName()}`
  const { staging, turn } = await makeStaging(isHere ? `${place}.new-` : `${directory}.partial-`)
  try {
    if (isRoot()) await chown(staging, account.uid, account.gid)
    await fill(staging, account)
    await rmdir(place).catch(() => {}) // An empty folder may stand there, such as one made by hand.
    if (link !== undefined) await symlink(directory, link)
    await rename(staging, directory)
    await flushFolder(dirname(directory))
    if (link !== undefined) await rename(link, place)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (link !== undefined) await removePartial(link)
    throw error
  } finally {
    await turn?.close()
  }
  await flushFolder(dataDirectory)
  await flushFolder(dirname(dataDirectory))
  return { directory, account }
}

const randomName = (): string => randomBytes(6).toString('hex')

/** Makes a folder to fill, and holds its lock, so that no other program mistakes it for an abandoned one. */
async function makeStaging(prefix: string): Promise<{ staging: string; turn: Turn | undefined }> {
  for (let tries = 1; ; tries++) {
    const staging = `${prefix}${randomName()}`
    await mkdir(staging, { mode: 0o700 })
    const turn = await takeTurn(staging).catch(() => undefined)
    // A program that clears remains may have come in between. If that happens more often, locks do not work here.
    if (tries === STAGING_TRIES || (turn && (await stat(staging).catch(() => undefined)))) return { staging, turn }
    await turn?.close()
  }
}

/**
 * Removes what killed programs left of clusters that were being made: in a data folder, and, for root, where clusters are
 * that PostgreSQL cannot reach in their data folders. What a living program is making stays.
 */
export async function clearRemains(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory))
    if (name.startsWith('postgres.new-')) await removeUnowned(join(dataDirectory, name))
  if (!isRoot()) return
  for (const name of await readdir(systemDirectory).catch(() => []))
    if (/^cluster-[0-9a-f]{12}\.partial-[0-9a-f]{12}$/.test(name)) await removeUnowned(join(systemDirectory, name))
}

async function removeUnowned(path: string): Promise<void> {
  // A link may name a folder that was never made, so nobody has its lock.
  const isFolder = (await stat(path).catch(() => undefined)) !== undefined
  // Undefined too where another program has just removed or renamed the folder.
  const turn = isFolder ? await takeTurn(path).catch(() => undefined) : undefined
  if (isFolder && turn === undefined) return
  await removePartial(path).finally(() => turn?.close())
}

/** Removes a folder, or a link with the cluster that it names. */
async function removePartial(path: string): Promise<void> {
  const cluster = await realpath(path).catch(() => undefined)
  if (cluster !== undefined && dirname(cluster) === systemDirectory) await rm(cluster, removal)
  await rm(path, removal)
}

/** Removes a data folder with its cluster, wherever that is. */
export async function removeDataFolder(path: string): Promise<void> {
  for (const name of await readdir(path).catch(() => []))
    if (/^postgres(\.new-|$)/.test(name)) await removePartial(join(path, name))
  await rm(path, removal)
}

/** A PostgreSQL that was just killed may still write. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 } as const

/** The builtin locale sorts by code point, at full speed and the same on every machine, but knows upper and lower case. */
async function initialise(
  account: Account,
  directory: string,
  { binaries, isDurable, signal }: Creation,
): Promise<void> {
  const initdb = (characterTypes: string) => {
    const options = [
      ...['-D', directory, '-U', 'cashwrap', '-E', 'UTF8', '--auth=trust', '--data-checksums', '--no-instructions'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${characterTypes}`],
      ...(isDurable ? [] : ['--no-sync']),
    ]
    return runCommand(account, join(binaries, 'bin', 'initdb'), options, signal)
  }
  let problem: string | undefined
  for (const characterTypes of platformOf().characterTypes) {
    problem = await initdb(characterTypes)
    signal.throwIfAborted()
    if (problem === undefined) return
    if (!problem.includes('invalid locale name')) break
  }
  const nameless = problem?.includes('user does not exist')
  throw new OperatorError(
    `PostgreSQL could not create its database in ${directory}: ${problem}. ` +
      (nameless
        ? 'Start as a user that this system has a name for, or set DATABASE_URL to a database of your own.'
        : 'Fix that, or choose another data folder.'),
  )
}

/** A new name in a folder survives a power cut only once the folder itself was flushed. */
export async function flushFolder(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
