// The secret that seals what a reader of the database must not see: told by the environment, or made once and kept in the data folder; all servers of a database share it.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
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

/** Written whole under another name first, so that two servers that start at once end up with the same one. */
async function make(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true })
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
  return (await readWhole(path)) as string
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

/** Takes another secret; what the old one sealed is removed. Returns how many kept answers that were. */
export async function replaceSecret(database: Database, secret: string): Promise<number> {
  return database.transaction(async (transaction) => {
    await transaction.query(
      'insert into agreements (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [agreement, markOf(secret)],
    )
    const removed = await transaction.query(`delete from idempotency_keys where answer like 'sealed:%' returning 1`)
    return removed.length
  })
}
