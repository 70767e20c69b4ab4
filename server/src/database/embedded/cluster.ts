// Finds the folder of PostgreSQL's files, so that a foreign or incomplete one is never taken for a database.

import { access, constants, lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../../core/make-folder.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { type Account, accountName, canReach, eligibleAccounts, isRoot } from './account.ts'
import { embeddedMajor } from './binaries.ts'

/** The folder of PostgreSQL's files, and the user they belong to. */
export interface Cluster {
  readonly directory: string
  readonly account: Account
}

/** Creates the data folder where it is missing and returns its real path. */
export async function prepareDataDirectory(path: string): Promise<string> {
  const directory = resolve(path)
  try {
    await makeFolder(directory)
    const real = await realpath(directory)
    await access(real, constants.X_OK)
    return real
  } catch (error) {
    throw unusable(directory, error)
  }
}

/** The cluster of a data folder; undefined when there is none yet. Anything else in its place is for the operator to clear. */
export async function findCluster(dataDirectory: string): Promise<Cluster | undefined> {
  const place = join(dataDirectory, 'postgres')
  const entry = await lstat(place).catch(absent)
  if (entry === undefined) return undefined
  const directory = await realpath(place).catch(absent)
  const content = directory && (await readdir(directory).catch((error) => error as NodeJS.ErrnoException))
  const empty = Array.isArray(content) && content.length === 0
  if (empty && entry.isDirectory()) return undefined
  // A link without its target shows that there was a database. An empty one would hide its loss.
  if (directory === undefined || empty) {
    throw new OperatorError(
      `${place} points to a folder that is missing or empty: bring the database's files back to where it points, ` +
        'or delete this link to start with an empty database.',
    )
  }
  const { uid, mode } = await stat(directory)
  const account = eligibleAccounts().find((candidate) => candidate.uid === uid)
  if (account === undefined) throw foreign(directory, uid)
  if (!Array.isArray(content)) throw unusable(place, content)
  if (!content.includes('PG_VERSION')) {
    throw new OperatorError(
      `${place} contains something other than a database: move it away, or choose another data folder.`,
    )
  }
  // A copy without its permissions looks like this; PostgreSQL would refuse it, but not say what to do.
  if (mode & 0o027)
    throw new OperatorError(`${directory} must not be accessible to other users: chmod 700 ${directory}.`)
  if (!(await canReach(account, directory))) {
    throw new OperatorError(
      `The user ${account.name}, which runs PostgreSQL for root, cannot reach ${directory}: ` +
        'make its parent folders passable for others (chmod o+x), or choose another data folder.',
    )
  }
  return { directory, account }
}

/** Folders of restores into a data folder that were killed or are still running: each has an incomplete database. */
export const unfinishedRestores = async (dataDirectory: string): Promise<string[]> =>
  (await readdir(dataDirectory)).filter((name) => name.startsWith('.restore-'))

/** Throws if a restore is not finished: an empty database in its place would look as if all data were lost. */
export async function refuseUnfinishedRestore(dataDirectory: string): Promise<void> {
  const [unfinished] = await unfinishedRestores(dataDirectory)
  if (unfinished === undefined) return
  throw new OperatorError(
    `The restore into ${dataDirectory} is not finished. If it was interrupted, run it again, ` +
      `or delete ${join(dataDirectory, unfinished)} to start with an empty database.`,
  )
}

/** Says in one sentence why a folder cannot be used. */
export function unusable(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return error as Error
  const closed = `the user ${accountName(process.getuid?.() ?? -1)} may not use or write to it`
  const reasons: Record<string, string> = {
    EACCES: closed,
    EPERM: closed,
    EEXIST: 'a file is in its place or in the place of one of its parents',
    ENOTDIR: 'a file is in its place or in the place of one of its parents',
    ENOENT: 'no folder can be made there',
    EROFS: 'it is on a read-only file system',
    ENOSPC: 'there is no space left on its disk',
    EDQUOT: 'there is no space left on its disk',
  }
  const reason = reasons[code] ?? message
  return new OperatorError(
    `The data folder ${path} cannot be used: ${reason}. Fix that, or choose another data folder.`,
  )
}

/** PostgreSQL reads only the files of its own major version, and its message is too vague. */
export async function checkVersion({ directory }: Cluster): Promise<void> {
  const ours = await embeddedMajor()
  const theirs = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
  if (theirs === String(ours)) return
  throw new OperatorError(
    `The database in ${directory} was created by PostgreSQL ${theirs}, but this is PostgreSQL ${ours}: ` +
      'dump it with the version of Cashwrap that last used it (cashwrap dump), and load the dump into a new data folder ' +
      'with this one (cashwrap load).',
  )
}

function foreign(directory: string, owner: number): OperatorError {
  const ours = (eligibleAccounts()[0] as Account).name
  const theirs = accountName(owner)
  // Such as a copy that root made with `cp -r`.
  if (isRoot() && owner === 0)
    return new OperatorError(
      `The database in ${directory} belongs to root, but PostgreSQL does not run as root: ` +
        `hand it over to the user that runs it (chown -R ${ours} ${directory}), or choose another data folder.`,
    )
  const [how, instead] = isRoot() ? ['root', theirs] : [ours, `${theirs} (or as root, if it was made by root)`]
  return new OperatorError(
    `The database in ${directory} belongs to ${theirs}, but started as ${how} it would run as ${ours}: start as ${instead}. ` +
      `If no service uses it any more, you can also hand it over (chown -R ${ours} ${directory}), or choose another data folder.`,
  )
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
