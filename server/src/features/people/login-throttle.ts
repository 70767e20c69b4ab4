// Limits wrong passwords and codes for an account, a network and a known browser: counted in PostgreSQL, so that all servers
// share the counts.
import { hash } from 'node:crypto'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import type { Call } from '../../http/route.ts'
import { knownBrowser } from './sign-ins.ts'
import { addressOf, isAddressTaken, type User } from './users.ts'

/**
 * Wrong passwords for one account, and from one network, within some milliseconds: after that, no password is checked
 * until these are over. A browser in which the account's user signed in before has a separate count.
 */
const ACCOUNT_FAILURES = 10
const NETWORK_FAILURES = 50
export const FAILURES_MS = 15 * 60 * 1000
/** Requests for a link to a new password from one network in `FAILURES_MS`, and mails to one address; invitations that an organization mails, and that are mailed to one address. */
export const RESETS_OF_NETWORK = 10
export const RESETS_OF_ADDRESS = 3
const MAILED_INVITATIONS = 50
const INVITATIONS_OF_ADDRESS = 3

/** What is tried and where: the names under which it is counted. */
interface Tried {
  readonly what: 'passwords' | 'codes' | 'passkeys'
  readonly account: string
  readonly network: string
  /** Only for a browser in which the account's user signed in before. */
  readonly browser: string | undefined
}

/** Checks a password for the user with an address in `work`, as `trying` does. */
export const tryingPassword = async <T>(database: Queryable, email: string, call: Call, work: () => Promise<T>) =>
  trying(database, await passwordTried(database, email, call), work)

async function passwordTried(database: Queryable, email: string, call: Call): Promise<Tried> {
  const browserId = await knownBrowser(database, call.visit().browserToken, addressOf(email))
  return {
    what: 'passwords',
    account: accountName(email),
    network: networkName(call.network()),
    browser: browserId && `browser ${browserId}`,
  }
}

/**
 * Does the work of a transaction that checks a code of a user, as `trying` does if a code was sent. Codes have separate counts, which a
 * right password does not reset: a person who knows the password gets no more tries of codes by repeating it.
 */
export async function tryingCode<T>(
  database: Database,
  { id, email, code }: Pick<User, 'id' | 'email'> & { readonly code: string | undefined },
  call: Call,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  const checked = () => retriedTransaction(database, work)
  if (code === undefined) return checked()
  const { network, browser } = await passwordTried(database, email, call)
  const tried: Tried = { what: 'codes', account: codesName(id), network, browser: browser && `codes ${browser}` }
  return trying(database, tried, checked)
}

/** The try of a passkey, counted for it and the network. A digest of its id, which may be any text. */
export const passkeyTried = (credentialId: string, call: Call): Tried => ({
  what: 'passkeys',
  account: `passkey ${hash('sha256', credentialId, 'base64url')}`,
  network: networkName(call.network()),
  browser: undefined,
})

/** Only a digest of the address: the typed text may be anything, even a password. */
const accountName = (email: string): string => `account ${hash('sha256', addressOf(email), 'base64url')}`
const networkName = (network: string): string => `network ${network}`
/** A separate count: a guest's wrong passwords in the network do not block single sign-on there. */
const answersName = (network: string): string => `sso ${network}`
const codesName = (userId: string): string => `codes ${userId}`

/**
 * Does the work of a try. The try is counted as a failure before, so that concurrent ones cannot exceed the limit, and
 * taken back once the work has succeeded. Throws 429 after too many, whether or not the account exists.
 */
export async function trying<T>(database: Queryable, tried: Tried, work: () => Promise<T>): Promise<T> {
  await countTry(database, tried)
  const done = await work()
  await forgive(database, tried)
  return done
}

/** Counts a try. Tries elsewhere, or by others in the same network, do not block a known browser. */
async function countTry(database: Queryable, { what, account, network, browser }: Tried): Promise<void> {
  if (browser !== undefined) return count(database, browser, ACCOUNT_FAILURES, `wrong ${what} in this browser`)
  await countBoth(database, [network, `wrong ${what} from this address`], [account, `wrong ${what} for this account`])
}

/** Counts one more failure for a network and for an account; one that is refused for either is not counted for the other. */
async function countBoth(
  database: Queryable,
  [network, ofNetwork]: FailureCounter,
  [account, ofAccount]: FailureCounter,
) {
  await count(database, network, NETWORK_FAILURES, ofNetwork)
  await count(database, account, ACCOUNT_FAILURES, ofAccount).catch(async (error) => {
    await lower(database, network)
    throw error
  })
}
type FailureCounter = readonly [name: string, what: string]

/** SQL: a count is over, or began before the clock was set back: then it would last for as long as the clock was ahead. */
const isOver = '(stored.since <= $4 or stored.since > $5)'

/** Counts one more failure. Returns their number, and the milliseconds until they are over. */
async function counted(database: Queryable, name: string, most: number): Promise<[failures: number, waitMs: number]> {
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const [row] = await database.query(
    `with old as (
       delete from sign_in_failures where name in (
         select name from sign_in_failures where since <= $4 and name <> $1 order by since limit 100 for update skip locked)
     )
     insert into sign_in_failures as stored (name, failures, since) values ($1, 1, $2::timestamptz)
     on conflict (name) do update set
       failures = case when ${isOver} then 1 else least(stored.failures, $3) + 1 end,
       since = case when ${isOver} then excluded.since else stored.since end
     returning failures, (extract(epoch from since) * 1000)::bigint`,
    [name, at(0), most, at(-FAILURES_MS), at(FAILURES_MS)],
  )
  const [failures, begun] = row as [number, number]
  return [failures, begun + FAILURES_MS - now]
}

/** Counts one more failure. Throws 429 after too many. */
async function count(database: Queryable, name: string, most: number, where: string): Promise<void> {
  const [failures, waitMs] = await counted(database, name, most)
  if (failures <= most) return
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const message = `Too many ${where}. Try again in ${Math.ceil(seconds / 60)} minutes.`
  throw new Problem('rate_limited', message, [], {
    headers: { 'retry-after': String(seconds) },
    reason: 'password_guesses',
  })
}

/**
 * Takes a try back that succeeded: the count of the browser or account is reset, and the network has one failure fewer.
 */
async function forgive(database: Queryable, { account, network, browser }: Tried): Promise<void> {
  if (browser !== undefined) return drop(database, browser)
  await drop(database, account)
  await lower(database, network)
}

/** An attempt to choose an address. */
interface AddressChoice {
  /** The organization whose link is used, or the account that changes its address. */
  readonly by: string
  readonly network: string
}

/**
 * Does work that chooses an address. It is counted as a failure before, as for passwords, because the answer reveals whether the
 * address is taken; unless it is, the count is taken back. Throws 429 after too many.
 */
export async function choosing<T>(
  database: Queryable,
  { by, network }: AddressChoice,
  work: () => Promise<T>,
): Promise<T> {
  const address = networkName(network)
  const choice = `choice ${by}`
  const what = 'attempts to choose an address that is taken'
  await countBoth(database, [address, 'failures from this address'], [choice, what])
  const takeBack = async () => {
    await lower(database, address)
    await lower(database, choice)
  }
  const done = await work().catch(async (error) => {
    if (!isAddressTaken(error)) await takeBack()
    throw error
  })
  await takeBack()
  return done
}

/** Counts an answer of the OpenID provider as a failure before it is redeemed there. Throws 429 after too many from a network. */
export const countAnswer = (database: Queryable, network: string): Promise<void> =>
  count(database, answersName(network), NETWORK_FAILURES, 'failed sign-ins from this address')

/** Takes it back: it was right, or the provider did not answer. */
export const forgiveAnswer = (database: Queryable, network: string): Promise<void> =>
  lower(database, answersName(network))

/** Counts a request for a mail with a link to a new password. Throws 429 after too many from a network. */
export const countReset = (database: Queryable, network: string): Promise<void> =>
  count(database, `resets ${network}`, RESETS_OF_NETWORK, 'password resets from this address')

/**
 * Counts such a mail to an address. False after too many: then none is sent, and the answer does not reveal that, as
 * with an unknown address.
 */
export const mayReset = (database: Queryable, email: string): Promise<boolean> =>
  isWithin(database, `reset ${accountName(email)}`, RESETS_OF_ADDRESS)

/**
 * Counts an invitation that an organization mails to an address. False after too many of either, so that the service
 * does not flood strangers with mail.
 */
export const mayMailInvitation = async (database: Queryable, organizationId: string, email: string) =>
  (await isWithin(database, `invitations ${organizationId}`, MAILED_INVITATIONS)) &&
  (await isWithin(database, `invitation ${accountName(email)}`, INVITATIONS_OF_ADDRESS))

/** Counts in the same way, without a refusal. */
const isWithin = async (database: Queryable, name: string, most: number): Promise<boolean> =>
  (await counted(database, name, most))[0] <= most

async function lower(database: Queryable, name: string): Promise<void> {
  await database.query('update sign_in_failures set failures = greatest(failures - 1, 0) where name = $1', [name])
}

/** Resets the count of wrong passwords of an account. */
export const forgetFailures = (database: Queryable, email: string): Promise<void> => drop(database, accountName(email))

/** Resets the count of a user's wrong codes. */
export const forgetCodes = (database: Queryable, userId: string): Promise<void> => drop(database, codesName(userId))

async function drop(database: Queryable, name: string): Promise<void> {
  await database.query('delete from sign_in_failures where name = $1', [name])
}
