// The customers of the comparison as a service of Fastify and Drizzle, written as their documentations show it.
import { and, count, desc, eq, ilike, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { jsonb, numeric, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import Fastify from 'fastify'
import pg from 'pg'
import { customerBody, listQuery } from './schemas.js'

const customers = pgTable('customers', {
  id: uuid().primaryKey().defaultRandom(),
  email: text(),
  firstName: text('first_name'),
  lastName: text('last_name'),
  phone: text(),
  outletId: text('outlet_id'),
  externalId: text('external_id'),
  totalSpent: numeric('total_spent', { precision: 21, scale: 6 }),
  lastAction: timestamp('last_action', { withTimezone: true }),
  tags: text().array(),
  billing: jsonb(),
  notes: jsonb(),
  source: text(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

const db = drizzle({ client: new pg.Pool({ connectionString: process.env.DATABASE_URL }) })
const server = Fastify()

const one = db
  .select()
  .from(customers)
  .where(eq(customers.id, sql.placeholder('id')))
  .prepare('one')
const ofOutlet = db
  .select()
  .from(customers)
  .where(eq(customers.outletId, sql.placeholder('outletId')))
  .orderBy(desc(customers.createdAt))
  .limit(sql.placeholder('limit'))
  .prepare('of_outlet')
const countOfOutlet = db
  .select({ count: count() })
  .from(customers)
  .where(eq(customers.outletId, sql.placeholder('outletId')))
  .prepare('count_of_outlet')
const found = db
  .select()
  .from(customers)
  .where(and(ilike(customers.lastName, sql.placeholder('pattern'))))
  .orderBy(desc(customers.createdAt))
  .limit(sql.placeholder('limit'))
  .prepare('found')

const toRow = (body) => ({ ...body, lastAction: body.lastAction && new Date(body.lastAction) })

server.get('/customers/:id', async (request, reply) => {
  const [customer] = await one.execute({ id: request.params.id })
  return customer ?? reply.code(404).send({ message: 'Not found' })
})
server.get('/customers', { schema: { querystring: listQuery } }, async ({ query }) => {
  const { outletId, lastName, limit } = query
  if (lastName !== undefined) return { data: await found.execute({ pattern: `%${lastName}%`, limit }) }
  if (!query.count) return { data: await ofOutlet.execute({ outletId, limit }) }
  const [data, [total]] = await Promise.all([
    ofOutlet.execute({ outletId, limit }),
    countOfOutlet.execute({ outletId }),
  ])
  return { data, count: total.count }
})
server.post('/customers', { schema: { body: customerBody } }, async ({ body }, reply) => {
  const [customer] = await db.insert(customers).values(toRow(body)).returning()
  return reply.code(201).send(customer)
})
server.post('/customers/bulk', { schema: { body: { type: 'array', items: customerBody } } }, async ({ body }, reply) =>
  reply.code(201).send(await db.insert(customers).values(body.map(toRow)).returning()),
)

await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
