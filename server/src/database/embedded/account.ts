// PostgreSQL refuses to run as root, so this decides which user runs it and runs commands as that user.

import { type ExecFileException, execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { OperatorError } from '../../core/operator-error.ts'

/** A user of this machine. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** A clean environment for PostgreSQL: no variables of this process, such as PGDATA or LD_LIBRARY_PATH, may reach it. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Whether this process is root, and so must run PostgreSQL as another user. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** The users that may run PostgreSQL, the preferred one first. This user, or for root the unprivileged users of the machine. */
export function eligibleAccounts(): Account[] {
  if (!isRoot()) {
    const uid = process.getuid?.() ?? -1
    return [{ name: accountName(uid), uid, gid: process.getgid?.() ?? -1 }]
  }
  const known = passwd()
  const accounts = ['postgres', 'nobody'].flatMap((name) => known.filter((account) => account.name === name))
  if (accounts.length === 0) {
    throw new OperatorError(
      'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it: ' +
        'create one (useradd --system postgres), start as an ordinary user, or set DATABASE_URL to a database of your own.',
    )
  }
  return accounts
}

/** The user's name, or its number where the machine has no name for it. */
export function accountName(uid: number): string {
  return passwd().find((account) => account.uid === uid)?.name ?? `user ${uid}`
}

/** The spawn options that make a child run as this account. Only root can become someone else. */
export function runAs({ uid, gid }: Account): { uid?: number; gid?: number } {
  return isRoot() ? { uid, gid } : {}
}

/** Runs a command to its end as this account; `signal` asks it to end early. Returns why it failed, or undefined if it succeeded. */
export function runCommand(
  account: Account,
  command: string,
  args: string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (error: ExecFileException | null, stdout: string, stderr: string) => {
      resolve(error ? errorLine(`${stdout}${stderr}`.trim()) || error.message : undefined)
    }
    try {
      const child = execFile(command, args, { cwd: '/', env: environment, ...runAs(account) }, finish)
      signal?.addEventListener('abort', () => child.kill(), { once: true })
    } catch (error) {
      finish(error as ExecFileException, '', '')
    }
  })
}

/** Whether the account can access the contents of a folder. Asks the kernel, which knows access lists and mounts too. */
export const canReach = async (account: Account, folder: string): Promise<boolean> =>
  (await runCommand(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder])) === undefined

/** The line in the output of PostgreSQL's programs that says what is wrong. */
export function errorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((text) => /\b(FATAL|PANIC|error):/.test(text)) ?? lines.at(-1) ?? ''
  return line.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '')
}

function passwd(): Account[] {
  let text = ''
  try {
    text = readFileSync('/etc/passwd', 'utf8')
  } catch {
    // A machine without the file has no names; numbers work too.
  }
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    // On macOS, `nobody` has a negative number, which no process can run as.
    return name && Number(uid) >= 0 && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
