// Passkeys as stored, and how an authenticator's responses are verified: by @simplewebauthn/server, which is loaded at the first use.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { newId } from '../../core/ids.ts'
import { boolean, type JsonSchema, object, string, time } from '../../core/json-schema.ts'
import { bodyError, conflict, invalid, notFound, Problem } from '../../core/problem.ts'
import { hasRow, isUniqueFault, namedValues, type Queryable, type Row } from '../../database/connect.ts'
import type { JsonObject } from '../../engine/record.ts'
import { CHALLENGE_MS } from './links.ts'
import type { User } from './users.ts'

/** Passkeys of one user: more than anyone has devices. */
const PASSKEYS_OF_USER = 50

const library = () => import('@simplewebauthn/server')

/**
 * Kinds of keys: EdDSA, ES256 and RS256. Every authenticator has one of them. The library's newest, ML-DSA, makes Node
 * print a warning.
 */
const supportedAlgorithmIDs = [-8, -7, -257]

/** The address of the console as the browser shows it: passkeys belong to its host, and answer only there. */
interface Site {
  readonly origin: string
  readonly host: string
}

/** The site of an origin such as `https://pos.example`. Throws 409 for an IP address, which cannot have passkeys. */
export function siteOf(origin: string): Site {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url === undefined || /^[\d.]+$|^\[/.test(url.hostname))
    throw new Problem(
      'conflict',
      'Passkeys need a host name: open the console by its name, such as https://pos.example or http://localhost:8080.',
    )
  return { origin: url.origin, host: url.hostname }
}

/** A passkey as its owner sees it. */
export const passkeySchema: JsonSchema = object(
  'Passkey',
  {
    id: string('Identifies the passkey.'),
    name: string('Name that the person gave it.'),
    createdAt: time('When it was registered.'),
    lastUsedAt: time('When it last signed its person in; absent if never.'),
    isSynced: boolean('Whether a password manager copies it to further devices.'),
  },
  ['id', 'name', 'createdAt', 'isSynced'],
)
export const passkeyExample = {
  id: '6740a1f2c3d4e5f6a7b8c9e7',
  name: 'Ann’s phone',
  createdAt: '2026-11-21T09:30:00.000Z',
  lastUsedAt: '2026-11-22T08:00:00.000Z',
  isSynced: true,
}

const columns = 'stored.id, stored.name, iso_time(stored.created_at), iso_time(stored.last_used_at), stored.is_synced'
const passkeyOf = (row: Row): JsonObject => namedValues(row, ['id', 'name', 'createdAt', 'lastUsedAt', 'isSynced'])

/** A user's passkeys, oldest first. */
export async function passkeysOf(database: Queryable, userId: string): Promise<JsonObject[]> {
  const ofUser = `select ${columns} from passkeys as stored where user_id = $1 order by created_at, id`
  return (await database.query(ofUser, [userId])).map(passkeyOf)
}

/** Throws 409 for a user with too many. */
function requireRoom(passkeys: number): void {
  if (passkeys >= PASSKEYS_OF_USER)
    throw conflict('passkeys_full', `You have ${PASSKEYS_OF_USER} passkeys, the maximum. Remove one first.`)
}

/** What a browser needs to make a passkey for a user. Throws 409 if the user has too many. */
export async function registrationOptions(
  database: Queryable,
  { id, email, name }: User,
  { host }: Site,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await database.query('select credential_id, transports from passkeys where user_id = $1', [id])
  requireRoom(known.length)
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Cashwrap',
    rpID: host,
    userID: new Uint8Array(Buffer.from(id)),
    userName: email,
    userDisplayName: name ?? email,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map(([credentialId, transports]) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a browser needs to sign in with any of its passkeys for the site. */
export async function signInOptions({ host }: Site, challenge: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: host,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  })
}

/** Verifies the response of a registration and stores the passkey. Throws 400 for a wrong one, 409 for a known one. */
export async function addPasskey(
  transaction: Queryable,
  userId: string,
  { site, challenge, response, name }: { site: Site; challenge: string; response: unknown; name: string },
): Promise<JsonObject> {
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch(() => undefined)
  if (!verified?.verified) throw invalid([bodyError('/response', 'wrong', 'is not a valid response to these options')])
  const { credential, credentialBackedUp } = verified.registrationInfo
  const [count] = await transaction.query('select count(*)::int from passkeys where user_id = $1', [userId])
  requireRoom(count?.[0])
  const rows = await transaction
    .query(
      `with made as (
         insert into passkeys (id, user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *
       ) select ${columns} from made as stored`,
      [
        newId(),
        userId,
        credential.id,
        Buffer.from(credential.publicKey).toString('base64url'),
        credential.counter,
        (Array.isArray(credential.transports) ? credential.transports : [])
          .filter((one) => typeof one === 'string' && one.length <= 40)
          .slice(0, 10),
        credentialBackedUp,
        name,
        new Date().toISOString(),
      ],
    )
    .catch((error) => {
      throw isUniqueFault(error) ? conflict('passkey_exists', 'This passkey is already registered.') : error
    })
  return passkeyOf(rows[0] as Row)
}

/** The id of a credential in a response; undefined if it is missing or invalid. */
export function credentialIdIn(response: unknown): string | undefined {
  const id = (response as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,1400}$/.test(id) ? id : undefined
}

/**
 * Verifies the response of a sign-in, and stores the authenticator's count. Returns the id of the user. Throws 401 for
 * a wrong response, and for a count that is not higher than the last, which means that the passkey was copied.
 */
export async function verifySignIn(
  transaction: Queryable,
  { site, challenge, response }: { site: Site; challenge: string; response: unknown },
): Promise<string> {
  const wrong = () =>
    new Problem('invalid_passkey', 'The passkey is unknown, or its response is invalid. Sign in another way.')
  const [row] = await transaction.query(
    'select id, user_id, public_key, counter, transports from passkeys where credential_id = $1 for update',
    [credentialIdIn(response) ?? ''],
  )
  if (row === undefined) throw wrong()
  const [id, userId, publicKey, counter, transports] = row
  const sent = response as AuthenticationResponseJSON
  // The authenticator stores the user with the passkey; if the browser names another user, they do not belong together.
  const handle = sent.response?.userHandle
  if (handle !== undefined && handle !== null && handle !== Buffer.from(userId).toString('base64url')) throw wrong()
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: sent,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    credential: {
      id: sent.id,
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      counter: Number(counter),
      transports,
    },
  }).catch(() => undefined)
  if (!verified?.verified) throw wrong()
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  await transaction.query('update passkeys set counter = $2, is_synced = $3, last_used_at = $4 where id = $1', [
    id,
    newCounter,
    credentialBackedUp,
    new Date().toISOString(),
  ])
  return userId
}

/** Renames a user's passkey. Throws `not_found`. */
export async function renamePasskey(
  database: Queryable,
  userId: string,
  id: string,
  name: string,
): Promise<JsonObject> {
  const [row] = await database.query(
    `with renamed as (update passkeys set name = $3 where user_id = $1 and id = $2 returning *)
     select ${columns} from renamed as stored`,
    [userId, id, name],
  )
  if (row === undefined) throw notFound('passkey', id)
  return passkeyOf(row)
}

/** Removes a user's passkey. Throws `not_found`. */
export async function removePasskey(database: Queryable, userId: string, id: string): Promise<void> {
  if (!(await hasRow(database, 'delete from passkeys where user_id = $1 and id = $2 returning 1', [userId, id])))
    throw notFound('passkey', id)
}

/** Removes all passkeys of a user. Returns how many there were. */
export async function removePasskeys(transaction: Queryable, userId: string): Promise<number> {
  const removed = await transaction.query('delete from passkeys where user_id = $1 returning 1', [userId])
  return removed.length
}
