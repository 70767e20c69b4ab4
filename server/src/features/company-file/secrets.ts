// Carries the secrets of a company's triggers in its file, encrypted under a passphrase: the key that seals them in a database does not leave its server.
import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Seal } from '../../core/idempotency-claim.ts'
import { OperatorError } from '../../core/operator-error.ts'
import type { Queryable } from '../../database/connect.ts'
import { openTriggerSecret, storeTriggerSecrets } from '../webhooks/trigger-secrets.ts'

/** What opens secrets: the passphrase of the file, and the seal of this server's database. */
export interface Keyring {
  readonly passphrase: string
  readonly seal: Seal
}

/** The secrets in a manifest: JSON under AES-256-GCM, with a key that scrypt makes of the passphrase. Bytes are base64. */
export interface EncryptedSecrets {
  readonly kdf: 'scrypt'
  readonly N: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly cipher: 'aes-256-gcm'
  readonly iv: string
  readonly tag: string
  readonly text: string
}

/** What a manifest has of them. */
interface WithSecrets {
  readonly company: { readonly id: string }
  readonly secrets?: EncryptedSecrets
}

/** A trigger's secret, and its record, which is switched off in the file. */
interface TriggerSecret {
  readonly id: string
  readonly secret: string
  readonly body: string
}

/** What OWASP advises for scrypt: 128 MB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
/** Memory for the parameters of a file: twice our own; a file that asks for more is refused. */
const MEMORY_MOST = 2 * 128 * COST.N * COST.r

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** The key of a passphrase. It does not depend on how the passphrase's characters are composed in Unicode. */
const keyOf = (passphrase: string, salt: Buffer, { N, r, p }: typeof COST): Promise<Buffer> =>
  derive(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: MEMORY_MOST })

/** Encrypted for one company: in the file of another they cannot be opened. */
const contextOf = (companyId: string): Buffer => Buffer.from(`cashwrap company ${companyId}`)

/** Reads the secrets of a company's triggers. Throws OperatorError if one cannot be opened. */
async function readSecrets(snapshot: Queryable, companyId: string, seal: Seal): Promise<TriggerSecret[]> {
  const rows = await snapshot.query(
    'select id, secret, body::text from automation_triggers where company_id = $1 and secret is not null order by id',
    [companyId],
  )
  return rows.map(([id, sealed, body]) => {
    try {
      return { id, secret: openTriggerSecret(seal, companyId, id, sealed), body }
    } catch {
      throw new OperatorError(
        `The secret of the automation trigger ${id} is encrypted with another secret key than this server's. Set its apiKey again, or export without a passphrase.`,
      )
    }
  })
}

/** Encrypts the secrets of a company's triggers for its manifest; undefined if it has none. Throws OperatorError. */
export async function encryptSecrets(
  snapshot: Queryable,
  companyId: string,
  { passphrase, seal }: Keyring,
): Promise<EncryptedSecrets | undefined> {
  const secrets = await readSecrets(snapshot, companyId, seal)
  if (secrets.length === 0) return undefined
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt, COST), iv).setAAD(contextOf(companyId))
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  return {
    kdf: 'scrypt',
    ...COST,
    salt: base64(salt),
    cipher: 'aes-256-gcm',
    iv: base64(iv),
    tag: base64(cipher.getAuthTag()),
    text: base64(text),
  }
}

/** Decrypts the secrets of a manifest; none if it has none. Throws OperatorError if the passphrase is another. */
export async function decryptSecrets({ company, secrets }: WithSecrets, passphrase: string): Promise<TriggerSecret[]> {
  if (secrets === undefined) return []
  const bytes = (text: string) => Buffer.from(text, 'base64')
  try {
    const key = await keyOf(passphrase, bytes(secrets.salt), secrets)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(secrets.iv), { authTagLength: 16 })
      .setAAD(contextOf(company.id))
      .setAuthTag(bytes(secrets.tag))
    return JSON.parse(Buffer.concat([decipher.update(bytes(secrets.text)), decipher.final()]).toString())
  } catch {
    throw new OperatorError('The passphrase is not the one that the file was exported with. Nothing was imported.')
  }
}

/** Gives triggers that were just imported their secrets, sealed for this server, and switches on those that were on. */
export async function restoreSecrets(
  transaction: Queryable,
  { companyId, seal, secrets }: { companyId: string; seal: Seal; secrets: readonly TriggerSecret[] },
): Promise<void> {
  if (secrets.length === 0) return
  // A trigger that already has a secret got it here.
  const rows = await transaction.query(
    `update automation_triggers as stored set body = item.body
     from unnest($2::text[], $3::json[]) as item(id, body)
     where stored.company_id = $1 and stored.id = item.id and stored.secret is null returning stored.id`,
    [companyId, secrets.map(({ id }) => id), secrets.map(({ body }) => body)],
  )
  const written = new Set(rows.map(([id]) => id))
  const own = secrets.filter(({ id }) => written.has(id)).map(({ id, secret }) => ({ companyId, id, secret }))
  await storeTriggerSecrets(transaction, seal, own)
}
