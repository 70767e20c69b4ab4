// The routes that sign a person in with a passkey, in place of password and code.

import type { Seal } from '../../core/idempotency-claim.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { publicPost, signedInReplies, unstored } from './bodies.ts'
import { passkeyTried, trying } from './login-throttle.ts'
import { exampleResponse, optionsReply, response, token } from './passkey-routes.ts'
import { credentialIdIn, signInOptions, siteOf, verifySignIn } from './passkeys.ts'
import { answerSignedIn } from './sign-ins.ts'
import { newChallenge, openChallenge, spendChallenge } from './tokens.ts'
import { userById } from './users.ts'

const assertion = body(
  'PasskeySignIn',
  { token, response: response('`AuthenticationResponse`') },
  {},
  { token: 'cws1_q83v', response: exampleResponse },
)

const signInPath = '/v1/console/passkey-sign-in'

async function signInWithPasskey(database: Database, seal: Seal, call: Call): Promise<Answer> {
  const { token, response } = assertion.read(call.body)
  const site = siteOf(call.visit().origin)
  return trying(database, passkeyTried(credentialIdIn(response) ?? '', call), () => {
    const opened = openChallenge(seal, 'sign-in', token)
    const wrongToken = () =>
      new Problem('invalid_passkey', 'This passkey request has expired or was already used. Start again.')
    if (opened === undefined) throw wrongToken()
    return retriedTransaction(database, async (transaction) => {
      if (!(await spendChallenge(transaction, opened))) throw wrongToken()
      const userId = await verifySignIn(transaction, { site, challenge: opened.challenge, response })
      const user = await userById(transaction, userId, true)
      if (user === undefined) throw new Problem('invalid_passkey', 'The passkey’s account was deleted.')
      return answerSignedIn(transaction, user, call, true)
    })
  })
}

/** The routes; both are public. */
export const passkeySignInRoutes = (database: Database, seal: Seal): Route[] => [
  {
    ...publicPost,
    path: `${signInPath}/options`,
    operationId: 'beginPasskeySignIn',
    summary: 'Begin signing in with a passkey',
    description: 'Names no account: the browser offers the passkeys that it has for this host name.',
    replies: { 200: optionsReply('extensions') },
    problems: ['permission_denied', 'conflict'],
    handle: async (call) => {
      const site = siteOf(call.visit().origin)
      const { challenge, token } = newChallenge(seal, 'sign-in')
      return { ...json({ options: await signInOptions(site, challenge), token }), headers: unstored }
    },
  },
  {
    ...publicPost,
    path: signInPath,
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'Replaces password and code, since the device has checked its user. Sets the cookies of a sign-in. A response is accepted once; a wrong one gets 401 `invalid_passkey`, and counts like a wrong password, for its passkey and the network.',
    body: assertion.document,
    replies: signedInReplies,
    problems: ['invalid_passkey', 'permission_denied', 'rate_limited', 'conflict'],
    handle: (call) => signInWithPasskey(database, seal, call),
  },
]
