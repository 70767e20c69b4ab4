// The responses of the console's routes, as the reference shows them.

import type { JsonSchema } from '../../core/json-schema.ts'
import { roles } from '../../core/scope.ts'

/** The chapter of the console's own routes. */
export const title = 'Console'
export const consoleChapter = {
  [title]:
    'People who sign in with e-mail address and password instead of a key. The cookie that a sign-in sets gives access to every other chapter too. The guide is docs/guides/people.md.',
}

export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const string: JsonSchema = { type: 'string' }
/** What each role can do. */
export const roleMeaning = 'A viewer reads, an admin does everything except change members, an owner does everything.'
export const role: JsonSchema = {
  type: 'string',
  enum: roles,
  description: roleMeaning,
}

/** Members of a company that a user can open. */
export const companyMembers = {
  id: { ...string, description: 'Identifies the company: send it as `x-company-id`.' },
  name: { ...string, description: 'What people call the company.' },
  role,
  organizationId: { ...string, description: 'The organization that onboarded the company.' },
  organizationName: { ...string, description: 'What people call that organization.' },
  status: { ...string, description: '`active` or `suspended`.' },
  currency: { ...string, description: 'ISO 4217 code of its amounts.' },
  timezone: { ...string, description: 'IANA name of its time zone; absent if it has none.' },
  country: { ...string, description: 'ISO 3166-1 alpha-2 code; absent if it has none.' },
}

/** An object in which `needed` are always present. */
export const object = (
  title: string | undefined,
  properties: Readonly<Record<string, JsonSchema>>,
  needed: readonly string[] = Object.keys(properties),
): JsonSchema => ({ ...(title !== undefined && { title }), type: 'object', properties, required: needed })

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** The response of a write without anything else to return. */
export const doneSchema = object('Done', {
  statusCode: { const: 200, description: 'The status of the response, 200.' },
  message: { ...string, description: 'What was done, in a sentence for people.' },
})
export const done = (message: string) => ({ statusCode: 200, message })

export const userSchema = object(
  undefined,
  {
    id: { ...string, description: 'Identifies the user, in all companies.' },
    email: { ...string, description: 'The address that the user signs in with.' },
    name: { ...string, description: 'What other people see; absent if the user has set none.' },
  },
  ['id', 'email'],
)
export const userExample = { id: '6740a1f2c3d4e5f6a7b8c9e1', email: 'ann@example.com', name: 'Ann Archer' }

/** The response of a sign-in. */
export const signedIn = {
  user: { ...userSchema, description: 'Who is signed in.' },
  csrfToken: { ...string, description: 'Send it as `x-csrf-token` with each write of this sign-in.' },
  signInId: { ...string, description: 'Identifies this sign-in in the list of sign-ins.' },
}
export const signedInExample = {
  user: userExample,
  csrfToken: 'Zq0J3c2n8m1T5r7u9w4y6A8B0D2F4H6J8L0N2P4R6T8',
  signInId: '6740a1f2c3d4e5f6a7b8c9e2',
}
