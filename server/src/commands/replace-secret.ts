// `cashwrap replace-secret`: for a database whose secret was lost, so that the service can start on it again.
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { readSecret, replaceSecret } from '../secret.ts'
import { describe, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addReplaceSecret(program: Command): void {
  describe(
    program.command('replace-secret'),
    'take the present secret for a database that was begun with another, and remove what that one sealed',
    'cashwrap replace-secret',
  ).action(async (output: Output) => {
    const secret = await readSecret(readConfig())
    const removed = await withDatabase((database) => replaceSecret(database, secret))
    print(output, { removed }, () => `The present secret holds from now on; sealed answers removed: ${removed}.`)
  })
}
