// Lets only the service's user and root connect to the embedded PostgreSQL, which may run as a user that other programs share.

import { userInfo } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { rolePrefix } from '../row-security/names.ts'
import { isRoot, runCommand } from './account.ts'
import type { Cluster } from './cluster.ts'
import { reasonOfDisk } from './failed-start.ts'

/** The roles that reach the rows of companies alone. */
const roles = `/^${rolePrefix}`

const note = '# Written by Cashwrap at each start.'

/** Names of the system users that may connect; undefined if the service's user has no name. */
function connectingUsers(): string[] | undefined {
  if (isRoot()) return ['root']
  try {
    return ['root', userInfo().username]
  } catch {
    return undefined
  }
}

/**
 * Writes the access rules before PostgreSQL starts. This also converts data folders of versions that trusted every
 * local user. Peer authentication needs a user name; without one, only the folder's mode protects the socket.
 */
export async function writeAccess({ directory, account }: Cluster): Promise<void> {
  const users = connectingUsers()
  const method = users === undefined ? 'trust' : 'peer map=cashwrap'
  // Roles are named by patterns: each database and each secret key has its own (row-security/login.ts).
  const names = (users ?? []).flatMap((user) => ['cashwrap', roles].map((role) => `cashwrap "${user}" ${role}`))
  const files = {
    'pg_ident.conf': [note, ...names, ''].join('\n'),
    'pg_hba.conf': [note, ...['cashwrap', roles].map((role) => `local all ${role} ${method}`), ''].join('\n'),
  }
  for (const [name, content] of Object.entries(files)) {
    // Runs as the folder's owner, so that root follows no link in it. Renames only complete files.
    const script = 'umask 077; printf %s "$2" >"$1.new" && mv -f -- "$1.new" "$1"'
    const problem = await runCommand(account, '/bin/sh', ['-c', script, 'sh', join(directory, name), content])
    if (problem !== undefined) {
      const reason = await reasonOfDisk(directory, `writing ${name} failed: ${problem}`)
      throw new OperatorError(`PostgreSQL cannot start in ${directory}: ${reason}.`)
    }
  }
}
