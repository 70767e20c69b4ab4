// Why a sign-in at the OpenID provider failed. If the cause is what the browser sent, it is the caller's error;
// otherwise it is the provider's, and is logged as a warning.
import type { Logger } from 'pino'
import { Problem, unavailable } from '../../core/problem.ts'

/** What openid-client throws: a TypeError of `fetch`, an error that the provider answered, or what is wrong with its answer. */
export type OpenIdFailure = Error & {
  readonly code?: string
  readonly error?: string
  readonly error_description?: string
}

/** The code of a failure: the person has not signed in again, as was asked. */
export const NOT_AGAIN = 'SIGNED_IN_BEFORE'

/**
 * Whether an answer is refused because of what the browser sent: its code, the parameters of its address, or an ID
 * token that was not made for this sign-in. Other errors are the provider's: an ID token of another client, a broken
 * signature.
 */
export function isOfCaller({ code = '', error = '', cause }: OpenIdFailure): boolean {
  const about = ((cause as Error | undefined)?.cause ?? {}) as { claim?: string; parameters?: unknown }
  return (
    error === 'invalid_grant' ||
    [NOT_AGAIN, 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'].includes(code) ||
    (code === 'OAUTH_INVALID_RESPONSE' && about.parameters !== undefined) ||
    (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' && about.claim === 'nonce')
  )
}

/** What a failure means for the caller: 401, or 503 with the reason in the log. */
export function problemOf(
  failure: OpenIdFailure,
  { label, isOfCaller }: { label: string; isOfCaller: boolean },
  log: Logger,
): Problem {
  const { code, error, error_description, message, cause } = failure
  // A used or expired code usually concerns only that person. If all codes are refused, the clocks or the redirect URI
  // differ.
  log[isOfCaller ? 'info' : 'warn'](
    { code, error, description: error_description?.slice(0, 300), reason: message, cause: textOf(cause) },
    'sign-in at the OpenID provider failed',
  )
  if (isOfCaller)
    return new Problem(
      'invalid_sso',
      `${label} has refused this sign-in, or it has expired. Go back to the sign-in page and start again.`,
    )
  return unavailable(
    `${label} cannot be reached at the moment. Sign in another way, or try again.`,
    'provider_unreachable',
  )
}

/** What lies behind a failure: an error, or the challenges with which the provider has refused the client (RFC 9110, section 11.6.1). */
function textOf(cause: unknown): string | undefined {
  if (cause instanceof Error) return cause.message
  return Array.isArray(cause) ? JSON.stringify(cause.map(({ parameters }) => parameters)).slice(0, 300) : undefined
}
