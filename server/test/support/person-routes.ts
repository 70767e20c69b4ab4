// Requests of the console's own routes that are answered with success, for tests that fold over all of them.
import { newId } from '../../src/core/ids.ts'
import { isOfSso } from '../../src/features/people/sso-routes.ts'
import type { Route } from '../../src/http/route.ts'
import { Authenticator, beginPasskey, beginSignIn, byName, named, registerPasskey } from './authenticator.ts'
import { identityToken, returning } from './openid-provider.ts'
import type { Browser } from './people.ts'
import { invitation, invited, newUser, type Place, password, signIn } from './people.ts'
import { currentCode, setUp, turnOn } from './second-factor.ts'
import type { Caller, Company, TestService } from './service.ts'

/** What a surface's route is about. */
export const placeOf = ({ id, organizationId }: Company, { surface }: Route): Place =>
  surface === 'organization' ? { organizationId } : { companyId: id }

/** A call, a path of an existing object, and a body: what `browser`, an owner, needs for a success. */
export async function personRequest(
  service: TestService,
  company: Company,
  browser: Browser,
  route: Route,
): Promise<{ call: Caller; path: string; body: unknown; origin?: string }> {
  const { surface, isForOwnPages } = route
  if (isOfPasskeys(route)) return { origin: named(service), ...(await passkeyRequest(service, browser, route)) }
  if (isOfSso(route)) return ssoRequest(service, browser, route)
  const place = placeOf(company, route)
  const call = isForOwnPages ? service.caller() : surface === 'person' ? browser.call : browser.about(place)
  const code = await secondFactorCode(browser, route)
  const id = await idFor(service, place, browser, route)
  return {
    call,
    path: id === undefined ? route.path : route.path.replace('{id}', id),
    body: await bodyFor(service, route, code),
  }
}

const isOfPasskeys = ({ path }: Route): boolean => path.startsWith('/v1/console/passkey')

/** Passkeys belong to a host name, so the service is called by one. */
async function passkeyRequest(service: TestService, browser: Browser, { method, path, surface }: Route) {
  const call = surface === 'public' ? service.caller({}, named(service)) : byName(service, browser)
  if (path.endsWith('{id}')) {
    const { passkey } = await registerPasskey(service, browser)
    return { call, path: path.replace('{id}', passkey.id), body: method === 'PATCH' ? { name: 'Phone' } : undefined }
  }
  if (method === 'GET' || path.endsWith('sign-in/options')) return { call, path, body: undefined }
  if (path.endsWith('options')) return { call, path, body: { currentPassword: password } }
  if (surface === 'public') {
    const { authenticator } = await registerPasskey(service, browser)
    const { options, token } = await beginSignIn(service)
    return { call, path, body: { token, response: authenticator.get(options, named(service)) } }
  }
  const { options, token } = await beginPasskey(call)
  const response = new Authenticator().create(options, named(service))
  return { call, path, body: { token, response, name: 'Phone' } }
}

/** The service has a provider, which signs in everyone. */
async function ssoRequest(service: TestService, browser: Browser, { method, path, surface }: Route) {
  const login = `${newId()}@people.example`
  const link = async () => {
    const body = { token: await identityToken(service, login), currentPassword: password }
    return (await browser.call('POST', '/v1/console/identities', body)).body.id
  }
  if (path.endsWith('{id}')) return { call: browser.call, path: path.replace('{id}', await link()), body: undefined }
  if (path.endsWith('identify')) {
    const { answer, cookie } = await returning(service, login)
    return { call: service.caller({ cookie }), path, body: answer }
  }
  const call = surface === 'public' ? service.caller() : browser.call
  if (method === 'GET' || path.endsWith('sso')) return { call, path, body: undefined }
  if (path.endsWith('sign-in')) await link()
  const token = await identityToken(service, login)
  if (path.endsWith('accept')) return { call, path, body: { token, invitation: await invitation(service, login) } }
  return { call, path, body: { token, ...(surface === 'person' && { currentPassword: password }) } }
}

/** A valid code for a route that takes one, of a second factor that is set up or on as the route needs it. */
async function secondFactorCode(browser: Browser, { path }: Route): Promise<string | undefined> {
  if (path.endsWith('/turn-off')) return (await turnOn(browser)).recoveryCodes[0]
  return path.endsWith('second-factor/confirm') ? currentCode((await setUp(browser)).secret) : undefined
}

async function idFor(
  service: TestService,
  place: Place,
  browser: Browser,
  { path }: Route,
): Promise<string | undefined> {
  const [, root] = /^(.*)\/\{id\}/.exec(path) ?? []
  if (root === undefined) return undefined
  if (root === '/v1/console/sign-ins') return (await signIn(service, await emailOf(service, browser))).signInId
  const { email } = root.endsWith('members') ? { email: `${Date.now()}-${Math.random()}@new.example` } : { email: '' }
  const body = root.endsWith('members') ? { email, role: 'admin' } : { name: 'Made', permissions: ['read'] }
  return (await browser.about(place)('POST', root, body)).body.id
}

async function emailOf({ database }: TestService, { userId }: Browser): Promise<string> {
  const [row] = await database.query('select email from users where id = $1', [userId])
  return row?.[0]
}

async function bodyFor(service: TestService, { path, body }: Route, code: string | undefined): Promise<unknown> {
  if (path.endsWith('second-factor') && body) return { currentPassword: password }
  if (code !== undefined) return { ...(path.endsWith('turn-off') && { currentPassword: password }), code }
  if (path === '/v1/console/sign-in' && body) return { email: (await newUser(service)).email, password }
  if (path.startsWith('/v1/console/link/')) {
    if (path.endsWith('accept')) return { token: await invitation(service) }
    const token = await invited(service)
    return path.endsWith('use') ? { token, password } : { token }
  }
  // Turning it on needs an owner who has signed in with one.
  if (path.endsWith('sign-in-rules') && body) return { requiresSecondFactor: false }
  if (path.endsWith('members') && body) return { ...(body.example as object), email: `${Math.random()}@new.example` }
  return body?.example
}
