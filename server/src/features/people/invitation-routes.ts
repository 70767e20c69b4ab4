// An invitation accepted: by an account that the person has, or by one that is made with the link.
import type { Database } from '../../database/connect.ts'
import { text } from '../../engine/field.ts'
import { within } from '../../engine/settle.ts'
import { bodyError, invalid } from '../../http/problem.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { PUBLIC_BODY_BYTES } from '../../limits.ts'
import { lastingUser } from './acting.ts'
import { addressOf } from './address.ts'
import { body, wrongPassword } from './body.ts'
import { listOf, object, role, string, title } from './documents.ts'
import { countChoice, forget, forgiveChoice } from './failures.ts'
import { type Invitation, joinBy, placesOf, spendInvitation } from './invitations.ts'
import { hashPassword, refusalOf } from './passwords.ts'
import { answerSignedIn, personOf } from './sign-in-routes.ts'
import { createUser, isTaken } from './users.ts'

const exampleToken = 'b3J8sQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd7Lm8No9P'
const accepted = body(
  'InvitationAccepted',
  { token: text({ max: 100, description: 'What stands behind `#token=` in the link.' }) },
  {},
  { token: exampleToken },
)

/** What the look at an invitation's link shows besides what other links do. */
export const invitationShown = {
  role: { ...role, description: 'Of an invitation: the role that the account gets.' },
  companyName: { ...string, description: 'Of an invitation to one company.' },
  companies: { ...listOf(string), description: 'Of an invitation: the companies that open by name, twenty at most.' },
  companyCount: { type: 'integer', description: 'Of an invitation: how many companies open.' },
  invitedBy: {
    ...object(undefined, { email: string, name: string }, ['email']),
    description: 'Of an invitation: the owner who made the link.',
  },
}

/** What an invitation is for, for the person who holds its link. */
export async function invitationOf(database: Database, invitation: Invitation) {
  const { email, name, expiresAt, role, invitedBy } = invitation
  const { id: _, ...inviter } = invitedBy
  return {
    ...{ kind: 'invitation', email, name, expiresAt, role, invitedBy: inviter },
    ...(await placesOf(database, invitation)),
  }
}

/** What the person chose for an account. */
interface Chosen {
  readonly token: string
  readonly password: string
  readonly email?: string | undefined
  readonly name?: string | undefined
}

/** Makes an account with an invitation, signs in, and makes it the member. Throws 400 for an address that has an account, and 429 after ten. */
export async function makeAccount(
  database: Database,
  call: Call,
  { token, password, ...chosen }: Chosen,
  invitation: Invitation,
): Promise<Answer> {
  const email = chosen.email ?? invitation.email
  const name = chosen.name ?? invitation.name
  const refusal = refusalOf(password, [email, name])
  if (refusal !== undefined) throw wrongPassword('/password', 'weak', refusal)
  // The answer tells whether the address has an account, so it is limited as wrong passwords are.
  const choice = { by: invitation.place.organizationId, network: call.network() }
  await countChoice(database, choice)
  const answer = await hashPassword(password)
    .then((passwordHash) =>
      within(database, undefined, async (transaction) => {
        const spent = await spendInvitation(transaction, token)
        const user = await createUser(transaction, { id: spent.userId, email, name, passwordHash })
        await joinBy(transaction, spent, user)
        return answerSignedIn(transaction, user, call)
      }),
    )
    .catch(async (error) => {
      if (isTaken(error)) throw takenForNew()
      await forgiveChoice(database, choice)
      throw error
    })
  await forgiveChoice(database, choice)
  await forget(database, addressOf(email))
  return answer
}

const takenForNew = () =>
  invalid([
    bodyError(
      '/email',
      'taken',
      'cannot be used for a new account. If it is yours, sign in to accept the invitation; otherwise choose another address',
    ),
  ])

/** The route by which a person who is signed in accepts. */
export function invitationRoutes(database: Database): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/console/link/accept',
      surface: 'person',
      tag: title,
      bodyBytes: PUBLIC_BODY_BYTES,
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Makes the account that is signed in the member, whatever address the invitation has. A link is used once; of two at once one uses it. An account that is a member already is answered 409, and the link stays good.',
      body: accepted.document,
      replies: {
        200: {
          description: 'What opens now.',
          schema: object(
            'AcceptedInvitation',
            {
              id: { ...string, description: 'Of the member.' },
              role,
              companyId: { ...string, description: 'Of an invitation to one company.' },
              organizationId: string,
            },
            ['id', 'role', 'organizationId'],
          ),
          example: {
            id: '6740a1f2c3d4e5f6a7b8c9e3',
            role: 'admin',
            companyId: '6740a1f2c3d4e5f6a7b8c900',
            organizationId: '6740a1f2c3d4e5f6a7b8c901',
          },
        },
      },
      problems: ['invalid_link', 'conflict'],
      handle: async (call) => {
        const { token } = accepted.read(call.body)
        return within(database, undefined, async (transaction) => {
          const invitation = await spendInvitation(transaction, token)
          const user = await lastingUser(transaction, personOf(call))
          await joinBy(transaction, invitation, user)
          const { id, role, place } = invitation
          return { status: 200, body: JSON.stringify({ id, role, ...place }) }
        })
      },
    },
  ]
}
