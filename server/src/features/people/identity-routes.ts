// The routes by which signed-in people link identities of the OpenID provider to their account, see them and unlink them.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { isId } from '../../core/ids.ts'
import { boolean, type JsonSchema, object, string, time } from '../../core/json-schema.ts'
import { notFound } from '../../core/problem.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import { text } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { currentPassword, listReplies, ownPost, ownRoute, typedCode } from './bodies.ts'
import { addIdentity, identitiesOf, removeIdentity } from './identities.ts'
import { holdToChangeFactors, reauthenticate } from './reauthentication.ts'
import { noteSecondFactor, personOf } from './sign-ins.ts'
import { absentWithoutProvider, openProven, type Sso } from './sso-tokens.ts'
import { spendChallenge, usedToken } from './tokens.ts'
import { forgetSecondFactors, keepOneFactor } from './ways-in.ts'

const linking = body(
  'IdentityLink',
  { token: text({ max: 8_000, description: 'The `token` of the identity.' }) },
  {
    currentPassword,
    code: typedCode(
      'Required while the second factor is on: the six digits of the authenticator app, or a recovery code.',
    ),
  },
  { token: 'cws1_q83v', currentPassword: 'four words of my own' },
)

const identitySchema: JsonSchema = object(
  'LinkedIdentity',
  {
    id: string('Identifies the link.'),
    issuer: string('The OpenID provider.'),
    email: string('The address that the provider gave last; absent if it gave none.'),
    isSecondFactor: boolean(
      'Whether signing in with it counts as a second factor, because the operator relies on the provider’s own.',
    ),
    createdAt: time('When it was linked.'),
    lastUsedAt: time('When it last signed its person in; absent if never.'),
  },
  ['id', 'issuer', 'isSecondFactor', 'createdAt'],
)
const example = {
  id: '6740a1f2c3d4e5f6a7b8c9e8',
  issuer: 'https://login.example.com',
  email: 'ann@example.com',
  isSecondFactor: false,
  createdAt: '2026-11-21T09:30:00.000Z',
  lastUsedAt: '2026-11-22T08:00:00.000Z',
}
const unlinkedMessage = 'The identity was unlinked.'

async function link({ database, seal, provider }: Sso, call: Call): Promise<Answer> {
  const { token, ...shown } = linking.read(call.body)
  const proven = openProven(seal, token)
  if (proven === undefined) throw usedToken()
  const user = await reauthenticate(database, seal, call, shown)
  return retriedTransaction(database, async (transaction) => {
    const { id } = await holdToChangeFactors(transaction, call, user)
    if (!(await spendChallenge(transaction, proven))) throw usedToken()
    const identity = await addIdentity(transaction, id, proven.identity, provider.isSecondFactor)
    // The provider has just asked for it.
    if (provider.isSecondFactor) await noteSecondFactor(transaction, personOf(call).signInId)
    return json(identity, 201)
  })
}

const path = '/v1/console/identities'

/** The routes; hashing waits in the semaphore `passwords`. */
export const identityRoutes = (own: Sso, passwords: FairSemaphore): Route[] => [
  {
    ...ownRoute,
    method: 'GET',
    path,
    operationId: 'listIdentities',
    summary: 'List your linked identities',
    description: absentWithoutProvider,
    replies: listReplies('LinkedIdentities', identitySchema, example, [
      'The identities, oldest first.',
      'One entry for each identity.',
    ]),
    problems: ['not_found'],
    handle: async (call) => json({ data: await identitiesOf(own.database, personOf(call).id) }),
  },
  {
    ...ownPost,
    path,
    semaphore: 'none',
    operationId: 'linkIdentity',
    summary: 'Link an identity to your account',
    description: `Needs the password, and a code if the second factor is on; wrong ones count like those of a sign-in. An account without a password needs a sign-in that is at most ten minutes old. A used or expired token gets 400 with code \`expired\` at \`/token\`; an identity that is linked to an account gets 409. ${absentWithoutProvider}`,
    body: linking.document,
    replies: { 201: { description: 'The identity.', schema: identitySchema, example } },
    problems: ['second_factor_missing', 'not_found', 'conflict'],
    handle: (call) => passwords({ tenant: call.network(), isGone: call.isGone }, () => link(own, call)),
  },
  {
    ...ownRoute,
    method: 'DELETE',
    path: `${path}/{id}`,
    operationId: 'unlinkIdentity',
    summary: 'Unlink an identity',
    description: `The identity no longer signs anyone in; sign-ins that were made with it stay. The response is 409 if it is the only way to sign in, or the last second factor and a company or organization requires one. If one is required, a sign-in without it gets 403. ${absentWithoutProvider}`,
    replies: doneReplies('It is unlinked.', unlinkedMessage),
    problems: ['not_found', 'conflict', 'second_factor_missing'],
    handle: async (call) => {
      const id = call.params.id as string
      if (!isId(id)) throw notFound('identity', id)
      await retriedTransaction(own.database, async (transaction) => {
        const { id: userId } = await holdToChangeFactors(transaction, call)
        const wasFactor = await removeIdentity(transaction, userId, id)
        await (wasFactor ? keepOneFactor : forgetSecondFactors)(transaction, userId)
      })
      return json(done(unlinkedMessage))
    },
  },
]
