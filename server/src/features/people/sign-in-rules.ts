// What a company or an organization requires of the sign-ins of its people: owners switch a required second factor on and off.

import { boolean, object } from '../../core/json-schema.ts'
import { conflict } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { flag } from '../../engine/field.ts'
import { type Call, ok, type Route } from '../../http/route.ts'
import type { People } from './bodies.ts'
import { actingPlace, type MemberPlace } from './memberships.ts'
import { personOf } from './sign-ins.ts'

const required = flag({
  description:
    'Whether people need a second factor here: a passkey, or a code besides the password. An organization requires it in all of its companies; its own people need one in the organization as soon as one of its companies requires it.',
})
const rules = body(
  'SignInRulesUpdate',
  { requiresSecondFactor: required },
  // A record that was read is a valid body.
  { isRequiredByOrganization: flag({ description: 'Read only: a value that is sent is ignored.' }) },
  { requiresSecondFactor: true },
)

const schema = object('SignInRules', {
  requiresSecondFactor: required.schema,
  isRequiredByOrganization: boolean(
    'Whether the company’s organization requires it; then it is required whatever the company says. For an organization, the same as `requiresSecondFactor`.',
  ),
})
const example = { requiresSecondFactor: true, isRequiredByOrganization: false }

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
  ...routesOf(people, { surface: 'company', path: '/v1/sign-in-rules', of: 'the company', type: 'SignInRules' }),
  ...routesOf(people, {
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

const routesOf = (people: People, { of, type, ...at }: RulesOf): Route[] => {
  const common = { ...at, tag: 'Members', semaphore: 'none' } as const satisfies Partial<Route>
  const replies = { 200: { description: 'The rules.', schema, example } }
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
