// `cashwrap company sql-access`: a login with which people read their company's records by SQL.
import { type Command, CommanderError } from 'commander'
import { readConfig } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { Database } from '../database/connect.ts'
import { parseUrl } from '../database/connection-error.ts'
import type { GrantedLogin } from '../features/sql-access/login.ts'
import { readExpiry, readTextFile } from './arguments.ts'
import { describeOne, type Output, print, printNote, sheet } from './output.ts'
import { idFrom, withDatabase } from './with-database.ts'

/** Least characters of a given password: anyone who can reach PostgreSQL can try to guess it. */
const PASSWORD_CHARACTERS = 20

interface SqlAccessOptions extends Output {
  readonly revoke?: boolean
  readonly passwordFile?: string
  readonly expires?: string
}

async function sqlAccess(companyId: string, { revoke, passwordFile, expires, json }: SqlAccessOptions): Promise<void> {
  const { databaseUrl, directUrl } = readConfig()
  if (databaseUrl === undefined)
    throw new OperatorError(
      'The embedded PostgreSQL has no port that other programs reach. SQL access needs a PostgreSQL of your own: set DATABASE_URL.',
    )
  if (revoke && (passwordFile !== undefined || expires !== undefined))
    throw new CommanderError(2, 'cashwrap.revoke', '--revoke cannot be combined with other options, except --json.')
  const output = { json }
  if (revoke) return withDatabase((database) => takeAway(database, companyId, output))
  const password = passwordFile === undefined ? undefined : await readPassword(passwordFile)
  const { grantLogin } = await import('../features/sql-access/login.ts')
  const { readCompany } = await import('../features/tenants/tenants.ts')
  const granted = await withDatabase(async (database) => {
    await idFrom('<id>', readCompany(database, companyId))
    return idFrom('<id>', grantLogin(database, { companyId, password, expiresAt: expires }))
  })
  report(granted, addressOf(directUrl ?? databaseUrl), { ...output, isGiven: password !== undefined })
}

async function takeAway(database: Database, companyId: string, output: Output): Promise<void> {
  const { revokeLogin } = await import('../features/sql-access/login.ts')
  const revoked = await database.transaction((transaction) => revokeLogin(transaction, companyId))
  print(output, { companyId, revoked: revoked?.login ?? null }, () =>
    revoked === undefined
      ? `The company ${companyId} has no SQL access.`
      : `${revoked.login} was ${revoked.left === undefined ? 'removed' : 'closed'}, and its sessions have ended.`,
  )
  if (revoked?.left !== undefined) printNote(revoked.left)
}

/** A password from a file: other users of the machine can see the arguments of a command. */
async function readPassword(path: string): Promise<string> {
  const text = await readTextFile(path)
  const password = text.replace(/\r?\n$/, '')
  if (password.length < PASSWORD_CHARACTERS || !/^[!-~]*$/.test(password))
    throw new OperatorError(
      `The password in ${path} must have at least ${PASSWORD_CHARACTERS} characters: letters, digits and punctuation of ASCII, without blanks.`,
    )
  return password
}

/** Where PostgreSQL is reached, as this machine does. */
function addressOf(connectionString: string) {
  const url = parseUrl(connectionString)
  return {
    host: url.searchParams.get('host') ?? url.hostname,
    port: Number(url.searchParams.get('port') ?? (url.port || 5432)),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}

function report(
  { login, password, expiresAt, isRenewed, open }: GrantedLogin,
  address: ReturnType<typeof addressOf>,
  { isGiven, ...output }: Output & { readonly isGiven: boolean },
): void {
  const shown = isGiven ? undefined : password
  print(output, { ...address, user: login, ...(shown && { password: shown }), expiresAt, ...open }, () =>
    sheet(
      `${isRenewed ? 'The login has another password; its sessions have ended.' : 'The login can read.'}${isGiven ? '' : ' The password is shown only now.'}`,
      {
        Host: address.host,
        Port: String(address.port),
        Database: address.database,
        User: login,
        Password: shown,
        Expires: expiresAt ?? 'never',
      },
    ),
  )
  if (open.databases.length > 0)
    printNote(
      `It may connect to other databases of this PostgreSQL (${open.databases.join(', ')}). Name ${address.database} in its line of pg_hba.conf; or, if no other role needs it, run as a superuser:\n\n  revoke connect, temporary on database ${open.databases.join(', ')} from public;\n`,
    )
  if (open.statements.length > 0)
    printNote(
      `A superuser should run in ${address.database}, once, so that no login can take locks of the service or fill the disk; then run this command again:\n\n  ${open.statements.join('\n  ')}\n`,
    )
  if (open.mayPrepare)
    printNote(
      'PostgreSQL has max_prepared_transactions > 0: a login can leave a prepared transaction, which keeps its locks for ever. Set it to 0 unless a program of yours needs it.',
    )
}

/** Adds the command to `cashwrap company`. */
export function addCompanySqlAccess(group: Command): void {
  describeOne(
    group,
    'sql-access',
    'create a PostgreSQL login that can read the company’s records, or give the existing one a new password',
    '6740a1f2c3d4e5f6a7b8c900',
  )
    .option('--password-file <file>', 'the password of the login (default: a new one, which is printed)')
    .option(
      '--expires <time>',
      'when the password expires, such as 2027-12-31, or never (default: unchanged)',
      (text) => (text === 'never' ? 'infinity' : readExpiry(text)),
    )
    .option('--revoke', 'remove the login, and end its sessions')
    .action(sqlAccess)
}
