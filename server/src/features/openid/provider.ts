// The OpenID provider: where a browser is sent to sign in, and who the person is that comes back. By openid-client, which is loaded at the first use.
import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import type { Logger } from 'pino'
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import type { OpenIdSettings } from './settings.ts'

/** Seconds until the provider has answered one request: two of them are within the deadline of ours. */
const ANSWER_SECONDS = 4

/** What a browser must bring back from the provider, so that nobody else's code is redeemed for it. */
export interface Begun {
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
}

/** What the provider adds to the address to which it sends the browser back. */
interface ProviderAnswer {
  readonly code: string
  readonly state: string
  /** Its issuer (RFC 9207). */
  readonly iss?: string | undefined
}

/** Who a person is at the provider. Only issuer and subject together identify. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email?: string
  /** Whether the provider says that the address is the person's own. */
  readonly isEmailVerified: boolean
  readonly name?: string
}

/** The provider that the operator has set up. */
export interface OpenIdProvider extends Pick<OpenIdSettings, 'label' | 'isSecondFactor' | 'publicOrigin'> {
  /** Where the browser goes, and what is kept meanwhile. Throws 503 where the provider does not answer. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly begun: Begun }>
  /** Redeems a code. Throws 401 for one that is wrong, used or expired, and 503 where the provider does not answer. */
  identify(begun: Begun, answer: ProviderAnswer): Promise<ProvenIdentity>
}

const library = () => import('openid-client')

/** The provider with these settings; nothing is asked of it before the first sign-in. */
export function openIdProvider(settings: OpenIdSettings, log: Logger): OpenIdProvider {
  const { label, isSecondFactor, publicOrigin } = settings
  let known: Promise<Configuration> | undefined
  const configuration = () => {
    known ??= discovered(settings).catch((error) => {
      // The next sign-in asks again.
      known = undefined
      throw error
    })
    return known
  }
  const failed = (error: Failure, isOfCaller = false) => {
    throw problemOf(error, { label, isOfCaller }, log)
  }
  return {
    ...{ label, isSecondFactor, publicOrigin },
    begin: async (redirectUri) => beginAt(await configuration().catch(failed), redirectUri),
    identify: async (begun, answer) => {
      const at = await configuration().catch(failed)
      return redeem(at, begun, answer).catch((error) => failed(error, isOfCaller(error)))
    },
  }
}

/** The provider's endpoints and keys, by OpenID Connect Discovery. */
async function discovered({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, discovery, enableNonRepudiationChecks } =
    await library()
  const url = new URL(issuer)
  // By default a client sends its secret in a header (RFC 6749, section 2.3.1); a provider that names its ways may take it in the body.
  const proveClient: ClientAuth = (server, ...more) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const inBody = !ways.includes('client_secret_basic') && ways.includes('client_secret_post')
    return (inBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret))(server, ...more)
  }
  return discovery(url, clientId, {}, proveClient, {
    timeout: ANSWER_SECONDS,
    // The settings allow http for this machine only.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
}

async function beginAt(configuration: Configuration, redirectUri: string): Promise<{ url: string; begun: Begun }> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
    await library()
  const begun = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), redirectUri }
  const { href } = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
  })
  return { url: href, begun }
}

async function redeem(
  configuration: Configuration,
  { state, nonce, verifier, redirectUri }: Begun,
  answer: ProviderAnswer,
): Promise<ProvenIdentity> {
  const { authorizationCodeGrant, fetchUserInfo } = await library()
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
  const tokens = await authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims() as IDToken
  // A provider may keep the claims of a scope for its own endpoint (OpenID Connect Core, section 5.4).
  const isBare = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
  const more = isBare ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
  const [email, name] = [textIn(more.email), textIn(more.name)]
  return {
    ...{ issuer: claims.iss, subject: claims.sub, isEmailVerified: more.email_verified === true },
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  }
}

/** A claim as text that can be stored; undefined for anything else. */
const textIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' && claim.isWellFormed() && !claim.includes('\u0000')
    ? claim.trim().slice(0, NAME_CHARACTERS).toWellFormed()
    : undefined

/** What openid-client throws: a TypeError of `fetch`, an error that the provider answered, or what is wrong with its answer. */
type Failure = Error & { readonly code?: string; readonly error?: string; readonly error_description?: string }

/** Whether an answer is refused because of what the browser brought: its code, or an ID token that was not made for this sign-in. */
const isOfCaller = ({ code = '', error = '' }: Failure): boolean =>
  ['invalid_grant', 'invalid_request'].includes(error) ||
  /^OAUTH_(INVALID_RESPONSE|JWT_(CLAIM_COMPARISON|TIMESTAMP_CHECK)_FAILED)$/.test(code)

/** What a failure means for the caller: 401, or 503 with the reason in the log. */
function problemOf(
  failure: Failure,
  { label, isOfCaller }: { label: string; isOfCaller: boolean },
  log: Logger,
): Problem {
  const { code, error, error_description, message, cause } = failure
  // A code that was used or has expired is nobody's concern but the person's.
  if (error !== 'invalid_grant')
    log.warn(
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
