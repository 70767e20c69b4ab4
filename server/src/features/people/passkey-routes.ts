// The routes of passkeys: people register, name and remove their own, and sign in with one in place of password and code.

import { object, string } from '../../core/json-schema.ts'
import { Problem } from '../../core/problem.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import { anything, text, visibleName } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import {
  currentPassword,
  hashing,
  idIn,
  listReplies,
  ownPost,
  ownRoute,
  type People,
  publicPost,
  signedInReplies,
  typedCode,
  unstored,
} from './bodies.ts'
import { type ChallengePurpose, newChallenge, openChallenge, spendChallenge, usedToken } from './links.ts'
import { passkeyTried, trying } from './login-throttle.ts'
import {
  addPasskey,
  credentialIdIn,
  passkeyExample,
  passkeySchema,
  passkeysOf,
  registrationOptions,
  removePasskey,
  renamePasskey,
  signInOptions,
  siteOf,
  verifySignIn,
} from './passkeys.ts'
import { answerSignedIn, noteSecondFactor, personOf } from './sign-ins.ts'
import { userById } from './users.ts'
import { holdToChangeFactors, keepOneFactor, reauthenticate, requireOwnFactor, requireWayIn } from './ways-in.ts'

const token = text({ max: 1_000, description: 'The `token` that came with the options.' })
const response = (of: string) =>
  anything({ description: `The response of the browser to the options, as JSON of a ${of}.` })
const passkeyName = () => visibleName({ description: 'Name of the passkey, such as the device that has it.' })

const exampleResponse = { id: 'tN0n0hPzb4xw', rawId: 'tN0n0hPzb4xw', type: 'public-key', response: {} }
const begun = body(
  'PasskeyBeginning',
  {},
  {
    currentPassword,
    code: typedCode(
      'Required while the second factor is on: the six digits of the authenticator app, or a recovery code. Each is accepted once.',
    ),
  },
  { currentPassword: 'four words of my own' },
)
const registration = body(
  'PasskeyRegistration',
  { token, response: response('`RegistrationResponse`'), name: passkeyName() },
  {},
  { token: 'cws1_q83v', response: exampleResponse, name: 'Ann’s phone' },
)
const renaming = body('PasskeyRename', { name: passkeyName() }, {}, { name: 'Ann’s phone' })
const optionsReply = (what: string) => ({
  description: 'What the browser needs, and the token to send back.',
  schema: object('PasskeyOptions', {
    options: {
      type: 'object',
      description:
        'For `navigator.credentials`, as JSON (WebAuthn Level 3): for `parse…OptionsFromJSON` of `PublicKeyCredential`.',
    },
    token: string('Contains the encrypted challenge; valid for five minutes, and only once.'),
  }),
  example: {
    options: { challenge: 'q83v', rpId: 'pos.example', userVerification: 'required', [what]: {} },
    token: 'cws1_q83v',
  },
})

/** Challenges of a registration are for one person in one sign-in. */
const registering = (call: Call): ChallengePurpose => {
  const { id, signInId } = personOf(call)
  return `registration ${id} ${signInId}`
}

async function begin(people: People, call: Call): Promise<Answer> {
  const { database, seal } = people
  const shown = begun.read(call.body)
  const site = siteOf(call.visit().origin)
  const user = await reauthenticate(people, call, shown)
  // Before the device stores a passkey that would be refused.
  await requireOwnFactor(database, call)
  const { challenge, token } = newChallenge(seal, registering(call))
  const options = await registrationOptions(database, user, site, challenge)
  return json({ options, token })
}

async function register({ database, seal }: People, call: Call): Promise<Answer> {
  const { token, response, name } = registration.read(call.body)
  const site = siteOf(call.visit().origin)
  const opened = openChallenge(seal, registering(call), token)
  if (opened === undefined) throw usedToken()
  return retriedTransaction(database, async (transaction) => {
    const { id } = await holdToChangeFactors(transaction, call)
    if (!(await spendChallenge(transaction, opened))) throw usedToken()
    const passkey = await addPasskey(transaction, id, { site, challenge: opened.challenge, response, name })
    // The device has just checked its user.
    await noteSecondFactor(transaction, personOf(call).signInId)
    return json(passkey, 201)
  })
}

const path = '/v1/console/passkeys'

/** The routes of people who are signed in. */
const ownPasskeyRoutes = (people: People): Route[] => [
  ...existingPasskeyRoutes(people),
  {
    ...ownPost,
    path: `${path}/options`,
    semaphore: 'none',
    operationId: 'beginPasskey',
    summary: 'Begin registering a passkey',
    description:
      'Needs the password or, for an account without one, a sign-in that is at most ten minutes old; and a code if the second factor is on. Wrong ones count like those of a sign-in. A missing code is 400 with code `required` at `/code`, a wrong one 400 with code `wrong`. The passkey belongs to the host name at which the console is open; at a numeric address, the response is 409. The response is 403 in the same cases as for the registration.',
    body: begun.document,
    replies: { 200: optionsReply('authenticatorSelection') },
    problems: ['conflict', 'second_factor_missing'],
    handle: hashing(people, begin),
  },
  {
    ...ownPost,
    path,
    operationId: 'registerPasskey',
    summary: 'Register a passkey',
    description:
      'The response must be to options of the same sign-in, from the same address, and verify the user; a wrong one is 400 with code `wrong` at `/response`, an expired or used token with code `expired` at `/token`. 403 for a person who has a passkey that a company or organization requires, and has signed in without.',
    body: registration.document,
    replies: { 201: { description: 'The passkey.', schema: passkeySchema, example: passkeyExample } },
    problems: ['conflict', 'second_factor_missing'],
    handle: (call) => register(people, call),
  },
]

/** The routes of passkeys that exist. */
const existingPasskeyRoutes = ({ database }: People): Route[] => [
  {
    ...ownRoute,
    method: 'GET',
    path,
    operationId: 'listPasskeys',
    summary: 'List your passkeys',
    replies: listReplies('Passkeys', passkeySchema, passkeyExample, [
      'The passkeys, oldest first.',
      'One entry for each passkey.',
    ]),
    handle: async (call) => json({ data: await passkeysOf(database, personOf(call).id) }),
  },
  {
    ...ownPost,
    method: 'PATCH',
    path: `${path}/{id}`,
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    body: renaming.document,
    replies: { 200: { description: 'The passkey.', schema: passkeySchema, example: passkeyExample } },
    problems: ['not_found'],
    handle: async (call) => {
      const { name } = renaming.read(call.body)
      const passkey = await renamePasskey(database, personOf(call).id, idIn(call, 'passkey'), name)
      return json(passkey)
    },
  },
  {
    ...ownRoute,
    method: 'DELETE',
    path: `${path}/{id}`,
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'The passkey no longer signs anyone in. The device may still offer it; remove it there too. If a company or organization of the person requires a second factor, a sign-in without one gets 403, and the last second factor cannot be removed (409). The only way to sign in cannot be removed either (409).',
    replies: doneReplies('It is removed.', removed),
    problems: ['not_found', 'conflict', 'second_factor_missing'],
    handle: async (call) => {
      const id = idIn(call, 'passkey')
      await retriedTransaction(database, async (transaction) => {
        const { id: userId } = await holdToChangeFactors(transaction, call)
        await removePasskey(transaction, userId, id)
        await requireWayIn(transaction, userId)
        await keepOneFactor(transaction, userId)
      })
      return json(done(removed))
    },
  },
]
const removed = 'The passkey was removed.'

const assertion = body(
  'PasskeySignIn',
  { token, response: response('`AuthenticationResponse`') },
  {},
  { token: 'cws1_q83v', response: exampleResponse },
)

const signInPath = '/v1/console/passkey-sign-in'

async function signInWithPasskey({ database, seal }: People, call: Call): Promise<Answer> {
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

/** All routes; those of a sign-in are public. */
export const passkeyRoutes = (people: People): Route[] => [
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
      const { challenge, token } = newChallenge(people.seal, 'sign-in')
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
    handle: (call) => signInWithPasskey(people, call),
  },
  ...ownPasskeyRoutes(people),
]
