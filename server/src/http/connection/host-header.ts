// The header Host, which says for whom a request is meant: one, of the form that HTTP gives it (RFC 9112, section 3.2). Programs on the way may go by the other of two.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../core/problem.ts'

/** A host, which may be empty, and a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const form = /^(?:\[[\da-f:.]+\]|\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** How many headers Host a request has; Node keeps the first one alone. */
function countOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** Whether a request has one header Host of the right form; before HTTP/1.1 it need not have one. */
export function hasOneHost(request: IncomingMessage): boolean {
  const { host } = request.headers
  if (host === undefined) return request.httpVersion !== '1.1'
  return countOf(request) === 1 && form.test(host)
}

/** What a request is answered that has not. */
export function wrongHost(request: IncomingMessage): Problem {
  const count = countOf(request)
  if (count === 0) return new Problem('malformed_body', 'The request has no header Host.')
  if (count > 1) return new Problem('malformed_body', 'The request has more than one header Host; send exactly one.')
  return new Problem(
    'malformed_body',
    'The header Host is malformed; send a host name or address, and a port if needed.',
  )
}
