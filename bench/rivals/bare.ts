// The yardstick of the comparison: a bare Fastify that sends the bytes of Cashwrap's answers, without key and database.
import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'

/** An answer, by the job that it belongs to. */
interface Answer {
  readonly job: string
  readonly method: 'GET' | 'POST'
  readonly status: number
  readonly text: string
}

const server = Fastify()
const answers: Answer[] = JSON.parse(await readFile(process.argv[2] as string, 'utf8'))
for (const { job, method, status, text } of answers)
  server.route({
    method,
    url: job === 'read' ? '/read/:id' : `/${job}`,
    handler: (_request, reply) => {
      reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
    },
  })
server.get('/', (_request, reply) => reply.send('{}'))
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
