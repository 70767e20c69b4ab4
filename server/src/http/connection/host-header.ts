// The Host header, which says which host a request is for: exactly one, in the form that HTTP requires (RFC 9112, section 3.2). With two, a proxy may use the other one.
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../core/problem.ts'

/** A host, which may be empty, and a port (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const form = /^(?:\[[\da-f:.]+\]|\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** The number of Host headers of a request; Node keeps only the first one. */
function countOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** Whether a request has one valid Host header; before HTTP/1.1 it may have none. */
export function hasOneHost(request: IncomingMessage): boolean {
  const { host } = request.headers
  if (host === undefined) return request.httpVersion !== '1.1'
  return countOf(request) === 1 && form.test(host)
}

/** The problem for a request without a valid Host header. */
export function wrongHost(request: IncomingMessage): Problem {
  const count = countOf(request)
  if (count === 0) return new Problem('malformed_body', 'The request has no Host header; send exactly one.')
  if (count > 1) return new Problem('malformed_body', 'The request has more than one Host header; send exactly one.')
  return new Problem(
    'malformed_body',
    'The Host header is malformed; send a host name or address, and a port if needed.',
  )
}
