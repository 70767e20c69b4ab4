// `cashwrap dump` and `cashwrap load`: the whole database as one file, to move it to another PostgreSQL.
import { constants, createReadStream, open, type Stats } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { fileError, unreadable } from '../core/file-errors.ts'
import { type WriteBytes, writeNewFile } from '../core/new-file.ts'
import type { DumpManifest } from '../database/dump/format.ts'
import { version } from '../version.ts'
import { describe, type Output, print, printNote, sheet } from './output.ts'
import { withProgress } from './progress-bar.ts'
import { silent } from './restore.ts'
import { reachPostgres, withDatabase } from './with-database.ts'

/** The file name that means standard output or input. */
const PIPE = '-'

export function addDump(program: Command): void {
  describe(
    program.command('dump'),
    'write the whole database to a file, while the service runs, for another PostgreSQL',
    'cashwrap dump shops.dump',
  )
    .argument('<file>', 'the file to write; it must not exist. - is standard output')
    .action(dump)
}

export function addLoad(program: Command): void {
  describe(
    program.command('load'),
    'fill a new database with a dump; the service must not run on it',
    'DATABASE_URL=postgres://… cashwrap load shops.dump',
  )
    .argument('<file>', 'a file that `cashwrap dump` wrote. - is standard input')
    .action(load)
}

async function dump(file: string, output: Output): Promise<void> {
  const [{ writeDump }, { readSecretMark }] = await Promise.all([
    import('../database/dump/dump.ts'),
    import('../secret.ts'),
  ])
  const dumped = await withProgress((progress) =>
    withDatabase(async (database, place) => {
      const secretKey = await readSecretMark(database)
      const writeTo = (write: WriteBytes) => writeDump(database, { version, secretKey, write, progress })
      const written = await (file === PIPE ? writeTo(toStandardOutput) : writeNewFile(file, writeTo))
      return { ...written, place }
    }),
  )
  const { manifest, rows, sha256, place } = dumped
  const said = sheet('The database was dumped', {
    Database: place,
    File: file === PIPE ? undefined : file,
    ...facts(manifest, rows),
    'SHA-256': sha256,
    'Secret key': `${manifest.secretKey ?? 'none yet'} (its fingerprint; the key itself is not in the dump)`,
  })
  if (file === PIPE) printNote(said)
  else print(output, { database: place, file, ...about(manifest, rows), sha256 }, () => said)
}

/** Writes to standard output; waits until the reader has taken enough. */
const toStandardOutput: WriteBytes = (bytes) =>
  new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (error) reject(fileError('Standard output', 'write', error))
      else resolve()
    })
  })

async function load(file: string, output: Output): Promise<void> {
  const [{ loadDump }, { DumpReader }, { skipLostEvents }, { silenceOutsideCalls }, { openDatabase }] =
    await Promise.all([
      import('../database/dump/load.ts'),
      import('../database/dump/format.ts'),
      import('../features/events/gaps.ts'),
      import('../features/restores/restored.ts'),
      import('../database/open.ts'),
    ])
  // The file is checked before an embedded PostgreSQL is created for it.
  const status = file === PIPE ? undefined : await statusOf(file)
  const { connection, place, close } = await reachPostgres(readConfig(), printNote, { mayCreate: true })
  try {
    const { manifest, rows } = await withProgress(async (progress) =>
      loadDump(
        connection,
        new DumpReader(status === undefined ? 'Standard input' : file, chunksOf(file, status, progress)),
        {
          waits: printNote,
          loaded: async (transaction, { dumpedAt }) => {
            await skipLostEvents(transaction, dumpedAt)
            await silenceOutsideCalls(transaction, dumpedAt)
          },
        },
      ),
    )
    // Applies the migrations since the dump. Tables are distributed afterwards, by `cashwrap migrate --distribute`.
    await (await openDatabase(connection, printNote, () => {}, { isUnchecked: true })).close()
    print(output, { database: place, ...about(manifest, rows) }, () =>
      [
        sheet('The dump was loaded', {
          Database: place,
          ...facts(manifest, rows),
          'Secret key': `${manifest.secretKey ?? 'none'} (the fingerprint of the key that it needs)`,
        }),
        '',
        'Before the first start, set the secret key of the old service, by CASHWRAP_SECRET_KEY or as CASHWRAP_DATA/secret.',
        silent,
      ].join('\n'),
    )
  } finally {
    await close()
  }
}

/** The status of a file. Throws OperatorError if it does not exist, is a folder, or may not be read by this user. */
async function statusOf(file: string): Promise<Stats> {
  await access(file, constants.R_OK).catch(unreadable(file))
  const status = await stat(file).catch(unreadable(file))
  if (status.isDirectory()) unreadable(file)({ code: 'EISDIR', syscall: 'open' })
  return status
}

/** The bytes of a file, or of standard input without one. Throws OperatorError if it cannot be read. */
function chunksOf(file: string, status: Stats | undefined, progress: (done: number, total: number) => void) {
  if (status === undefined) return process.stdin as AsyncIterable<Buffer>
  // The file is opened once its first bytes are asked for: a load that is refused before then leaves nothing open.
  return (async function* () {
    let done = 0
    try {
      for await (const chunk of status.isFIFO()
        ? await pipeOf(file)
        : createReadStream(file, { highWaterMark: 1 << 20 })) {
        done += chunk.length
        progress(done, status.size)
        yield chunk
      }
    } catch (error) {
      unreadable(file)(error)
    }
  })()
}

/** Reads a pipe as a socket: a file read that waits for the pipe's writer would keep the program from ending. */
const pipeOf = async (file: string): Promise<AsyncIterable<Buffer>> =>
  new Socket({ fd: await promisify(open)(file, 'r'), readable: true, writable: false })

const total = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0)

const facts = ({ dumpedAt, cashwrap, migration, postgres }: DumpManifest, rows: Readonly<Record<string, number>>) => ({
  Moment: dumpedAt,
  Version: `Cashwrap ${cashwrap}, migration ${migration}, PostgreSQL ${postgres}`,
  Rows: String(total(rows)),
})

const about = (
  { dumpedAt, cashwrap, migration, postgres, secretKey }: DumpManifest,
  rows: Readonly<Record<string, number>>,
) => ({ dumpedAt, cashwrap, migration, postgres, secretKey, rows: total(rows), tables: rows })
