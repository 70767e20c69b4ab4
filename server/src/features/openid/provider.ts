// The OpenID provider: where a browser is sent to sign in, and who the person is that comes back. By openid-client, which is loaded at the first use.
import type { ClientAuth, Configuration, CustomFetch, IDToken } from 'openid-client'
import type { Logger } from 'pino'
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { isOfCaller, NOT_AGAIN, type OpenIdFailure, problemOf } from './failure.ts'
import type { OpenIdSettings } from './settings.ts'

/** Seconds until the provider has answered one request. */
const ANSWER_SECONDS = 4
/** Bytes of one answer: metadata and keys have some ten thousand. */
const ANSWER_BYTES = 1_048_576
/**
 * Milliseconds within which all requests to the provider for one of our requests must end: below the deadline of a
 * request.
 */
const CALL_MS = 8_000
/** Milliseconds for which metadata is used for a person who comes back, and longer if it cannot be read again. */
const METADATA_MS = 3_600_000
/** Seconds by which the provider's clock may differ. */
const SKEW_SECONDS = 60
/** The values of `prompt` of providers whose metadata does not list them; `login` is one of the standard. */
const DOCUMENTED_PROMPTS: Record<string, string[]> = { 'https://accounts.google.com': ['select_account'] }

/** What a browser must bring back from the provider, so that nobody else's code is redeemed for it. */
export interface Begun {
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
  /** Seconds since 1970 after which the person must have signed in at the provider; undefined: at any time. */
  readonly signedInSince?: number
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
  /**
   * Where the browser goes, and what is kept meanwhile. `reauthenticate`: the person must sign in there even with an
   * open session, or choose an account if the provider does not support that. Throws 503 if the provider does not
   * answer.
   */
  begin(redirectUri: string, reauthenticate: boolean): Promise<{ readonly url: string; readonly begun: Begun }>
  /** Redeems a code. Throws 401 for one that is wrong, used or expired, and 503 where the provider does not answer. */
  identify(begun: Begun, answer: ProviderAnswer): Promise<ProvenIdentity>
}

const library = () => import('openid-client')

/** The provider with these settings; nothing is asked of it before the first sign-in. */
export function openIdProvider(settings: OpenIdSettings, log: Logger): OpenIdProvider {
  const { label, isSecondFactor, publicOrigin } = settings
  let known: { readonly configuration: Configuration; readonly until: number } | undefined
  let reading: Promise<Configuration> | undefined
  const read = () => {
    reading ??= discovered(settings)
      .then((configuration) => {
        known = { configuration, until: Date.now() + METADATA_MS }
        return configuration
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const latest = async () => {
    if (known !== undefined && known.until > Date.now()) return known.configuration
    return read().catch((error) => {
      if (known === undefined) throw error
      return known.configuration
    })
  }
  const failed = (error: OpenIdFailure, isOfCaller = false) => {
    throw problemOf(error, { label, isOfCaller }, log)
  }
  return {
    label,
    isSecondFactor,
    publicOrigin,
    // It must answer now: once the browser has gone there, only the browser's own error page says that it does not.
    begin: (redirectUri, reauthenticate) =>
      inTime(read().then((at) => beginAt(at, redirectUri, reauthenticate))).catch((error) => failed(error)),
    identify: (begun, answer) =>
      inTime(latest().then((at) => redeem(at, begun, answer))).catch((error) => failed(error, isOfCaller(error))),
  }
}

/** The provider's endpoints and keys, by OpenID Connect Discovery. */
async function discovered({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const {
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    customFetch,
    discovery,
    enableNonRepudiationChecks,
  } = await library()
  const url = new URL(issuer)
  // By default a client sends its secret in a header (RFC 6749, section 2.3.1); a provider that names its ways may take it in the body.
  const proveClient: ClientAuth = (server, ...more) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const inBody = !ways.includes('client_secret_basic') && ways.includes('client_secret_post')
    return (inBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret))(server, ...more)
  }
  return discovery(url, clientId, {}, proveClient, {
    timeout: ANSWER_SECONDS,
    [customFetch]: boundedFetch as CustomFetch,
    // The settings allow http for this machine only.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
}

/**
 * The value of `prompt` that the provider understands; undefined for none. On a shared till, the previous person's
 * session may still be open there.
 */
function promptFor(configuration: Configuration, reauthenticate: boolean): string | undefined {
  const { issuer, prompt_values_supported: listed } = configuration.serverMetadata()
  const supported = Array.isArray(listed) ? listed : (DOCUMENTED_PROMPTS[issuer] ?? ['login'])
  return [...(reauthenticate ? ['login'] : []), 'select_account'].find((value) => supported.includes(value))
}

async function beginAt(
  configuration: Configuration,
  redirectUri: string,
  reauthenticate: boolean,
): Promise<{ url: string; begun: Begun }> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
    await library()
  const prompt = promptFor(configuration, reauthenticate)
  const begun = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    redirectUri,
    ...(prompt === 'login' && { signedInSince: Math.floor(Date.now() / 1000) - SKEW_SECONDS }),
  }
  const { href } = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
    ...(prompt !== undefined && { prompt }),
  })
  return { url: href, begun }
}

async function redeem(
  configuration: Configuration,
  { state, nonce, verifier, redirectUri, signedInSince }: Begun,
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
  // A provider may leave the time out, or the session open: then nothing is known.
  if (signedInSince !== undefined && claims.auth_time !== undefined && claims.auth_time < signedInSince)
    throw Object.assign(new Error('the person did not sign in again'), { code: NOT_AGAIN })
  // A provider may keep the claims of a scope for its own endpoint (OpenID Connect Core, section 5.4).
  const isBare = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
  const more = isBare ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
  const email = textIn(more.email)
  const name = textIn(more.name)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    isEmailVerified: more.email_verified === true,
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  }
}

/** A claim as text that can be stored; undefined for anything else. */
const textIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' && claim.isWellFormed() && !claim.includes('\u0000')
    ? claim.trim().slice(0, NAME_CHARACTERS).toWellFormed()
    : undefined

/** `fetch` for answers of a bounded size. Rejects with a TypeError, as `fetch` does for a connection that breaks. */
async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES) throw new TypeError(`the answer has more than ${ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status, statusText, headers })
}

/** The result of `work`; rejects with a TypeError where it takes longer than a request can wait. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => over.reject(new TypeError(`no answer within ${CALL_MS} ms`)), CALL_MS)
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
  }
}
