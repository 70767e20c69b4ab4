// The routes of second factors: people turn theirs on and off, which is an authenticator app and recovery codes for when it is lost;
// owners switch on and off that a company or an organization requires one.

import { boolean, listOf, object, string, time } from '../../core/json-schema.ts'
import { conflict } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import { flag } from '../../engine/field.ts'
import { type Answer, type Call, json, ok, type Route } from '../../http/route.ts'
import { currentPassword, hashing, ownPost, ownRoute, type People, typedCode } from './bodies.ts'
import { tryingCode } from './login-throttle.ts'
import { actingPlace, type MemberPlace } from './memberships.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  otpauthUri,
  removeSecondFactor,
  secondFactorOf,
  spendCode,
} from './second-factor.ts'
import { noteSecondFactor, ownUser, personOf, signOutAll } from './sign-ins.ts'
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

const requiresFactor = flag({
  description:
    'Whether people need a second factor here: a passkey, or a code besides the password. An organization requires it in all of its companies; its own people need one in the organization as soon as one of its companies requires it.',
})
const rules = body(
  'SignInRulesUpdate',
  { requiresSecondFactor: requiresFactor },
  // A record that was read is a valid body.
  { isRequiredByOrganization: flag({ description: 'Read only: a value that is sent is ignored.' }) },
  { requiresSecondFactor: true },
)

const rulesSchema = object('SignInRules', {
  requiresSecondFactor: requiresFactor.schema,
  isRequiredByOrganization: boolean(
    'Whether the company’s organization requires it; then it is required whatever the company says. For an organization, the same as `requiresSecondFactor`.',
  ),
})
const rulesExample = { requiresSecondFactor: true, isRequiredByOrganization: false }

async function readRules(database: Queryable, { companyId, organizationId }: Partial<MemberPlace>): Promise<string> {
  const [row] = await database.query(
    companyId === undefined
      ? 'select requires_second_factor, requires_second_factor from organizations where id = $1'
      : `select company.requires_second_factor, organization.requires_second_factor from companies as company
         join organizations as organization on organization.id = company.organization_id where company.id = $1`,
    [companyId ?? organizationId],
  )
  return JSON.stringify({ requiresSecondFactor: row?.[0], isRequiredByOrganization: row?.[1] })
}

/**
 * Stores a rule, and logs who changed it. Throws 409 for an owner whose own sign-in has no second factor: the rule
 * would lock that owner out.
 */
async function changeRules({ database, log }: People, call: Call) {
  const { requiresSecondFactor } = rules.read(call.body)
  const { id: userId, signInId } = personOf(call)
  const { place, text } = await retriedTransaction(database, async (transaction) => {
    const place = await actingPlace(transaction, call.scope, 'owner')
    const [own] = await transaction.query('select has_second_factor from sign_ins where id = $1', [signInId])
    if (requiresSecondFactor && own?.[0] !== true)
      throw conflict(
        'would_lock_out',
        'You signed in without a second factor, so this would lock you out. Set one up under your profile, or sign in with your passkey, first.',
      )
    await transaction.query(
      `update ${place.companyId === undefined ? 'organizations' : 'companies'} set requires_second_factor = $2 where id = $1`,
      [place.companyId ?? place.organizationId, requiresSecondFactor],
    )
    return { place, text: await readRules(transaction, place) }
  })
  log?.info({ userId, ...place }, `required second factor switched ${requiresSecondFactor ? 'on' : 'off'}`)
  return ok(text)
}

/** The routes of both kinds of places. */
export const signInRuleRoutes = (people: People): Route[] => [
  ...ruleRoutesOf(people, { surface: 'company', path: '/v1/sign-in-rules', of: 'the company', type: 'SignInRules' }),
  ...ruleRoutesOf(people, {
    surface: 'organization',
    path: '/v1/organization-api/sign-in-rules',
    of: 'the organization',
    type: 'OrganizationSignInRules',
  }),
]

interface RulesOf extends Pick<Route, 'path'> {
  readonly surface: 'company' | 'organization'
  readonly of: string
  readonly type: string
}

const ruleRoutesOf = (people: People, { of, type, ...at }: RulesOf): Route[] => {
  const common = { ...at, tag: 'Members', semaphore: 'none' } as const satisfies Partial<Route>
  const replies = { 200: { description: 'The rules.', schema: rulesSchema, example: rulesExample } }
  return [
    {
      ...common,
      method: 'GET',
      forPeople: 'admin',
      operationId: `read${type}`,
      summary: `See what ${of} requires of sign-ins`,
      replies,
      handle: async ({ scope }) =>
        ok(
          await readRules(people.database, {
            companyId: scope.companyId || undefined,
            ...(scope.organizationId !== undefined && { organizationId: scope.organizationId }),
          }),
        ),
    },
    {
      ...common,
      method: 'PATCH',
      forPeople: 'owner',
      operationId: `update${type}`,
      summary: `Change what ${of} requires of sign-ins`,
      description:
        'Takes effect with the next request of each person. Without a second factor, requests get 403 `second_factor_missing`, on every server, until the person turns one on or signs in with a passkey. Keys are not affected. If the owner’s own sign-in has no second factor, the response is 409.',
      body: rules.document,
      replies,
      problems: ['conflict'],
      handle: (call) => changeRules(people, call),
    },
  ]
}
