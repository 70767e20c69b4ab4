// Single sign-on in this browser: whether there is an OpenID provider, the way there, and what the browser brings back.
import { get } from './request.ts'
import type { SsoAnswer, SsoBeginning, SsoIdentity } from './schemas.ts'

/** What people call the provider; undefined where the operator has set up none. */
export const providerLabel = document.querySelector<HTMLMetaElement>('meta[name="cashwrap-sso"]')?.content
/** The same, for pages that exist only with a provider. */
export const providerName = providerLabel ?? ''

/** What the browser goes to the provider for: to sign in and open a page, to accept an invitation (`isOwn`: only with an account that the person has), or to link an identity. */
export type SsoPurpose =
  | { readonly what: 'sign-in'; readonly to?: string | undefined }
  | { readonly what: 'accept'; readonly invitation: string; readonly isOwn: boolean }
  | { readonly what: 'link' }

/** Where this tab keeps the purpose meanwhile. */
const kept = 'cashwrap-sso'

/** Kept from a sign-out until somebody has signed in at the provider: its session there may still be open. */
const signedOut = 'cashwrap-sso-signed-out'

/** Notes a sign-out in this browser: the next person there must not become the last one. */
export const noteSignOut = (): void => localStorage.setItem(signedOut, '')

/** Sends the browser to the provider. Throws where the provider does not answer. */
export async function goToProvider(purpose: SsoPurpose): Promise<void> {
  const reauthenticate = purpose.what === 'link' || localStorage.getItem(signedOut) !== null
  const { url } = await get<SsoBeginning>('person', '/v1/console/sso', { method: 'POST', body: { reauthenticate } })
  sessionStorage.setItem(kept, JSON.stringify(purpose))
  window.location.assign(url)
}

interface Returned {
  readonly purpose: SsoPurpose
  /** What the provider added to the address; undefined where it signed nobody in. */
  readonly answer: SsoAnswer | undefined
  /** The provider's code for the reason (RFC 6749, section 4.1.2.1). */
  readonly error: string | undefined
}

/** With what the browser has come back; undefined on all other pages. Read before any page begins, and removed from the address. */
export const returned: Returned | undefined = takeReturned()

function takeReturned(): Returned | undefined {
  const { pathname, search } = window.location
  if (pathname !== '/console/sso') return undefined
  window.history.replaceState(null, '', pathname)
  const purpose: SsoPurpose = JSON.parse(sessionStorage.getItem(kept) ?? '{"what":"sign-in"}')
  sessionStorage.removeItem(kept)
  const parameters = new URLSearchParams(search)
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => parameters.get(name))
  const [error] = /^[a-z_]{1,60}$/.exec(parameters.get('error') ?? '') ?? []
  return { purpose, error, answer: code && state ? { code, state, ...(iss && { iss }) } : undefined }
}

let identified: Promise<SsoIdentity> | undefined

/** Who the person is at the provider. Asked once: a code is accepted once. */
export function identify(answer: SsoAnswer): Promise<SsoIdentity> {
  identified ??= get<SsoIdentity>('person', '/v1/console/sso/identify', { method: 'POST', body: answer }).then(
    (found) => {
      localStorage.removeItem(signedOut)
      return found
    },
  )
  return identified
}
