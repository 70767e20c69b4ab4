// Why a call got no response, each in one plain sentence: the log shows it to the operator of the receiver.
import { refusalOf } from './target.ts'

/** For a response with a status whose text did not end. */
export const brokenAnswer = 'The response body was cut off or did not end in time; its status counts.'

const incomplete = "The receiver's certificate is from an authority that is not trusted, or its chain is incomplete."
const dropped = 'The receiver closed the connection before it answered.'
const selfSigned = "The receiver's certificate is self-signed."
const away = 'There is no network route to the receiver.'

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: dropped,
  EPIPE: dropped,
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  EADDRNOTAVAIL: away,
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  CERT_REVOKED: "The receiver's certificate was revoked.",
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: incomplete,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incomplete,
  UNABLE_TO_GET_ISSUER_CERT: incomplete,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incomplete,
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another name.",
  HPE_HEADER_OVERFLOW: 'The response headers are too long.',
}

/** How looking up a name failed. */
const lookups: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist',
  ENODATA: 'has no address',
  ETIMEOUT: 'could not be resolved in time',
  EAI_AGAIN: 'could not be resolved in time',
  ESERVFAIL: 'cannot be resolved at the moment',
  EREFUSED: 'cannot be resolved at the moment',
  EBADNAME: 'is not a name that can be resolved',
}

/** The sentence. It leaves out everything of an error except its code, since that may contain anything. */
export function reasonOf(error: unknown, url: string): string {
  const refusal = refusalOf(error)
  if (refusal !== undefined) return `The URL ${refusal}.`
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const ofName = lookups[code]
  if (ofName !== undefined || syscall?.startsWith('query') || syscall === 'getaddrinfo')
    return `The name ${new URL(url).hostname} ${ofName ?? 'cannot be resolved at the moment'}.`
  if (sentences[code] !== undefined) return sentences[code]
  if (code.startsWith('HPE_')) return 'The response is not HTTP.'
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'The receiver does not support a usable version of TLS.'
  return code === '' ? 'The call failed.' : `The call failed (${code}).`
}
