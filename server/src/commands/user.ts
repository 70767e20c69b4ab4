// `cashwrap user …`: the users who sign in to the console. No mail is sent: a command that makes a link prints it.
import { type Command, CommanderError, Option } from 'commander'
import { readConfig, urlOf } from '../config.ts'
import { type Role, roles } from '../core/scope.ts'
import { readEmail, readId, readName } from './arguments.ts'
import { needsOneOf } from './cashwrap-command.ts'
import { describe, type Output, print, sheet, table } from './output.ts'
import { idFrom, typed, withDatabase } from './with-database.ts'

/**
 * The link as people open it if CASHWRAP_PUBLIC_URL is set, and otherwise as this machine does, where HOST and PORT say
 * that the service is; the same path works at each of its addresses.
 */
function openedAs(link: string): string {
  const { host, port, publicUrl } = readConfig()
  if (publicUrl !== undefined) return publicUrl + link
  return port === 0 ? link : urlOf(host, port) + link
}

const setsUpByLink = 'the person who opens the link sets up another'
const handOver =
  'The link proves nothing about the address: the person who opens it gets the account. Hand it over in a way that only that person can read.'

/** What a reset has removed, and what is to be watched where a second factor is required. */
function consequences({ passkeysRemoved = 0, lacksFactor = false }, setsUp: string): string {
  const removed =
    passkeysRemoved > 0 ? ` ${passkeysRemoved} ${passkeysRemoved === 1 ? 'passkey was' : 'passkeys were'} removed.` : ''
  const warning = lacksFactor
    ? ` Warning: a company or organization of this user requires a second factor, and ${setsUp}. Make sure that it is the right person.`
    : ''
  return removed + warning
}

/** The ways to sign in with more than a password. */
const factorsOf = ({ hasSecondFactor, passkeys, hasVouchedIdentity }: Factors): string =>
  [
    ...(hasSecondFactor ? ['codes'] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    ...(hasVouchedIdentity ? ['single sign-on'] : []),
  ].join(', ') || 'off'

interface Factors {
  readonly hasSecondFactor: boolean
  readonly passkeys: number
  readonly hasVouchedIdentity: boolean
}

interface CreateUserOptions extends Output {
  readonly email: string
  readonly name?: string
  readonly company?: string
  readonly organization?: string
  readonly role: Role
  readonly existing?: string
  readonly resetPassword?: boolean
}

async function create({ company, organization, ...options }: CreateUserOptions): Promise<void> {
  const { email, name, role, existing, resetPassword: resetsPassword, ...output } = options
  const { enrol, openedBy } = await import('../features/people/operator.ts')
  const place = company !== undefined ? { companyId: company } : { organizationId: organization as string }
  if (company === undefined && organization === undefined)
    throw new CommanderError(
      2,
      'cashwrap.place',
      'Name what the user gets access to: --company <id> or --organization <id>.',
    )
  if (company === undefined && role === 'viewer')
    throw new CommanderError(2, 'cashwrap.role', 'An organization has owners and admins; only companies have viewers.')
  const option = company === undefined ? '--organization' : '--company'
  const made = await withDatabase((database) =>
    typed(idFrom(option, enrol(database, { email, name, role, existing, resetsPassword }, place))),
  )
  const { id: memberId, userId, opens, link, passkeysRemoved, lacksFactor } = made
  const url = link && openedAs(link)
  const before = opens?.length === 0 ? 'nothing' : opens?.map(openedBy).join(', ')
  const more = {
    ...(opens && { openedBefore: opens }),
    ...(passkeysRemoved !== undefined && { passkeysRemoved, lacksFactor }),
  }
  const shown = { memberId, userId, email, role, ...place, ...more }
  print(output, { ...shown, ...(link !== undefined && { link, url }) }, () =>
    sheet(
      link === undefined
        ? `${email} is a member and signs in as before. Cashwrap has not verified who owns the address.`
        : `${email} is a member. The link is shown only now and works once, within 7 days. ${handOver}${consequences(made, setsUpByLink)}`,
      { 'Member id': memberId, 'User id': userId, Role: role, 'Opened before': before, Link: url },
    ),
  )
}

async function list(output: Output): Promise<void> {
  const { listUsers, openedBy } = await import('../features/people/operator.ts')
  const users = await withDatabase(listUsers)
  print(output, users, () =>
    table(
      users,
      {
        email: ({ email }) => email,
        name: ({ name }) => name ?? '',
        opens: ({ members }) => members.map(openedBy).join(', '),
        password: ({ hasPassword }) => (hasPassword ? 'yes' : 'not yet'),
        'second factor': factorsOf,
        'last sign-in': ({ lastSignInAt }) => lastSignInAt ?? 'never',
      },
      'There are no users yet. `cashwrap serve` prints a link for the first owner.',
    ),
  )
}

async function remove(email: string, output: Output): Promise<void> {
  const { deleteUser } = await import('../features/people/operator.ts')
  const { id } = await withDatabase((database) => idFrom('<email>', deleteUser(database, email)))
  print(
    output,
    { id, email, deleted: true },
    () => `The user ${email} was deleted and signed out everywhere; keys that the user created stay.`,
  )
}

async function reset(email: string, output: Output): Promise<void> {
  const { resetPassword } = await import('../features/people/operator.ts')
  const { link, ...done } = await withDatabase((database) => idFrom('<email>', resetPassword(database, email)))
  const url = openedAs(link)
  print(output, { ...done, email, link, url }, () =>
    sheet(
      `${email} is signed out everywhere. The link to set a new password is shown only now and works once, within 7 days. ${handOver}${consequences(done, setsUpByLink)}`,
      {
        Link: url,
      },
    ),
  )
}

async function resetFactor(email: string, output: Output): Promise<void> {
  const { resetSecondFactor } = await import('../features/people/operator.ts')
  const done = await withDatabase((database) => idFrom('<email>', resetSecondFactor(database, email)))
  print(
    output,
    { ...done, email, secondFactor: 'off' },
    () =>
      `${email} ${done.hasWayIn ? 'signs in without a second factor' : 'has no way to sign in any more'}, and is signed out everywhere. ${done.hasWayIn ? '' : `Warning: the account has no password; \`cashwrap user reset-password ${email}\` prints a link to set one. `}If someone else may know the password, run \`cashwrap user reset-password ${email}\` too.${consequences(done, 'the password alone is enough to set up another')}`,
  )
}

export function addUser(program: Command): void {
  const group = program.command('user').description('create, list and delete users who sign in to the console')
  const ofOne = (name: string, description: string) =>
    describe(group.command(name), description, `cashwrap user ${name} ann@example.com`).argument(
      '<email>',
      'the address the user signs in with',
      readEmail,
    )
  const making = describe(
    group.command('create'),
    'create a user, or give an existing user more access; prints a link to set a password',
    'cashwrap user create --email ann@example.com --company 6740a1f2c3d4e5f6a7b8c900 --role admin',
  )
    .requiredOption('--email <address>', 'the address the user signs in with', readEmail)
    .option('--name <name>', 'the name of the user', readName)
    .addOption(
      new Option('--company <id>', 'the company the user gets access to').argParser(readId).conflicts('organization'),
    )
    .addOption(new Option('--organization <id>', 'or the organization, with all its companies').argParser(readId))
    .addOption(
      new Option(
        '--role <role>',
        'viewer: can read; admin: can do everything except change members; owner: can do everything',
      )
        .choices(roles)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--existing <id>', 'give access to the account that has this id and the address').argParser(readId),
    )
    .addOption(
      new Option(
        '--reset-password',
        'give access to the account that has the address, end its password and sign-ins, and print a link',
      ).conflicts('existing'),
    )
    .action(create)
  needsOneOf(making, '--company', '--organization')
  describe(group.command('list'), 'list users, oldest first', 'cashwrap user list').action(list)
  ofOne('delete', 'delete a user, who is signed out everywhere at once').action(remove)
  ofOne(
    'reset-password',
    'sign a user out everywhere, remove passkeys and linked identities, and print a link to set a new password',
  ).action(reset)
  ofOne(
    'reset-second-factor',
    'turn off codes and remove passkeys of a user who lost the device, and sign the user out everywhere',
  ).action(resetFactor)
}
