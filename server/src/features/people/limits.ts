// The limits of users, sign-ins and members, each with its reason.
import { divided } from '../../core/worker-share.ts'

/** Milliseconds without a request for which a browser stays signed in: seven days. */
export const SIGN_IN_UNUSED_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds between two writes of when a sign-in was last seen: one a minute, however busy the page is. */
export const LAST_SEEN_MS = 60_000
/** Sign-ins of one user, the newest: no user has this many browsers, and a program that signs in for each request fills no table. */
export const SIGN_INS_OF_USER = 100
/** Sign-ins cached that were valid a short while ago, so that their look-ups do not count as guesses. */
export const FAMILIAR_SIGN_INS = 50_000
/** Characters of a password (NIST SP 800-63B requires at least 8, and at least 64 to be accepted). */
export const PASSWORD_LEAST = 10
export const PASSWORD_MOST = 200
/**
 * Argon2id with OWASP's minimum: 19 MiB, two passes, parallelism 1. One hash takes some 20 ms. Also how many run at
 * once, which bounds the memory and cores that unauthenticated callers can use, and how many wait.
 */
export const ARGON2 = { memoryKiB: 19_456, passes: 2, lanes: 1 } as const
export const PASSWORDS = { name: 'password', atOnce: divided(2, 1), waiting: divided(200, 50) } as const
/**
 * Wrong passwords for one account, and from one network, within some milliseconds: after that, no password is checked
 * until these are over. A browser in which the account's user signed in before has a separate count.
 */
export const ACCOUNT_FAILURES = 10
export const NETWORK_FAILURES = 50
export const FAILURES_MS = 15 * 60 * 1000
/**
 * Milliseconds within which a passkey answers: the library's minute is too short for a person who has to find the
 * phone.
 */
export const CHALLENGE_MS = 5 * 60 * 1000
/** Passkeys of one user: more than anyone has devices. */
export const PASSKEYS_OF_USER = 50
/**
 * Requests that wait for the OpenID provider at once, which bounds the connections that callers without a sign-in open while it is slow,
 * and how many wait for their turn.
 */
export const PROVIDER = { name: 'provider', atOnce: divided(16, 4), waiting: divided(200, 50) } as const
/** Milliseconds for which an identity that the OpenID provider has proven can be used, and identities of one user: more than anyone has. */
export const IDENTITY_MS = 5 * 60 * 1000
export const IDENTITIES_OF_USER = 10
/** Milliseconds after a sign-in in which an account without a password changes how it signs in: the sign-in is the proof. */
export const FRESH_SIGN_IN_MS = 10 * 60 * 1000
/** Recovery codes of a second factor: the number that services of the kind give. */
export const RECOVERY_CODES = 10
/** Browsers that are recognized for one user, the newest. */
export const KNOWN_BROWSERS_OF_USER = 100
/** Bytes of a body that may be sent without a key: an address, a password and a token. */
export const PUBLIC_BODY_BYTES = 16 * 1024
/** Organizations, and companies, that a sign-in lists; the list of companies shows more. */
export const OWN_PLACES = 100
/** Members of one company or organization: more than any has, and a list that is read in a moment. */
export const MEMBERS = 1_000
/** Number of companies that an invitation link names. If there are more, it shows how many. */
export const INVITATION_COMPANIES = 20
/** Expired sign-ins, links and the like that one statement removes. */
export const CLEARED_ROWS = 5_000
/** Milliseconds for which the first link, which `serve` prints, and any other link are valid. */
export const FIRST_LINK_MS = 24 * 60 * 60 * 1000
export const LINK_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds for which a mailed link to a new password is valid, and after which a request for one has expired. */
export const MAILED_LINK_MS = 60 * 60 * 1000
export const RESET_KEPT_MS = 60 * 60 * 1000
/** Requests for such a link from one network in `FAILURES_MS`, and mails to one address; invitations that an organization mails, and that are mailed to one address. */
export const RESETS_OF_NETWORK = 10
export const RESETS_OF_ADDRESS = 3
export const MAILED_INVITATIONS = 50
export const INVITATIONS_OF_ADDRESS = 3
