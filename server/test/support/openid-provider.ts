// An OpenID provider for tests: the real one of oidc-provider on loopback, with a form, and a browser that fills it in.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import type { OpenIdSettings } from '../../src/features/openid/settings.ts'
import type { Reply, TestService } from './service.ts'

/** What the provider says of a person besides the name by which they sign in there. */
interface Claims {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

interface TestProvider {
  readonly settings: OpenIdSettings
  /** People by the name that they type. Of others it says nothing, or their address, if the name is one. */
  readonly people: Map<string, Claims>
  /** Refuses connections from now on, or no longer. */
  down(): Promise<void>
  up(): Promise<void>
}

const client = { client_id: 'cashwrap', client_secret: 'a secret of the client that only tests know of' }

/** Starts a provider, which keeps its port while it is down. `keepsClaims`: it says them at its own endpoint only. */
export async function openIdProvider({ keepsClaims = false } = {}): Promise<TestProvider> {
  const people = new Map<string, Claims>()
  const server = createServer()
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = makeProvider(issuer, people, keepsClaims)
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response)
    else answer(request, response)
  })
  // A test file ends although it is up.
  server.unref()
  return {
    settings: {
      issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      label: 'Acme Login',
      isSecondFactor: false,
      publicOrigin: undefined,
    },
    people,
    down: () => close(server),
    up: () => listen(port),
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

function makeProvider(issuer: string, people: TestProvider['people'], keepsClaims: boolean) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ttl = Object.fromEntries(
    ['AccessToken', 'Grant', 'IdToken', 'Interaction', 'Session'].map((name) => [name, 600]),
  )
  const { warn } = console
  // It warns that it is no provider for production.
  console.warn = () => {}
  const provider = new Provider(issuer, {
    ttl,
    clients: [
      { ...client, redirect_uris: [`${issuer}/console/sso`], response_types: ['code'], require_auth_time: true },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: keepsClaims,
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...(people.get(accountId) ?? addressIn(accountId)) }),
    }),
    // A client of the house needs no consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
  })
  console.warn = warn
  // The port of the service is not known yet.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => new URL(uri).pathname === '/console/sso'
  return provider
}

const form = `<!doctype html><html lang="en"><title>Acme Login</title>
<form method="post"><label>Name <input name="login"></label> <button>Sign in</button></form></html>`

/** The provider's own page: each typed name signs in. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return void response.setHeader('content-type', 'text/html').end(form)
  const accountId = new URLSearchParams(await text(request)).get('login') ?? ''
  await provider.interactionFinished(request, response, { login: { accountId } })
}

const addressIn = (name: string): Claims => (name.includes('@') ? { email: name, email_verified: true } : {})

/** A browser on the way back from the provider: what the address has, and its cookie of the service. */
interface Returning {
  readonly answer: { readonly code: string; readonly state: string; readonly iss?: string }
  readonly cookie: string
}

/** Begins at the service and signs in at the provider as somebody. */
export async function returning(service: TestService, login: string): Promise<Returning> {
  const begun = await service.caller()('POST', '/v1/console/sso')
  if (begun.status !== 200) throw new Error(begun.text)
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] as string
  const parameters = await signInAt(begun.body.url, login)
  return { answer: Object.fromEntries(parameters) as unknown as Returning['answer'], cookie }
}

/** Fills in the provider's form, as a browser does, and returns what it adds to the address of the service. */
async function signInAt(begin: string, login: string): Promise<URLSearchParams> {
  const jar = new Map<string, string>()
  let url = begin
  let form: URLSearchParams | undefined
  for (;;) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] as string).split('=')
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null && form !== undefined) throw new Error(await response.text())
    await response.body?.cancel()
    form = location === null ? new URLSearchParams({ login }) : undefined
    if (location !== null) url = new URL(location, url).href
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/console/sso') return searchParams
  }
}

/** Redeems what a browser brings back. */
export const identify = (
  service: TestService,
  { answer, cookie }: Returning,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> =>
  service.caller({ cookie, ...headers })('POST', '/v1/console/sso/identify', {
    code: answer.code,
    state: answer.state,
    ...(answer.iss !== undefined && { iss: answer.iss }),
    ...more,
  })

/** The token of somebody's identity. */
export async function identityToken(service: TestService, login: string): Promise<string> {
  const reply = await identify(service, await returning(service, login))
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body.token
}
