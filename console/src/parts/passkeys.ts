// Passkeys in this browser: whether it can have any here, and the two things that it does with them.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { get } from '../api/request.ts'
import type { PasskeyOptions, SignedIn } from '../api/schemas.ts'

/** Whether the browser has passkeys on this page: only with https or on localhost, and not at an address of numbers. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** The library is loaded with the first use. */
const library = () => import('@simplewebauthn/browser')

/** Asks the browser for a new passkey. Undefined: the person has cancelled. */
export async function makePasskey({ options }: PasskeyOptions): Promise<RegistrationResponseJSON | undefined> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }).catch(
    unlessCancelled,
  )
}

/** Signs in with a passkey that the person chooses. Undefined: the person has cancelled. */
export async function signInWithPasskey(): Promise<SignedIn | undefined> {
  const path = '/v1/console/passkey-sign-in'
  const { options, token } = await get<PasskeyOptions>('person', `${path}/options`, { method: 'POST' })
  const { startAuthentication } = await library()
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const response: AuthenticationResponseJSON | undefined = await startAuthentication({ optionsJSON }).catch(
    unlessCancelled,
  )
  if (response === undefined) return undefined
  return get<SignedIn>('person', path, { method: 'POST', body: { token, response } })
}

/** Browsers report a cancelled dialog, and one that was left open too long, as one error. */
function unlessCancelled(error: unknown): undefined {
  const { name } = error as Error
  if (name === 'NotAllowedError' || name === 'AbortError') return undefined
  throw error
}
