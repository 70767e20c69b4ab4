// Who may connect to the embedded PostgreSQL: the user of the service and root, as the kernel names them. PostgreSQL may run as a user that others run as too.

import { userInfo } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { isRoot, run } from './embedded-account.ts'
import type { Cluster } from './embedded-cluster.ts'

const note = '# Written by Cashwrap at each start.'

/** The names of the machine's users who connect; undefined where the system has no name for the user of the service. */
function connectingUsers(): string[] | undefined {
  if (isRoot()) return ['root']
  try {
    return ['root', userInfo().username]
  } catch {
    return undefined
  }
}

/**
 * Writes who may connect, before the server starts: also for a data folder of a version that trusted everybody who reached the
 * socket. Peer authentication needs the name of a user; where there is none, only the folder's mode protects the socket.
 */
export async function writeAccess({ directory, account }: Cluster): Promise<void> {
  const users = connectingUsers()
  const method = users === undefined ? 'trust' : 'peer map=cashwrap'
  const names = (users ?? []).map((user) => `cashwrap "${user}" cashwrap`)
  const files = {
    'pg_ident.conf': [note, ...names, ''].join('\n'),
    'pg_hba.conf': [note, `local all cashwrap ${method}`, ''].join('\n'),
  }
  for (const [name, content] of Object.entries(files)) {
    // As the user whose folder it is, so that root follows no link in it; under its name only once it is whole.
    const script = 'umask 077; printf %s "$2" >"$1.new" && mv -f -- "$1.new" "$1"'
    const { problem } = await run(account, '/bin/sh', ['-c', script, 'sh', join(directory, name), content])
    if (problem !== undefined)
      throw new OperatorError(`PostgreSQL cannot start in ${directory}: ${name} cannot be written (${problem}).`)
  }
}
