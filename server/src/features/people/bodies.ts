// What the routes of people have in common: what they work with, members of their bodies and responses, and how the reference shows them.

import type { Logger } from 'pino'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { isId } from '../../core/ids.ts'
import { boolean, type JsonSchema, listOf, object, shapeDescription, string } from '../../core/json-schema.ts'
import { bodyError, invalid, notFound } from '../../core/problem.ts'
import { roles } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { email, type Field, text, visibleName } from '../../engine/field.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { OpenIdProvider } from '../openid/provider.ts'

/** Bytes of a body that may be sent without a key: an address, a password and a token. */
const PUBLIC_BODY_BYTES = 16 * 1024

/** What the routes of people work with. */
export interface People {
  readonly database: Database
  /** Seals the secrets of second factors, and tokens that have no row. */
  readonly seal: Seal
  readonly outbox: Outbox
  readonly provider: OpenIdProvider
  /** Requests that hash a password wait here for their turn. */
  readonly passwords: FairSemaphore
  /** Shows who changes what is required of sign-ins. */
  readonly log: Logger | undefined
}

/** Handles requests that hash a password: few at once in a process, and the others wait in queues by network. */
export const hashing =
  (people: People, handle: (people: People, call: Call) => Promise<Answer>) =>
  (call: Call): Promise<Answer> =>
    people.passwords({ tenant: call.network(), isGone: call.isGone }, () => handle(people, call))

/** The id in a path. Throws `not_found` for one that is none. */
export function idIn({ params }: Call, what: string): string {
  const id = params.id as string
  if (!isId(id)) throw notFound(what, id)
  return id
}

/** The name of a person. */
export const personName = (): Field<string> => visibleName({ description: 'The name of the person.' })

/** The address a user signs in with. */
export const personEmail = (): Field<string> => email({ description: 'The address the person signs in with.' })

/** A typed password; `requireStrong` checks whether a new one is acceptable. */
export const typedPassword = (description: string): Field<string> => text({ max: 1_000, description })

/** The password with which signed-in people confirm a change of how they sign in. */
export const currentPassword = typedPassword(
  'The password that the user signs in with. Ignored for an account without one.',
)

/** The code of a second factor, as typed. */
export const typedCode = (
  description = 'If the account has a second factor: the six digits of the authenticator app, or a recovery code. Each is accepted once.',
): Field<string> => text({ max: 100, description })

/** What a link has after `#token=`, and an example of it. */
export const linkToken = (description = 'The part of the link after `#token=`.') => text({ max: 100, description })
export const exampleToken = 'b3J8sQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd7Lm8No9P'

/** The token of an identity that the OpenID provider has proven. */
export const identityToken = text({ max: 8_000, description: 'The `token` of the identity.' })

/** A 400 that names a password, and never shows it. */
export const wrongPassword = (pointer: string, code: string, message: string) =>
  invalid([bodyError(pointer, code, message)])

/** The chapter of the console's own routes. */
export const consoleTag = 'Console'

/** What the routes of signed-in people have in common, and those that take a body. */
export const ownRoute = { surface: 'person', tag: consoleTag } as const satisfies Partial<Route>
export const ownPost = { ...ownRoute, method: 'POST', bodyBytes: PUBLIC_BODY_BYTES } as const satisfies Partial<Route>

/** What the public routes have in common to which the pages of the console post: they are signed in by what they send. */
export const publicPost = { ...ownPost, surface: 'public', isForOwnPages: true } as const satisfies Partial<Route>

export const consoleChapter = {
  [consoleTag]:
    'People who sign in with e-mail address and password instead of a key. The cookie that a sign-in sets gives access to every other chapter too. The guide is docs/guides/people.md.',
}

/** What each role can do. */
export const roleMeaning = 'A viewer reads, an admin does everything except change members, an owner does everything.'
export const role: JsonSchema = { type: 'string', enum: roles, description: roleMeaning }

/** Members of a company that a user can open. */
export const companyMembers = {
  id: string('Identifies the company: send it as `x-company-id`.', '6740a1f2c3d4e5f6a7b8c900'),
  name: string('Display name of the company.', 'Corner Shop'),
  role,
  organizationId: string('The organization that onboarded the company.', '6740a1f2c3d4e5f6a7b8c901'),
  organizationName: string('What people call that organization.'),
  status: string('`active` or `suspended`.', 'active'),
  currency: string('ISO 4217 code of its amounts.'),
  timezone: string('IANA name of its time zone; absent if it has none.'),
  country: string('ISO 3166-1 alpha-2 code; absent if it has none.'),
}

/** The response with all entries of a short list, and how a route documents it: `each` says what an entry is. */
export const listReplies = (title: string, entry: JsonSchema, example: unknown, [all, each]: [string, string]) => ({
  200: {
    description: all,
    schema: object(title, { data: { ...listOf(entry), description: each } }),
    example: { data: [example] },
  },
})

/** Headers of a public response that no cache may keep, such as that of a sign-in. */
export const unstored = { 'cache-control': 'no-store' }

const user = object(
  'User',
  {
    id: string('Identifies the user, in all companies.'),
    email: string('The address that the user signs in with.'),
    name: string('What other people see; absent if the user has set none.'),
    hasPassword: boolean(
      'Whether the account has a password; without one it signs in with a passkey or at the OpenID provider.',
    ),
  },
  ['id', 'email', 'hasPassword'],
)
export const userSchema: JsonSchema = { ...user, [shapeDescription]: 'A person who can sign in.' }
export const userExample = {
  id: '6740a1f2c3d4e5f6a7b8c9e1',
  email: 'ann@example.com',
  name: 'Ann Archer',
  hasPassword: true,
}

/** The response of a sign-in. */
export const signedIn = {
  user: { ...userSchema, description: 'Who is signed in.' },
  csrfToken: string('Send it as `x-csrf-token` with each write of this sign-in.'),
  signInId: string('Identifies this sign-in in the list of sign-ins.'),
}
export const signedInExample = {
  user: userExample,
  csrfToken: 'Zq0J3c2n8m1T5r7u9w4y6A8B0D2F4H6J8L0N2P4R6T8',
  signInId: '6740a1f2c3d4e5f6a7b8c9e2',
}
export const signedInReplies = {
  200: {
    description: 'Who is signed in.',
    schema: object('SignedIn', signedIn),
    example: signedInExample,
    headers: {
      'Set-Cookie': 'Two cookies: one for the sign-in, one that recognizes the browser. Scripts cannot read them.',
    },
  },
}
