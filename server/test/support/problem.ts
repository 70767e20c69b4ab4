// The one shape of an error answer (decisions §11), asked of every answer that is one.
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import type { Body } from './contract.ts'

/** The checked parts of a response, however it was fetched. */
interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const members = ['type', 'title', 'status', 'detail', 'statusCode', 'error', 'message', 'code', 'requestId', 'errors']

/** Checks a response against the shape, and returns its body. `about` is in the message of a failure. */
export function assertProblem({ status, headers, text }: Answered, expected: number, code?: string, about = ''): Body {
  const told = `${about} ${status} ${text.slice(0, 400)}`
  assert.equal(status, expected, told)
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json(;|$)/, told)
  const body: Body = JSON.parse(text)
  const title = STATUS_CODES[expected]
  assert.deepEqual([body.status, body.statusCode, body.title, body.error], [expected, expected, title, title], told)
  assert.deepEqual(
    [body.type, body.requestId],
    [`urn:cashwrap:problem:${body.code}`, headers.get('x-request-id')],
    told,
  )
  assert.equal(body.detail, body.message, told)
  assert.ok(body.message.length > 0 && body.requestId.length > 0, told)
  if (code !== undefined) assert.equal(body.code, code, told)
  for (const member of Object.keys(body)) assert.ok(members.includes(member), `${told}: ${member}`)
  if (body.errors !== undefined) {
    assert.ok(body.errors.length >= 1 && body.errors.length <= 100, told)
    for (const error of body.errors) {
      const { count, limit, resource = '', ...own } = error
      assert.deepEqual(Object.keys(own).sort(), ['code', 'in', 'message', 'pointer'], told)
      for (const value of [resource, ...Object.values(own)]) assert.equal(typeof value, 'string', told)
      // Only a plan's limit has further members for programs.
      for (const value of [count, limit])
        assert.equal(typeof value, error.code === 'plan_limit' ? 'number' : 'undefined', told)
      assert.equal(resource !== '', error.code === 'plan_limit', told)
      assert.match(error.in, /^(body|query|header|path)$/, told)
    }
  }
  return body
}
