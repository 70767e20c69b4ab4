// Extensions as the tests make them, and the requests for their routes as the sweeps need them.
import assert from 'node:assert/strict'
import type { Route } from '../../src/http/route.ts'
import type { Body } from './contract.ts'
import { pathOf } from './routes.ts'
import type { Caller } from './service.ts'

/** The path of an organization's extensions. */
export const extensionsPath = '/v1/organization-api/extensions'

/** True of the routes of extensions, own and public ones, and of the organization itself. */
export const isOfExtensions = ({ path }: Pick<Route, 'path'>): boolean =>
  path.startsWith(extensionsPath) ||
  path.startsWith('/v1/public/published-extension') ||
  path === '/v1/organization-api/organization'

/** A public extension with all possible members. */
export const fullExtension = {
  name: 'Loyalty <b>cards</b>',
  description: 'Gives points.',
  shortDescription: 'Points.',
  category: 'marketing',
  status: 'public',
  icon: 'https://example.com/i.png',
  gallery: ['https://example.com/1.png', 'http://example.com/2.png'],
  website: 'https://example.com',
  price: 9.5,
  surfaces: [
    { id: 'till', platform: 'web', type: 'page', url: 'https://example.com/till' },
    { platform: 'ios', type: 'app', url: 'https://example.com/app', width: 3 },
  ],
}

/** Creates an extension, by default a public one. */
export async function makeExtension(call: Caller, body: Body = fullExtension): Promise<Body> {
  const reply = await call('POST', extensionsPath, { status: 'public', ...body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

/** A request that succeeds: with the minimum of members, or with all. */
export async function extensionRequest(
  call: Caller,
  route: Route,
  isFull = true,
): Promise<{ path: string; body?: Body }> {
  const body = (isFull ? fullExtension : { name: 'Least' }) as Body
  if (route.path.endsWith('/organization'))
    return {
      path: route.path,
      ...(route.method === 'PATCH' && { body: isFull ? { logo: 'https://example.com/l.png' } : {} }),
    }
  if (!route.path.includes('{')) {
    await makeExtension(call, body)
    return { path: route.path, ...(route.method === 'POST' && { body }) }
  }
  const { id } = await makeExtension(call, body)
  return { path: pathOf(route, id), ...(route.method === 'PATCH' && { body: isFull ? { name: 'Other' } : {} }) }
}
