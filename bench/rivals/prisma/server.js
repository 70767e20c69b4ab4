// The customers of the comparison as a service of Fastify and Prisma, written as their documentations show it.
import { PrismaPg } from '@prisma/adapter-pg'
import Fastify from 'fastify'
import { PrismaClient } from './generated/client.ts'
import { customerBody, listQuery } from './schemas.js'

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) })
const server = Fastify()

server.get('/customers/:id', async (request, reply) => {
  const customer = await prisma.customer.findUnique({ where: { id: request.params.id } })
  return customer ?? reply.code(404).send({ message: 'Not found' })
})
server.get('/customers', { schema: { querystring: listQuery } }, async ({ query }) => {
  const { outletId, lastName, limit } = query
  const where = lastName !== undefined ? { lastName: { contains: lastName, mode: 'insensitive' } } : { outletId }
  const page = { where, orderBy: { createdAt: 'desc' }, take: limit }
  if (!query.count) return { data: await prisma.customer.findMany(page) }
  const [data, count] = await Promise.all([prisma.customer.findMany(page), prisma.customer.count({ where })])
  return { data, count }
})
server.post('/customers', { schema: { body: customerBody } }, async ({ body }, reply) =>
  reply.code(201).send(await prisma.customer.create({ data: body })),
)
server.post('/customers/bulk', { schema: { body: { type: 'array', items: customerBody } } }, async ({ body }, reply) =>
  reply.code(201).send(await prisma.customer.createManyAndReturn({ data: body })),
)

await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
