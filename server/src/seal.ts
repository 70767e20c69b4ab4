// Seals what must not be readable in the database or its backups: AES-256-GCM (NIST SP 800-38D) under a key that is
// kept outside of it.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type Seal, sealedPrefix } from './core/idempotency-claim.ts'
import type { Reseal } from './engine/reseal.ts'

const ivBytes = 12
const tagBytes = 16

/**
 * Makes the seal of secret keys of at least 32 characters: the first one seals, all of them open. A sealed text opens
 * only in the context that it was sealed in.
 */
export function sealOf(secretKeys: readonly string[]): Seal {
  const keys = secretKeys.map((secretKey) => derived(secretKey, 'cashwrap seal'))
  return {
    close: (text, context) => close(text, context, keys[0] as Buffer),
    open(sealed, context) {
      for (const key of keys.slice(0, -1))
        try {
          return open(sealed, context, key)
        } catch {
          // Another key may have sealed it.
        }
      return open(sealed, context, keys.at(-1) as Buffer)
    },
  }
}

function close(text: string, context: string, key: Buffer): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${sealedPrefix}${Buffer.concat([iv, cipher.getAuthTag(), closed]).toString('base64url')}`
}

function open(sealed: string, context: string, key: Buffer): string {
  const bytes = Buffer.from(sealed.slice(sealedPrefix.length), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

/** Makes the function that reseals texts with the first key. */
export function resealing(secretKeys: readonly string[]): Reseal {
  const [first, ...others] = secretKeys
  const now = sealOf([first as string])
  const before = sealOf(others)
  const opened = (seal: Seal, sealed: string, context: string) => {
    try {
      return seal.open(sealed, context)
    } catch {
      return undefined
    }
  }
  return (sealed, context) => {
    if (opened(now, sealed, context) !== undefined) return undefined
    const text = opened(before, sealed, context)
    return text === undefined ? undefined : now.close(text, context)
  }
}

/** A mark that shows whether two processes have the same secret key, and reveals nothing of it. */
export const markOf = (secretKey: string): string => derived(secretKey, 'cashwrap mark').toString('base64url')

const derived = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
