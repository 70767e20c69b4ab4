// What people may change of their own account, and the browsers in which they are signed in.

import { boolean, listOf, object, string, time } from '../../core/json-schema.ts'
import { bodyError, invalid, notFound } from '../../core/problem.ts'
import { isUniqueFault, type Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import {
  hashing,
  idIn,
  ownPost,
  ownRoute,
  type People,
  personEmail,
  personName,
  typedPassword,
  userExample,
  userSchema,
} from './bodies.ts'
import { dropLinks, dropOwnLinks } from './links.ts'
import { choosing } from './login-throttle.ts'
import { endSignIn, isLasting, ownUser, personOf, signOutAll } from './sign-ins.ts'
import { changeUser, hashPassword, requireStrong, shownUser, takenAddress, type User } from './users.ts'
import { checkCurrentPassword, holdSignedIn, holdToChangeFactors } from './ways-in.ts'

const change = body(
  'UserChange',
  {},
  {
    name: personName(),
    email: personEmail(),
    password: typedPassword('The new password: 10 to 200 characters.'),
    currentPassword: typedPassword(
      'Required for a new e-mail address or password, unless the account has no password.',
    ),
  },
  { name: 'Ann Archer' },
  ['name'],
)

/** The routes. */
export const userRoutes = (people: People): Route[] =>
  [changeRoute, listRoute, endOthersRoute, endOneRoute].map((route) => route(people))

async function changeOwnUser({ database }: People, call: Call): Promise<Answer> {
  const { id, signInId } = personOf(call)
  const { name, email, password, currentPassword } = change.read(call.body)
  const cleared = change.cleared(call.body)
  const clearsName = cleared.includes('name')
  const stays = cleared.find((member) => member === 'email' || member === 'password')
  if (stays !== undefined) throw invalid([bodyError(`/${stays}`, 'required', 'cannot be cleared')])
  const before = await ownUser(database, call)
  const isSensitive = email !== undefined || password !== undefined
  if (isSensitive && currentPassword === undefined && before.passwordHash !== undefined)
    throw invalid([bodyError('/currentPassword', 'required', 'is required to change the e-mail address or password')])
  if (isSensitive) await checkCurrentPassword(database, call, before, currentPassword)
  if (password) requireStrong(password, [email ?? before.email, name ?? before.name])
  const passwordHash = password && (await hashPassword(password))
  const write = async (transaction: Queryable) => {
    const user = await (isSensitive ? holdToChangeFactors(transaction, call, before) : holdSignedIn(transaction, call))
    const wanted = { ...user, ...(email && { email }), ...(name && { name }), ...(passwordHash && { passwordHash }) }
    const { name: _, ...nameless } = wanted
    const after: User = clearsName ? nameless : wanted
    await changeUser(transaction, after).catch((error) => {
      throw isUniqueFault(error) ? takenAddress() : error
    })
    if (passwordHash) {
      await signOutAll(transaction, id, signInId)
      await dropLinks(transaction, id)
    }
    if (email !== undefined) await dropOwnLinks(transaction, id)
    return json(shownUser(after))
  }
  const written = () => retriedTransaction(database, write)
  return email === undefined ? written() : choosing(database, { by: id, network: call.network() }, written)
}

const signIns = { ...ownRoute, path: '/v1/console/sign-ins' } as const satisfies Partial<Route>
const ended = (message: string) => doneReplies('The sign-ins were ended.', message)
const oneEnded = 'The sign-in was ended.'
const othersEnded = 'All your other sign-ins were ended.'

const changeRoute = (people: People): Route => ({
  ...ownPost,
  method: 'PATCH',
  path: '/v1/console/user',
  semaphore: 'none',
  operationId: 'changeOwnUser',
  summary: 'Change your own name, e-mail address or password',
  description:
    'To change the address or the password, send the current password in `currentPassword`; for an account without a password, the sign-in must be at most ten minutes old. A wrong password counts as a failed sign-in. A new password ends all other sign-ins, and the links that the person has given to others. A new address ends links for setting the person’s password, since they may be in the mailbox of the old address. Both changes get 403 if a company or organization requires a second factor and the person has a passkey but signed in without it.',
  body: change.document,
  replies: { 200: { description: 'The user.', schema: userSchema, example: userExample } },
  problems: ['conflict', 'second_factor_missing'],
  handle: hashing(people, changeOwnUser),
})

const listRoute = ({ database }: People): Route => ({
  ...signIns,
  method: 'GET',
  operationId: 'listSignIns',
  summary: 'List your sign-ins',
  replies: {
    200: {
      description: 'The browsers, most recently seen first.',
      schema: object('SignIns', {
        data: {
          description: 'One entry for each browser in which you are signed in.',
          ...listOf(
            object('OpenSignIn', {
              id: string('Identifies the sign-in, to end it.'),
              createdAt: time('When you signed in.'),
              lastSeenAt: time('When it was last used, to within a minute.'),
              userAgent: string('The name that the browser sent.'),
              address: string('The address that the sign-in came from.'),
              isCurrent: boolean('Whether it is the one that sent this request.'),
            }),
          ),
        },
      }),
      example: {
        data: [
          {
            id: '6740a1f2c3d4e5f6a7b8c9e2',
            createdAt: '2026-11-21T09:30:00.000Z',
            lastSeenAt: '2026-11-21T09:42:00.000Z',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
            address: '203.0.113.7',
            isCurrent: true,
          },
        ],
      },
    },
  },
  handle: async (call) => {
    const { id, signInId } = personOf(call)
    const rows = await database.query(
      `select id, iso_time(created_at), iso_time(last_seen_at), user_agent, address
       from sign_ins as stored where user_id = $1 and ${isLasting} order by last_seen_at desc, id desc`,
      [id],
    )
    const data = rows.map(([id, createdAt, lastSeenAt, userAgent, address]) => ({
      id,
      createdAt,
      lastSeenAt,
      userAgent,
      address,
      isCurrent: id === signInId,
    }))
    return json({ data })
  },
})

const endOthersRoute = ({ database }: People): Route => ({
  ...signIns,
  method: 'DELETE',
  operationId: 'endOtherSignIns',
  summary: 'Sign out everywhere else',
  replies: ended(othersEnded),
  handle: async (call) => {
    const { id, signInId } = personOf(call)
    await signOutAll(database, id, signInId)
    return json(done(othersEnded))
  },
})

const endOneRoute = ({ database }: People): Route => ({
  ...signIns,
  method: 'DELETE',
  path: `${signIns.path}/{id}`,
  operationId: 'endSignIn',
  summary: 'End one of your sign-ins',
  replies: ended(oneEnded),
  problems: ['not_found'],
  handle: async (call) => {
    const id = idIn(call, 'sign-in')
    if (!(await endSignIn(database, personOf(call).id, id))) throw notFound('sign-in', id)
    return json(done(oneEnded))
  },
})
