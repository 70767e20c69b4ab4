// The settings of single sign-on by OpenID Connect: the provider, this service as its client, and what people call it.
import { OperatorError } from '../../core/operator-error.ts'

/** Characters of the label: more do not fit on a button. */
const LABEL_CHARACTERS = 40

/** The provider at which people sign in. */
export interface OpenIdSettings {
  /** The provider's issuer, exactly as it calls itself. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Display name of the provider, as in "Continue with …". */
  readonly label: string
  /**
   * Whether the operator vouches that the provider requires a second factor of each person (decision 59): without it, such people would
   * have to show one twice where a company requires it.
   */
  readonly isSecondFactor: boolean
  /** The only origin to which the provider sends browsers back; undefined: the one by which the service was called. */
  readonly publicOrigin: string | undefined
}

/** Microsoft's shared issuers: any company in the world could name its people as it likes. */
const SHARED_ISSUER = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i

/**
 * Reads the settings of single sign-on; undefined if there is no provider. `publicOrigin`: where people open the console, if that is set.
 * Throws an OperatorError that names the variable.
 */
export function openIdOf(environment: NodeJS.ProcessEnv, publicOrigin: string | undefined): OpenIdSettings | undefined {
  const { CASHWRAP_OIDC_ISSUER, CASHWRAP_OIDC_CLIENT_ID, CASHWRAP_OIDC_CLIENT_SECRET } = environment
  const { CASHWRAP_OIDC_LABEL, CASHWRAP_OIDC_IS_SECOND_FACTOR } = environment
  const label = CASHWRAP_OIDC_LABEL?.trim() || 'Single sign-on'
  if (label.length > LABEL_CHARACTERS || /\p{Cc}/u.test(label))
    throw new OperatorError(
      `CASHWRAP_OIDC_LABEL is ${JSON.stringify(label)}; it must be one line of at most ${LABEL_CHARACTERS} characters.`,
    )
  const isSecondFactor = isOn(CASHWRAP_OIDC_IS_SECOND_FACTOR || 'false')
  if (!CASHWRAP_OIDC_ISSUER) return undefined
  return {
    issuer: issuerOf(CASHWRAP_OIDC_ISSUER.trim()),
    clientId: required('CASHWRAP_OIDC_CLIENT_ID', CASHWRAP_OIDC_CLIENT_ID),
    clientSecret: required('CASHWRAP_OIDC_CLIENT_SECRET', CASHWRAP_OIDC_CLIENT_SECRET),
    label,
    isSecondFactor,
    publicOrigin,
  }
}

/** The secret is not shown. */
function required(name: string, value: string | undefined): string {
  const text = value?.trim()
  if (!text) throw new OperatorError(`${name} is not set; it is required with CASHWRAP_OIDC_ISSUER.`)
  return text
}

/** An issuer as OpenID Connect Discovery defines it; http only on this machine, for trials. */
function issuerOf(text: string): string {
  const url = URL.parse(text)
  const isOnThisMachine = url?.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  // The address of the metadata in place of the issuer would leave the issuer unchecked.
  const isPlain =
    url !== null &&
    url.username + url.password + url.search + url.hash === '' &&
    !url.pathname.includes('/.well-known/')
  if (!isPlain || !(url.protocol === 'https:' || isOnThisMachine))
    throw new OperatorError(
      'CASHWRAP_OIDC_ISSUER must be the https URL of an OpenID provider, such as https://login.example.com/realms/shops; http is accepted for localhost only.',
    )
  if (SHARED_ISSUER.test(text))
    throw new OperatorError(
      'CASHWRAP_OIDC_ISSUER must name your own tenant, as in https://login.microsoftonline.com/TENANT-ID/v2.0: people of any other one could sign in at this issuer.',
    )
  return text
}

function isOn(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new OperatorError(`CASHWRAP_OIDC_IS_SECOND_FACTOR is ${JSON.stringify(text)}; it must be true or false.`)
  return text === 'true'
}
