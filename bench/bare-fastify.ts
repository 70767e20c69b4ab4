// The limit of every response: a Fastify without keys and database that sends the same bytes.
import Fastify from 'fastify'
import { serveParent } from './child.ts'

const server = Fastify()

async function start({ record, page }: { record: string; page: string }): Promise<{ url: string }> {
  const answer = (path: string, text: string) =>
    server.get(path, (_request, reply) => {
      reply.header('x-request-id', '6b7a4c1e-52d0-4f0e-9d8a-0c1b2a394857')
      reply.header('content-type', 'application/json; charset=utf-8')
      reply.send(text)
    })
  answer('/v1/api/customer/:id', record)
  answer('/v1/api/customers', page)
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }) }
}

serveParent(start, () => server.close())
