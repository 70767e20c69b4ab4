// Companies of many customers: how they get them, and a request to one with its time.
import type { Client } from 'pg'
import type { Asked, Grown } from './growth-requests.ts'
import type { Company } from './started.ts'

const portion = 10_000

/** Rows of customers: numbers $2 to $3 of company $1. Every part of a company has the same mix of values, and each outlet has all names. */
const rows = `
  select $1::text as company_id, id, json_build_object('id', id, 'companyId', $1::text, 'firstName', 'Ann', 'lastName', name, 'email', name || '.' || n || '@example.com',
    'phone', '+49 30 ' || lpad(n::text, 8, '0'), 'outletId', 'outlet-' || (hashint8(n) & 1073741823) % 50, 'externalId', 'shop-' || n, 'totalSpent', '1234.50',
    'tags', json_build_array('regular', 'tag-' || n % 50), 'source', case when n % 2 = 0 then 'pos' else 'web' end,
    'billing', json_build_object('firstName', 'Ann', 'lastName', 'Archer', 'address1', 'Torstrasse 17', 'city', 'Berlin', 'country', 'DE', 'postCode', '10119'),
    'notes', json_build_array(json_build_object('message', 'Prefers to be called in the morning.', 'createdAt', '2026-11-02T08:15:00.000Z')),
    'fromService', true, 'isDeleted', false, 'createdAt', at, 'updatedAt', at) as body
  from (
    select n, '6' || lpad(to_hex(n), 23, '0') as id, to_char('2026-01-01'::timestamp + make_interval(secs => n), 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') as at,
      (select string_agg(substr('bcdfghjklmnpqrstvwxz', 1 + ((n * 61803399 / power(20, k)::bigint) % 20)::int, 1) || substr('aeiou', 1 + ((n * 40503 / power(5, k)::bigint) % 5)::int, 1), '')
       from generate_series(0, 3) as k) as name
    from generate_series($2::bigint, $3::bigint) as n
  ) as made`

/** Records as an integration would have written them a month ago: their events have expired. */
const longAgo = `insert into customers (company_id, id, body) ${rows}`
/** Records that were written just now, each with its event. */
export const justNow = `
  with made as materialized (${rows}), written as (insert into customers (company_id, id, body) select * from made)
  insert into events (company_id, id, type, created_at, resource, record_id, data)
  select company_id, id, 'customer.created', now(), 'customer', id, body from made`

/** Gives a company its records from one number up to another, portion by portion. */
export async function load(
  sql: Client,
  { companyId }: Company,
  from: number,
  upTo: number,
  statement = longAgo,
): Promise<void> {
  process.stderr.write(`loading ${upTo - from} customers\n`)
  for (let first = from; first < upTo; first += portion)
    await sql.query(statement, [companyId, first, Math.min(first + portion, upTo) - 1])
}

/** What the run needs of a company besides its key: how many records it has, and cursors into them. */
export async function grown(url: string, company: Company, size: number): Promise<Grown> {
  const middle = async (sortBy: string) => {
    const page = await fetch(`${url}/v1/customers?sortBy=${sortBy}&limit=1&skip=${Math.floor(size / 2)}`, {
      headers: { 'x-api-key': company.apiKey },
    })
    return ((await page.json()) as any).meta.nextCursor as string
  }
  return { size, cursors: { createdAt: await middle('createdAt'), lastName: await middle('lastName') } }
}

/** Sends a request, and returns the milliseconds until its answer was complete. */
export async function ask(url: string, company: Company, { method = 'GET', path, body }: Asked): Promise<number> {
  const begun = performance.now()
  const reply = await fetch(url + path, {
    method,
    headers: { 'x-api-key': company.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const text = await reply.text()
  const ms = performance.now() - begun
  // A statement that the database gave up counts with its time.
  if (reply.status >= 300 && reply.status !== 503)
    throw new Error(`${method} ${path} was answered ${reply.status}: ${text.slice(0, 300)}`)
  return ms
}
