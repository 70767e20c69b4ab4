// People with identities of an OpenID provider, for tests: linked by their accounts, or invited and without a password.
import assert from 'node:assert/strict'
import { newId } from '../../src/core/ids.ts'
import { identityToken, type openIdProvider } from './openid-provider.ts'
import { type Browser, browserOf, invitation, newUser, password, signIn } from './people.ts'
import type { TestService } from './service.ts'

/** The path of a person's identities. */
export const path = '/v1/console/identities'

/** The rule of a place that requires a second factor. */
export const on = { requiresSecondFactor: true }

let network = 0

/** Another network each time. */
export const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++network}` })

/** Links the identity of a token to the account of a browser. */
export const linkTo = (browser: Browser, token: string, more: object = { currentPassword: password }) =>
  browser.call('POST', path, { token, ...more })

/** What makes people on a service, with identities of its provider. */
export function singleSignOn(service: TestService, provider: Awaited<ReturnType<typeof openIdProvider>>) {
  /** Signs in with the token of an identity. */
  const signInWith = (token: string, more: object = {}, at = service) =>
    at.caller(elsewhere())('POST', '/v1/console/sso/sign-in', { token, ...more })

  /** A person who is signed in, in a company. */
  async function someone() {
    const place = { companyId: (await service.company()).id }
    const user = await newUser(service, place)
    return { ...user, place, browser: await signIn(service, user.email) }
  }

  /** The same, with a linked identity. */
  async function linked() {
    const one = await someone()
    const login = newId()
    const reply = await linkTo(one.browser, await identityToken(service, login))
    assert.equal(reply.status, 201, reply.text)
    return { ...one, login, identity: reply.body }
  }

  /** An account that an invitation has made, without a password. */
  async function joined(at = service, of = provider) {
    const email = `${newId()}@people.example`
    const login = newId()
    of.people.set(login, { email: email.toUpperCase(), email_verified: true, name: 'Ann Archer' })
    const body = { token: await identityToken(at, login), invitation: await invitation(at, email) }
    const reply = await at.caller()('POST', '/v1/console/sso/accept', body)
    assert.equal(reply.status, 200, reply.text)
    return { email, login, body, reply, browser: browserOf(at, reply) }
  }

  return { signInWith, someone, linked, joined }
}
