// The routes by which people turn their second factor on and off: an authenticator app, and recovery codes for when it is lost.

import { boolean, listOf, object, string, time } from '../../core/json-schema.ts'
import { conflict } from '../../core/problem.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { currentPassword, hashing, ownPost, ownRoute, type People, typedCode } from './bodies.ts'
import { tryingCode } from './login-throttle.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  secondFactorOf,
  spendCode,
} from './second-factor.ts'
import { noteSecondFactor, ownUser, personOf, signOutAll } from './sign-ins.ts'
import { otpauthUri } from './totp.ts'
import { checkCurrentPassword, forgetSecondFactors, holdSignedIn, holdToChangeFactors, wrongCode } from './ways-in.ts'

const setUp = body('SecondFactorSetup', {}, { currentPassword }, { currentPassword: 'four words of my own' })
const confirmation = body(
  'SecondFactorConfirmation',
  { code: typedCode('The six digits that the authenticator app shows.') },
  {},
  { code: '492039' },
)
const turnOff = body(
  'SecondFactorTurnOff',
  { code: typedCode('The six digits of the authenticator app, or a recovery code.') },
  { currentPassword },
  { currentPassword: 'four words of my own', code: '492039' },
)

/** The routes. */
export const secondFactorRoutes = (people: People): Route[] =>
  [readRoute, setUpRoute, confirmRoute, turnOffRoute].map((route) => route(people))

async function begin({ database, seal }: People, call: Call): Promise<Answer> {
  const { currentPassword } = setUp.read(call.body)
  const user = await ownUser(database, call)
  await checkCurrentPassword(database, call, user, currentPassword)
  return retriedTransaction(database, async (transaction) => {
    const { id, email } = await holdToChangeFactors(transaction, call, user)
    const secret = await beginSecondFactor(transaction, seal, id)
    return json({ secret, uri: otpauthUri(secret, email) }, 201)
  })
}

async function confirm({ database, seal }: People, call: Call): Promise<Answer> {
  const { code } = confirmation.read(call.body)
  const user = await ownUser(database, call)
  return tryingCode(database, { ...user, code }, call, async (transaction) => {
    const { id } = await holdToChangeFactors(transaction, call)
    const recoveryCodes = await confirmSecondFactor(transaction, seal, id, code)
    if (recoveryCodes === undefined) throw wrongCode()
    // The other sign-ins were made without a second factor.
    await signOutAll(transaction, id, personOf(call).signInId)
    await noteSecondFactor(transaction, personOf(call).signInId)
    return json({ recoveryCodes })
  })
}

async function remove({ database, seal }: People, call: Call): Promise<Answer> {
  const { currentPassword, code } = turnOff.read(call.body)
  const user = await ownUser(database, call)
  await checkCurrentPassword(database, call, user, currentPassword)
  return tryingCode(database, { ...user, code }, call, async (transaction) => {
    const { id } = await holdSignedIn(transaction, call, user)
    const isRight = await spendCode(transaction, seal, id, code)
    if (isRight === undefined) throw conflict('second_factor_off', 'The second factor is not on.')
    if (!isRight) throw wrongCode()
    await removeSecondFactor(transaction, id)
    await forgetSecondFactors(transaction, id)
    return json(done(turnedOff))
  })
}
const turnedOff = 'The second factor is off.'

const common = { path: '/v1/console/second-factor', semaphore: 'none' } as const satisfies Partial<Route>

const readRoute = ({ database }: People): Route => ({
  ...ownRoute,
  ...common,
  method: 'GET',
  operationId: 'readSecondFactor',
  summary: 'See your second factor',
  replies: {
    200: {
      description: 'Whether it is on.',
      schema: object(
        'SecondFactor',
        {
          isOn: boolean('Whether a sign-in with the password requires a code.'),
          confirmedAt: time('When it was turned on; absent while it is off.'),
          recoveryCodesLeft: {
            type: 'integer',
            description: 'The number of recovery codes that were not used yet; absent while it is off.',
          },
        },
        ['isOn'],
      ),
      example: { isOn: true, confirmedAt: '2026-11-21T09:30:00.000Z', recoveryCodesLeft: 10 },
    },
  },
  handle: async (call) => {
    const found = await secondFactorOf(database, personOf(call).id)
    return json({ isOn: found !== undefined, ...found })
  },
})

const setUpRoute = (people: People): Route => ({
  ...ownPost,
  ...common,
  operationId: 'setUpSecondFactor',
  summary: 'Set up a second factor',
  description:
    'Makes a secret for an authenticator app (TOTP, RFC 6238), which is shown only now. Sign-ins do not require a code before `/v1/console/second-factor/confirm` has received one. Another setup replaces a secret that is not confirmed. The request needs the password or, for an account without one, a sign-in that is at most ten minutes old. A wrong password counts as a failed sign-in.',
  body: setUp.document,
  replies: {
    201: {
      description: 'The secret.',
      schema: object('SecondFactorSecret', {
        secret: string('The secret in base32, to type into the app.'),
        uri: string('The secret as `otpauth://` URI, which apps read from a QR code.'),
      }),
      example: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: otpauthUri('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'ann@example.com'),
      },
    },
  },
  problems: ['conflict', 'second_factor_missing'],
  hasSecret: true,
  handle: hashing(people, begin),
})

const confirmRoute = (people: People): Route => ({
  ...ownPost,
  ...common,
  path: `${common.path}/confirm`,
  operationId: 'confirmSecondFactor',
  summary: 'Turn your second factor on',
  description:
    'Takes a first code of the app, ends all your other sign-ins, and returns ten recovery codes, which are shown only now. Each replaces a code of the app once. A wrong code is 400 with code `wrong` at `/code`; after ten within 15 minutes, the answer is 429.',
  body: confirmation.document,
  replies: {
    200: {
      description: 'The recovery codes.',
      schema: object('RecoveryCodes', {
        recoveryCodes: {
          ...listOf({ type: 'string' }),
          description: 'Ten codes, each for one sign-in without the app.',
        },
      }),
      example: { recoveryCodes: ['mfrg-gzdf-mztw-q2lk', 'gezd-gnbv-gy3t-qojq'] },
    },
  },
  problems: ['conflict', 'second_factor_missing'],
  hasSecret: true,
  handle: (call) => confirm(people, call),
})

const turnOffRoute = (people: People): Route => ({
  ...ownPost,
  ...common,
  path: `${common.path}/turn-off`,
  operationId: 'turnOffSecondFactor',
  summary: 'Turn your second factor off',
  description:
    'Needs a code, and the password or, for an account without one, a sign-in that is at most ten minutes old. A wrong code is 400 with code `wrong` at `/code`; wrong passwords and codes count like those of sign-ins. For a user who has neither the app nor a recovery code, the operator runs `cashwrap user reset-second-factor`.',
  body: turnOff.document,
  replies: doneReplies('It is off.', turnedOff),
  problems: ['conflict'],
  handle: hashing(people, remove),
})
