// `cashwrap secret`: a new key for CASHWRAP_SECRET_KEY. `cashwrap replace-secret`: for a database whose key was lost,
// so that the service can start on it again.
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { readSecretKeys, replaceSecret } from '../secret.ts'
import { newSecretKey } from '../secret-key.ts'
import { describe, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addSecret(program: Command): void {
  describe(
    program.command('secret'),
    'print a new key for CASHWRAP_SECRET_KEY; it is not stored',
    'CASHWRAP_SECRET_KEY="$(cashwrap secret)"',
  ).action((output: Output) => {
    const secretKey = newSecretKey()
    print(output, { secretKey }, () => secretKey)
  })
}

export function addReplaceSecret(program: Command): void {
  describe(
    program.command('replace-secret'),
    'use the current secret key for a database that was created with another one, and remove what the other key encrypted',
    'cashwrap replace-secret',
  ).action(async (output: Output) => {
    const secretKeys = await readSecretKeys(readConfig())
    const gone = await withDatabase((database) => replaceSecret(database, secretKeys))
    print(output, gone, () => {
      if (!gone.replaced)
        return 'The database already has this secret key; of two, a start of the service replaces the second with the first. Nothing was removed.'
      return [
        'The database now uses the current secret key.',
        `Encrypted responses removed: ${gone.removed}.`,
        `Automation triggers that lost their apiKey; their calls are not signed until it is set again: ${gone.triggers}.`,
        `Users whose authenticator app no longer works; they sign in with a recovery code, or after \`cashwrap user reset-second-factor\`: ${gone.secondFactors}.`,
        `Mails that are not sent; make new links: ${gone.mails}.`,
      ].join('\n')
    })
  })
}
