// Seals what must not be readable in the database or its backups: AES-256-GCM (NIST SP 800-38D) under a key that is kept outside of it.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type Seal, sealedPrefix } from './http/idempotency.ts'

const ivBytes = 12
const tagBytes = 16

/** Makes the seal of a secret of at least 32 characters. A sealed text opens only in the context that it was closed in. */
export function sealOf(secret: string): Seal {
  const key = derived(secret, 'cashwrap seal')
  return {
    close(text, context) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${sealedPrefix}${Buffer.concat([iv, cipher.getAuthTag(), closed]).toString('base64url')}`
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(sealedPrefix.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** Tells whether two processes have the same secret, and nothing of it. */
export const markOf = (secret: string): string => derived(secret, 'cashwrap mark').toString('base64url')

const derived = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
