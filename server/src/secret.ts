// The secret key that seals secrets in the database: from the environment, or generated once and stored in the data
// folder; all servers of a database share it.
import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { makeFolder } from './core/make-folder.ts'
import { syncFolder } from './core/new-file.ts'
import { OperatorError } from './core/operator-error.ts'
import type { Connection, Database, PoolSizes, Queryable } from './database/connect.ts'
import { openDatabase } from './database/open.ts'
import { refuseOthers } from './database/other-sessions.ts'
import { removeSealed } from './engine/idempotency-removal.ts'
import { clearMails, resealMails } from './features/mail/outbox.ts'
import { clearSecondFactorSecrets, resealSecondFactors } from './features/people/second-factor.ts'
import { clearTriggerSecrets, resealTriggers } from './features/webhooks/trigger-secrets.ts'
import { markOf, resealing } from './seal.ts'
import { newSecretKey, requireSecretKey, secretKeysIn } from './secret-key.ts'

/** The name of the secret key's mark among the agreements of a database. */
const agreement = 'secret'

/**
 * The keys of CASHWRAP_SECRET_KEY; otherwise, on the embedded database, those of the file `secret` in the data folder,
 * which is created if it does not exist. Throws OperatorError if there is none.
 */
export async function readSecretKeys(
  config: Pick<Config, 'secretKeys' | 'databaseUrl' | 'dataDirectory'>,
): Promise<readonly string[]> {
  const { secretKeys, dataDirectory } = config
  requireSecretKey(config)
  if (secretKeys.length > 0) return secretKeys
  const path = join(dataDirectory, 'secret')
  try {
    return (await readWhole(path)) ?? (await make(dataDirectory, path))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The file ${path} can neither be read nor created (${(error as Error).message}). Instead, set CASHWRAP_SECRET_KEY to the key that \`cashwrap secret\` prints.`,
    )
  }
}

async function readWhole(path: string): Promise<readonly string[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const keys = secretKeysIn(text)
  if (typeof keys === 'string' || keys.length === 0)
    throw new OperatorError(
      `The file ${path} is damaged: it holds no secret key. Put your copy of it back (no backup has it), or, if there is none, remove it.`,
    )
  return keys
}

/**
 * Written completely under another name first, so that two servers starting at once get the same one; and synced to
 * disk before it is used: the database stores a mark of it.
 */
async function make(folder: string, path: string): Promise<readonly string[]> {
  const firstMade = await makeFolder(folder)
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${newSecretKey()}\n`)
    await file.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  await syncNames(folder, firstMade ? dirname(firstMade) : folder)
  return (await readWhole(path)) as readonly string[]
}

/** Syncs the entries of a folder and of its parents to disk, up to the first that existed before. */
async function syncNames(folder: string, last: string): Promise<void> {
  await syncFolder(folder)
  if (folder !== last) await syncNames(dirname(folder), last)
}

/** Secrets that were sealed with another key, and now are with the first. */
interface Resealed {
  readonly triggers: number
  readonly secondFactors: number
  readonly mails: number
}

/**
 * Ensures that this process has the database's secret key. With two keys it may be either: secrets of triggers and
 * second factors, and mails, that the second one sealed are then resealed with the first, which becomes the database's key. Every start does that, since a
 * server that does not have the first key yet continues with the second. If it is interrupted, it starts again: the
 * mark is written last. Returns how many were resealed. Throws
 * OperatorError if the database has another key.
 *
 * Kept responses are not resealed: both keys open them, and they expire within a day.
 */
export async function agreeOnSecret(database: Database, secretKeys: readonly string[]): Promise<Resealed> {
  const [mark, other] = secretKeys.map(markOf)
  await database.query('insert into agreements (name, value) values ($1, $2) on conflict do nothing', [agreement, mark])
  const [row] = await database.query('select value from agreements where name = $1', [agreement])
  if (row?.[0] !== mark && row?.[0] !== other)
    throw new OperatorError(
      `This database has another secret key, with the fingerprint ${row?.[0]}; that of the present key is ${mark}. Set CASHWRAP_SECRET_KEY to the database's key, ` +
        'or restore the file "secret" of its data folder (if there was none, this start created one with a new key), ' +
        'or, if the key is lost, run `cashwrap replace-secret` to use the present key and remove what the lost one encrypted.',
    )
  if (other === undefined) return { triggers: 0, secondFactors: 0, mails: 0 }
  const reseal = resealing(secretKeys)
  const triggers = await resealTriggers(database, reseal)
  const secondFactors = await resealSecondFactors(database, reseal)
  const mails = await resealMails(database, reseal)
  await remember(database, mark as string)
  return { triggers, secondFactors, mails }
}

/** The mark of the database's secret key; null before its first start. */
export async function readSecretMark(database: Queryable): Promise<string | null> {
  const [row] = await database.query('select value from agreements where name = $1', [agreement])
  return row?.[0] ?? null
}

/** Opens and migrates a server's database, whose secret key this server must have. Throws OperatorError. */
export async function openWithSecret(
  connection: Connection,
  secretKeys: readonly string[],
  log: Logger,
  pools?: PoolSizes,
): Promise<Database> {
  const migrated = (names: readonly string[]) => {
    if (names.length > 0) log.info({ from: names[0], to: names.at(-1) }, 'the database was migrated to this version')
  }
  const database = await openDatabase(connection, (message) => log.info(message), migrated, { pools })
  const resealed = await agreeOnSecret(database, secretKeys).catch(async (error) => {
    await database.close()
    throw error
  })
  if (secretKeys.length > 1) log.info(resealed, 'secrets re-encrypted with the first secret key')
  return database
}

/** What could not be opened any more, and was removed. */
interface RemovedSecrets {
  /** False if the database already has the secret key: nothing is removed then. */
  readonly replaced: boolean
  /** Stored answers. */
  readonly removed: number
  /** Triggers that lost their secret. */
  readonly triggers: number
  /** Users whose authenticator app no longer works; their recovery codes do. */
  readonly secondFactors: number
  /** Mails that are not sent. */
  readonly mails: number
}

/**
 * Replaces the secret key, unless the database already has it, and removes what the old one sealed. If it is interrupted, it can be run again: the mark is
 * written last. Throws OperatorError while a server runs: it has the old key and would not notice, and what it seals from then on
 * could not be opened.
 */
export async function replaceSecret(database: Database, secretKeys: readonly string[]): Promise<RemovedSecrets> {
  const mark = await readSecretMark(database)
  if (secretKeys.some((secretKey) => markOf(secretKey) === mark))
    return { replaced: false, removed: 0, triggers: 0, secondFactors: 0, mails: 0 }
  await refuseOthers(database)
  const removed = await removeSealed(database)
  const triggers = await clearTriggerSecrets(database)
  const secondFactors = await clearSecondFactorSecrets(database)
  const mails = await clearMails(database)
  await remember(database, markOf(secretKeys[0] as string))
  return { replaced: true, removed, triggers, secondFactors, mails }
}

async function remember(database: Database, mark: string): Promise<void> {
  await database.query(
    'insert into agreements (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [agreement, mark],
  )
}
