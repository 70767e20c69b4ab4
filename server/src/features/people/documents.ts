// What the console's routes answer, as the reference shows it.

import type { JsonSchema } from '../../core/json-schema.ts'
import { roles } from '../../core/scope.ts'

/** The chapter of the console's own routes. */
export const title = 'Console'
export const consoleChapter = {
  [title]:
    'People who sign in with e-mail and password, in place of a key: by the cookie that a sign-in sets they reach every other chapter too. The guide is docs/guides/people.md.',
}

export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const string: JsonSchema = { type: 'string' }
export const role: JsonSchema = {
  type: 'string',
  enum: roles,
  description: 'A viewer reads, an admin does all but change members, an owner does all.',
}

/** An object of which `needed` are there always. */
export const object = (
  title: string | undefined,
  properties: Readonly<Record<string, JsonSchema>>,
  needed: readonly string[] = Object.keys(properties),
): JsonSchema => ({ ...(title !== undefined && { title }), type: 'object', properties, required: needed })

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** What a write answers that has nothing else to tell. */
export const doneSchema = object('Done', { statusCode: { const: 200 }, message: string })
export const done = (message: string) => ({ statusCode: 200, message })

export const userSchema = object(undefined, { id: string, email: string, name: string }, ['id', 'email'])
export const userExample = { id: '6740a1f2c3d4e5f6a7b8c9e1', email: 'ann@example.com', name: 'Ann Archer' }

/** What a sign-in answers. */
export const signedIn = {
  user: userSchema,
  csrfToken: { ...string, description: 'To be sent as `x-csrf-token` with each write by this sign-in.' },
  signInId: string,
}
export const signedInExample = {
  user: userExample,
  csrfToken: 'Zq0J3c2n8m1T5r7u9w4y6A8B0D2F4H6J8L0N2P4R6T8',
  signInId: '6740a1f2c3d4e5f6a7b8c9e2',
}
