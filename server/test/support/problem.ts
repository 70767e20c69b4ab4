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

const members = [
  'type',
  'title',
  'status',
  'detail',
  'statusCode',
  'error',
  'message',
  'code',
  'reason',
  'requestId',
  'errors',
]

/** Checks a response against the shape, and returns its body. `about` is in the message of a failure. */
export function assertProblem({ status, headers, text }: Answered, expected: number, code?: string, about = ''): Body {
  const reported = `${about} ${status} ${text.slice(0, 400)}`
  assert.equal(status, expected, reported)
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json(;|$)/, reported)
  const body: Body = JSON.parse(text)
  const title = STATUS_CODES[expected]
  assert.deepEqual([body.status, body.statusCode, body.title, body.error], [expected, expected, title, title], reported)
  assert.deepEqual(
    [body.type, body.requestId],
    [`urn:cashwrap:problem:${body.code}`, headers.get('x-request-id')],
    reported,
  )
  assert.equal(body.detail, body.message, reported)
  assert.ok(body.message.length > 0 && body.requestId.length > 0, reported)
  if (code !== undefined) assert.equal(body.code, code, reported)
  for (const member of Object.keys(body)) assert.ok(members.includes(member), `${reported}: ${member}`)
  if (body.errors !== undefined) {
    assert.ok(body.errors.length >= 1 && body.errors.length <= 100, reported)
    for (const error of body.errors) {
      const { count, limit, resource = '', ...own } = error
      assert.deepEqual(Object.keys(own).sort(), ['code', 'in', 'message', 'pointer'], reported)
      for (const value of [resource, ...Object.values(own)]) assert.equal(typeof value, 'string', reported)
      // Only a plan's limit has further members for programs.
      for (const value of [count, limit])
        assert.equal(typeof value, error.code === 'plan_limit' ? 'number' : 'undefined', reported)
      assert.equal(resource !== '', error.code === 'plan_limit', reported)
      assert.match(error.in, /^(body|query|header|path)$/, reported)
    }
  }
  return body
}
