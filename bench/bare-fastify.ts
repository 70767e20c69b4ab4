// The limit of every response: a Fastify without keys and database that sends the same bytes.
import Fastify from 'fastify'
import { serveParent } from './child.ts'

const server = Fastify()

/** A record, a page, and the problem for a create that is refused, as the service sends them. */
interface Samples {
  readonly record: string
  readonly page: string
  readonly problem?: string
}

async function start({ record, page, problem }: Samples): Promise<{ url: string }> {
  const answer = (method: 'GET' | 'POST', path: string, text: string, status: number, contentType: string) =>
    server.route({
      method,
      url: path,
      handler: (_request, reply) => {
        reply.code(status)
        reply.header('x-request-id', '6b7a4c1e-52d0-4f0e-9d8a-0c1b2a394857')
        reply.header('content-type', `${contentType}; charset=utf-8`)
        reply.send(text)
      },
    })
  answer('GET', '/v1/api/customer/:id', record, 200, 'application/json')
  answer('GET', '/v1/api/customers', page, 200, 'application/json')
  // It parses the body, and checks nothing.
  if (problem) answer('POST', '/v1/customer', problem, 400, 'application/problem+json')
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }) }
}

serveParent(start, () => server.close())
