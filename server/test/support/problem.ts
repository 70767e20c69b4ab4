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

/** The members for programs that an entry of `errors` has, with their types; some come at times. */
function membersOf(code: string, { reason, format, limit }: Body): string[] {
  if (code === 'plan_limit') return ['count: number', 'limit: number', 'resource: string']
  if (/^(m(in|ax)(Length|Items|imum)|exclusiveMinimum|sum|required|stock)$/.test(code) && limit !== undefined)
    return ['limit: number']
  if (code === 'left') return ['limit: number']
  // Not each format has a name: those of keys are said in the message alone.
  if ((code === 'format' || code === 'target') && format !== undefined) return ['format: string']
  if (code === 'suspended' && reason !== undefined) return ['reason: string']
  return code === 'open_session' ? ['id: string'] : []
}

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
      const { in: where, pointer, code, message, ...forPrograms } = error
      for (const value of [pointer, code, message]) assert.equal(typeof value, 'string', reported)
      assert.match(where, /^(body|query|header|path)$/, reported)
      assert.deepEqual(
        Object.entries(forPrograms).map(([member, value]) => `${member}: ${typeof value}`).sort(), // biome-ignore format: one thought
        membersOf(code, forPrograms),
        reported,
      )
    }
  }
  return body
}
