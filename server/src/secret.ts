// The secret that seals what a reader of the database must not see: told by the environment, or made once and kept in the data folder; all servers of a database share it.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import { removeSealed } from './engine/idempotency.ts'
import { OperatorError } from './operator-error.ts'
import { markOf } from './seal.ts'

/** What the mark of the secret is called among the agreements of a database. */
const agreement = 'secret'
const secretBytes = 32

/** CASHWRAP_SECRET, or the file `secret` of the data folder, which is made when it is not there. Throws OperatorError when it cannot be. */
export async function readSecret({ secret, dataDirectory }: Pick<Config, 'secret' | 'dataDirectory'>): Promise<string> {
  if (secret !== undefined) return secret
  const path = join(dataDirectory, 'secret')
  try {
    return (await readWhole(path)) ?? (await make(dataDirectory, path))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The file ${path} can neither be read nor made (${(error as Error).message}). Set CASHWRAP_SECRET instead, to 32 random characters or more.`,
    )
  }
}

async function readWhole(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined && text.trim().length < secretBytes)
    throw new OperatorError(
      `The file ${path} is damaged: it holds no secret. Bring it back from a backup, or remove it.`,
    )
  return text?.trim()
}

/**
 * Written whole under another name first, so that two servers that start at once end up with the same one; and on the disk
 * for good before anybody hears of it: the database remembers what it was begun with.
 */
async function make(folder: string, path: string): Promise<string> {
  const firstMade = await mkdir(folder, { recursive: true })
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(secretBytes).toString('base64url')}\n`)
    await file.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  await syncNames(folder, firstMade ? dirname(firstMade) : folder)
  return (await readWhole(path)) as string
}

/** Brings to the disk which names a folder and those above it hold, up to the one that was there before. */
async function syncNames(folder: string, last: string): Promise<void> {
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
  if (folder !== last) await syncNames(dirname(folder), last)
}

/** Makes sure that this process has the secret that the database was begun with. Throws OperatorError when it has another. */
export async function agreeOnSecret(database: Database, secret: string): Promise<void> {
  const mark = markOf(secret)
  await database.query('insert into agreements (name, value) values ($1, $2) on conflict do nothing', [agreement, mark])
  const [row] = await database.query('select value from agreements where name = $1', [agreement])
  if (row?.[0] !== mark)
    throw new OperatorError(
      'This database was begun with another secret. Set CASHWRAP_SECRET to that one, or bring the file "secret" of its data folder back. ' +
        'If it is lost, `cashwrap replace-secret` takes the present one and removes what the old one sealed.',
    )
}

/**
 * Takes another secret; what the old one sealed is removed. Returns how many kept answers that were. Broken off in the
 * middle it can be begun again: the mark comes last. A server that still runs with the old secret does not notice; what it
 * seals from then on cannot be opened, and whoever asks for it again is told so (http/idempotency.ts).
 */
export async function replaceSecret(database: Database, secret: string): Promise<number> {
  const removed = await removeSealed(database)
  await database.query(
    'insert into agreements (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [agreement, markOf(secret)],
  )
  return removed
}
