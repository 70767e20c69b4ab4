// `cashwrap company export` and `cashwrap company import`: a company as one file, to keep it or to move it to another server.

import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { readConfig, strongPassphrase } from '../config.ts'
import { unreadable } from '../core/file-errors.ts'
import type { Database } from '../database/connect.ts'
import type { Imported } from '../features/company-file/import.ts'
import type { Keyring } from '../features/company-file/secrets.ts'
import { sealOf } from '../seal.ts'
import { agreeOnSecret, readSecretKeys } from '../secret.ts'
import { readId, readTextFile } from './arguments.ts'
import { describe, describeOne, type Output, print, sheet } from './output.ts'
import { withProgress } from './progress-bar.ts'
import { idFrom, requireOrganization, withDatabase } from './with-database.ts'

/** The object store that the service uses too, if one is set up. */
async function configuredObjects() {
  const { files } = readConfig()
  return files && (await import('../features/files/object-store.ts')).objectStore(files)
}

async function exportTo(companyId: string, file: string, options: Output & PassphraseOptions): Promise<void> {
  const { passphraseFile, ...output } = options
  const { exportCompany } = await import('../features/company-file/export.ts')
  const objects = await configuredObjects()
  const passphrase = await readPassphrase(passphraseFile)
  const exported = await withProgress((progress) =>
    withDatabase(async (database) => {
      const keyring = await keyringOf(database, passphrase)
      return idFrom('<id>', exportCompany(database, { companyId, file, keyring, objects, progress }))
    }),
  )
  print(output, exported, () =>
    sheet(`${exported.company.name} was exported`, {
      File: exported.file,
      Rows: String(exported.rows),
      'SHA-256': exported.sha256,
      'Events since': exported.eventsSince,
      Cursor: `${exported.cursor} (events after it may not be in the file)`,
      Secrets: ofTriggers(exported.secretsLeftOut, 'not in the file, since no passphrase was given'),
    }),
  )
}

interface ImportOptions extends Output, PassphraseOptions {
  readonly organization?: string
  readonly dryRun?: boolean
}

async function importFrom(file: string, options: ImportOptions): Promise<void> {
  const { organization, dryRun: isDryRun = false, passphraseFile, ...output } = options
  const { importCompany } = await import('../features/company-file/import.ts')
  const { size } = await stat(file).catch(unreadable(file))
  const passphrase = await readPassphrase(passphraseFile)
  const objects = await configuredObjects()
  const imported = await withProgress((progress) =>
    withDatabase(async (database) => {
      await requireOrganization(database, organization)
      const keyring = await keyringOf(database, passphrase)
      return importCompany(database, {
        file,
        organizationId: organization,
        isDryRun,
        keyring,
        objects,
        progress: (bytes) => progress(bytes, size),
      })
    }),
  )
  const rows = Object.values(imported.counts).reduce((sum, count) => sum + count, 0)
  print(output, { ...imported, rows, isDryRun }, () =>
    sheet(heading(imported, isDryRun), {
      'Company id': imported.companyId,
      Organization: imported.organizationId,
      Rows: String(rows),
      Cursor: isDryRun ? undefined : `${imported.cursor} (readers of its events continue after it)`,
      Secrets: ofTriggers(
        imported.secretsLeftOut,
        'missing; these triggers are switched off. Set apiKey and isActive, or import with the passphrase of the file, if it has one',
      ),
    }),
  )
}

function heading({ name, wasThere }: Pick<Imported, 'name' | 'wasThere'>, isDryRun: boolean): string {
  if (wasThere) return `${name} is already here, as in the file`
  return isDryRun ? `${name} can be imported. Nothing was written.` : `${name} was imported`
}

/** The sentence about secrets that the file leaves out. */
const ofTriggers = (count: number, what: string): string | undefined =>
  count === 0 ? undefined : `${count} of triggers ${count === 1 ? 'is' : 'are'} ${what}`

/** Adds the two commands to `cashwrap company`. */
export function addCompanyFile(group: Command): void {
  withPassphrase(
    describeOne(
      group,
      'export',
      'export all data of a company to a new file, while the service runs',
      '6740a1f2c3d4e5f6a7b8c900 shop.ndjson',
    ),
    'put the secrets of triggers into the file, encrypted with the passphrase in this file',
  )
    .argument('<file>', 'the file to write; it must not exist')
    .action(exportTo)
  withPassphrase(
    describe(
      group.command('import'),
      'create a company from its file, with its ids and keys',
      'cashwrap company import shop.ndjson --dry-run',
    ),
    'give triggers their secrets from the file, with the passphrase in this file',
  )
    .argument('<file>', 'a file that `cashwrap company export` wrote')
    .option('--organization <id>', 'the organization it will belong to (default: the file’s, or the only one)', readId)
    .option('--dry-run', 'carry everything out, and roll it back')
    .action(importFrom)
}

/** The option that names a file with a passphrase. */
interface PassphraseOptions {
  readonly passphraseFile?: string
}

/** The passphrase of a file or of the environment: other users of the machine can see the arguments of a command. */
async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return readConfig().passphrase
  const text = await readTextFile(path)
  return strongPassphrase(path, text.replace(/\r?\n$/, ''))
}

/** The passphrase with this server's seal. Throws OperatorError if the database has another secret key. */
async function keyringOf(database: Database, passphrase: string | undefined): Promise<Keyring | undefined> {
  if (passphrase === undefined) return undefined
  const secretKeys = await readSecretKeys(readConfig())
  await agreeOnSecret(database, secretKeys)
  return { passphrase, seal: sealOf(secretKeys) }
}

/** Adds the option to a command. */
const withPassphrase = (command: Command, description: string): Command =>
  command.option('--passphrase-file <file>', `${description} (default: that in CASHWRAP_PASSPHRASE)`)
