// The verifier that PostgreSQL keeps of a password: made here, so that the password itself is in no statement and no log.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** PostgreSQL's own number of rounds. */
const ROUNDS = 4_096

/** A SCRAM-SHA-256 verifier (RFC 5803) of a password of ASCII. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest()
  const [salt64, stored64, server64] = [salt, storedKey, keyOf('Server Key')].map((bytes) => bytes.toString('base64'))
  return `SCRAM-SHA-256$${ROUNDS}:${salt64}$${stored64}:${server64}`
}
