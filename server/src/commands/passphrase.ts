// The passphrase under which a company's file has the secrets of its triggers.
import type { Command } from 'commander'
import { readConfig, strongPassphrase } from '../config.ts'
import type { Database } from '../database/connect.ts'
import type { Keyring } from '../features/company-file/secrets.ts'
import { sealOf } from '../seal.ts'
import { agreeOnSecret, readSecretKeys } from '../secret.ts'
import { readTextFile } from './arguments.ts'

/** The option that names a file with a passphrase. */
export interface PassphraseOptions {
  readonly passphraseFile?: string
}

/** The passphrase of a file or of the environment: other users of the machine can see the arguments of a command. */
export async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return readConfig().passphrase
  const text = await readTextFile(path)
  return strongPassphrase(path, text.replace(/\r?\n$/, ''))
}

/** The passphrase with this server's seal. Throws OperatorError if the database has another secret key. */
export async function keyringOf(database: Database, passphrase: string | undefined): Promise<Keyring | undefined> {
  if (passphrase === undefined) return undefined
  const secretKeys = await readSecretKeys(readConfig())
  await agreeOnSecret(database, secretKeys)
  return { passphrase, seal: sealOf(secretKeys) }
}

/** Adds the option to a command. */
export const withPassphrase = (command: Command, description: string): Command =>
  command.option('--passphrase-file <file>', `${description} (default: that in CASHWRAP_PASSPHRASE)`)
