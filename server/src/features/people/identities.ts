// Identities: who a person is at the OpenID provider, as stored, and the routes by which people link, see and unlink them.
// Issuer and subject identify the person; the address is only a label.

import { newId } from '../../core/ids.ts'
import { boolean, object, string, time } from '../../core/json-schema.ts'
import { conflict, notFound, type Problem } from '../../core/problem.ts'
import { hasRow, isUniqueFault, namedValues, type Queryable, type Row } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import type { JsonObject } from '../../engine/record.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import type { ProvenIdentity } from '../openid/provider.ts'
import {
  currentPassword,
  hashing,
  identityToken,
  idIn,
  listReplies,
  ownPost,
  ownRoute,
  type People,
  typedCode,
} from './bodies.ts'
import { openProven, spendChallenge, usedToken } from './links.ts'
import { noteSecondFactor, personOf } from './sign-ins.ts'
import { forgetSecondFactors, holdToChangeFactors, keepOneFactor, reauthenticate, requireWayIn } from './ways-in.ts'

/** Identities of one user: more than anyone has. */
const IDENTITIES_OF_USER = 10

const columns =
  'stored.id, stored.issuer, stored.email, stored.is_second_factor, iso_time(stored.created_at), iso_time(stored.last_used_at)'
/** An identity as its person sees it. */
const identityOf = (row: Row): JsonObject =>
  namedValues(row, ['id', 'issuer', 'email', 'isSecondFactor', 'createdAt', 'lastUsedAt'])

/** A user's identities, oldest first. */
async function identitiesOf(database: Queryable, userId: string): Promise<JsonObject[]> {
  const ofUser = `select ${columns} from identities as stored where user_id = $1 order by created_at, id`
  return (await database.query(ofUser, [userId])).map(identityOf)
}

/** The id of the user with an identity; undefined if no account has it. */
export async function userOfIdentity(
  database: Queryable,
  { issuer, subject }: ProvenIdentity,
): Promise<string | undefined> {
  const ofIdentity = 'select user_id from identities where issuer = $1 and subject = $2'
  const [row] = await database.query(ofIdentity, [issuer, subject])
  return row?.[0]
}

/** Notes the use of a user's identity. Returns whether the user still has it. */
export const noteUse = (
  transaction: Queryable,
  userId: string,
  { issuer, subject, email }: ProvenIdentity,
  isSecondFactor: boolean,
): Promise<boolean> =>
  hasRow(
    transaction,
    `update identities set last_used_at = $4, email = $5, is_second_factor = $6
     where user_id = $1 and issuer = $2 and subject = $3 returning 1`,
    [userId, issuer, subject, new Date().toISOString(), email ?? null, isSecondFactor],
  )

/** Links an identity to a user whose row is locked. Throws 409 if an account has it already, and for too many. */
export async function addIdentity(
  transaction: Queryable,
  userId: string,
  { issuer, subject, email }: ProvenIdentity,
  isSecondFactor: boolean,
): Promise<JsonObject> {
  const [count] = await transaction.query('select count(*)::int from identities where user_id = $1', [userId])
  if (count?.[0] >= IDENTITIES_OF_USER)
    throw conflict(
      'identities_full',
      `You have ${IDENTITIES_OF_USER} linked identities, the maximum. Unlink one first.`,
    )
  const [row] = await transaction
    .query(
      `with made as (
         insert into identities (id, user_id, issuer, subject, email, is_second_factor, created_at)
         values ($1, $2, $3, $4, $5, $6, $7) returning *
       ) select ${columns} from made as stored`,
      [newId(), userId, issuer, subject, email ?? null, isSecondFactor, new Date().toISOString()],
    )
    .catch((error) => {
      throw isUniqueFault(error) ? linkedAlready() : error
    })
  return identityOf(row as Row)
}

/** 409: an identity signs in one account. */
export const linkedAlready = (): Problem =>
  conflict('identity_linked', 'This identity is already linked to an account.')

/**
 * Unlinks a user's identity. Returns whether it was a second factor. Throws `not_found`, and 409 if it is the user's only way to sign
 * in.
 */
async function removeIdentity(transaction: Queryable, userId: string, id: string): Promise<boolean> {
  const [removed] = await transaction.query(
    'delete from identities where user_id = $1 and id = $2 returning is_second_factor',
    [userId, id],
  )
  if (removed === undefined) throw notFound('identity', id)
  await requireWayIn(transaction, userId)
  return removed[0]
}

/** Unlinks a user's identities that are a second factor. Returns how many there were. */
export async function removeVouchedIdentities(transaction: Queryable, userId: string): Promise<number> {
  const removed = await transaction.query(
    'delete from identities where user_id = $1 and is_second_factor returning 1',
    [userId],
  )
  return removed.length
}

/** Unlinks all identities of a user. */
export async function removeIdentities(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query('delete from identities where user_id = $1', [userId])
}

/**
 * Notes at a start which provider the operator has set up: identities of another provider sign in nobody, and count
 * neither as a way in nor as a second factor. Servers that start together change the rows in the same order.
 */
export async function noteIssuer(database: Queryable, issuer: string | undefined): Promise<void> {
  await database.query(
    `update identities as stored set is_current = not stored.is_current from (
       select id from identities where is_current <> (issuer is not distinct from $1::text) order by id for update
     ) as changed where stored.id = changed.id`,
    [issuer ?? null],
  )
}

const linking = body(
  'IdentityLink',
  { token: identityToken },
  {
    currentPassword,
    code: typedCode(
      'Required while the second factor is on: the six digits of the authenticator app, or a recovery code.',
    ),
  },
  { token: 'cws1_q83v', currentPassword: 'four words of my own' },
)

const identitySchema = object(
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

async function link(people: People, call: Call): Promise<Answer> {
  const { database, seal, provider } = people
  const { token, ...shown } = linking.read(call.body)
  const proven = openProven(seal, token)
  if (proven === undefined) throw usedToken()
  const user = await reauthenticate(people, call, shown)
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

/** What the reference says of each route of single sign-on. */
export const absentWithoutProvider = 'If the operator has set up no provider, the path is 404.'

/** The routes by which people link identities to their account, see them and unlink them. */
export const identityRoutes = (people: People): Route[] => [
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
    handle: async (call) => json({ data: await identitiesOf(people.database, personOf(call).id) }),
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
    handle: hashing(people, link),
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
      const id = idIn(call, 'identity')
      await retriedTransaction(people.database, async (transaction) => {
        const { id: userId } = await holdToChangeFactors(transaction, call)
        const wasFactor = await removeIdentity(transaction, userId, id)
        await (wasFactor ? keepOneFactor : forgetSecondFactors)(transaction, userId)
      })
      return json(done(unlinkedMessage))
    },
  },
]
