// The two services of the comparison that people write by hand: Fastify with Drizzle, and Fastify with Prisma, on the same table.
import { idMark } from '../sample.ts'
import { insertAll, newCustomer, outletId, searched } from './records.ts'
import type { Place, Rival } from './rival.ts'

/** The table with the indexes that these requests need, including one for "contains". */
const schema = `
  create extension if not exists pg_trgm;
  create table customers (
    id uuid primary key default gen_random_uuid(),
    email text, first_name text, last_name text, phone text, outlet_id text, external_id text,
    total_spent numeric(21, 6), last_action timestamptz, tags text[], billing jsonb, notes jsonb, source text,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create index on customers (created_at);
  create index on customers (outlet_id, created_at);
  create index on customers (external_id);
  create index on customers (email);
  create index on customers using gin (last_name gin_trgm_ops)`

const insert = `
  insert into customers (email, first_name, last_name, phone, outlet_id, external_id, total_spent, last_action, tags,
    billing, notes, source, created_at, updated_at)
  select email, "firstName", "lastName", phone, "outletId", "externalId", "totalSpent", "lastAction",
    array(select jsonb_array_elements_text(tags)), billing, notes, source, now() + n * interval '1 ms', now()`

async function prepare({ query, records }: Place): Promise<string> {
  await query(schema)
  await insertAll(query, records, insert)
  return ''
}

const shared: Pick<Rival, 'prepare' | 'command' | 'readyPath' | 'table' | 'requests'> = {
  prepare,
  command: ({ databaseUrl }) => ({ args: ['server.js'], env: { DATABASE_URL: databaseUrl } }),
  readyPath: `/customers?outletId=${outletId}`,
  table: 'customers',
  requests: async () => ({
    read: `/customers/${idMark}`,
    list: `/customers?outletId=${outletId}&limit=100`,
    counted: `/customers?outletId=${outletId}&limit=100&count=true`,
    search: `/customers?lastName=${searched}&limit=100`,
    create: { path: '/customers', body: newCustomer },
    bulk: { path: '/customers/bulk', body: (records) => records },
  }),
}

export const drizzle: Rival = {
  ...shared,
  name: 'drizzle',
  label: 'Fastify + Drizzle',
  files: ['drizzle/package.json', 'drizzle/server.js', 'schemas.js'],
}

export const prisma: Rival = {
  ...shared,
  name: 'prisma',
  label: 'Fastify + Prisma',
  files: ['prisma/package.json', 'prisma/schema.prisma', 'prisma/server.js', 'schemas.js'],
  // Generating the client needs no schema engine, which Prisma would download from its own server.
  build: ({ node }) =>
    node(['node_modules/prisma/build/index.js', 'generate'], { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }),
}
