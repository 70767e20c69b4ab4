// Files of attachments that are sent over the API, and the routes that serve them.
import assert from 'node:assert/strict'
import type { Route } from '../../src/http/route.ts'
import type { Caller, Reply } from './service.ts'

const png = { 'content-type': 'image/png' }

/** True of the routes of files. */
export const isOfFiles = ({ path }: Pick<Route, 'path'>): boolean =>
  /^\/v1\/(attachment\/\{id\}|public)\/file/.test(path)

/** Sends the file of an attachment, with any result. */
const putFile = (call: Caller, id: string): Promise<Reply> =>
  call('PUT', `/v1/attachment/${id}/file`, Buffer.from('a picture'), png)

/** Makes an attachment with a file, and returns its id. */
export async function attachmentWithFile(call: Caller): Promise<string> {
  const { body } = await call('POST', '/v1/attachment', {
    name: 'shelf.png',
    url: 'https://shop.example.com/shelf.png',
  })
  const { status, text } = await putFile(call, body.id)
  assert.equal(status, 200, text)
  return body.id
}

/** A path of a route of files that succeeds. */
export async function filePath(call: Caller, { path }: Route): Promise<string> {
  const id = await attachmentWithFile(call)
  if (path.includes('{id}')) return path.replace('{id}', id)
  return (await call('GET', `/v1/attachment/${id}/file/link`)).body.path
}

/** The response of a route of files to a request that succeeds. */
export async function fileSuccess(call: Caller, route: Route): Promise<Reply> {
  const path = await filePath(call, route)
  return route.method === 'PUT' ? call('PUT', path, Buffer.from('another picture'), png) : call(route.method, path)
}

/** A request that sends a file. */
export async function fileRequest(call: Caller, route: Route) {
  return { path: await filePath(call, route), body: 'another picture', headers: png, list: '/v1/attachments' }
}
