// Files for imports, and calls that send them and wait for what becomes of them.
import assert from 'node:assert/strict'
import type { Route } from '../../src/http/route.ts'
import type { Body } from './contract.ts'
import { until } from './program.ts'
import type { Caller, Company, Reply, TestService } from './service.ts'

export type Row = Readonly<Record<string, string | number>>

/** CSV text of rows; its columns are those of all rows. */
export function csvOf(rows: readonly Row[]): string {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly unknown[]) =>
    cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join()
  return [headings, ...rows.map((row) => headings.map((heading) => row[heading]))].map(line).join('\n')
}

/** Simple products as WooCommerce exports them. */
export const mugs = (count: number, more: Row = {}): Row[] =>
  Array.from({ length: count }, (_, n) => ({
    ID: n + 1,
    Type: 'simple',
    SKU: `M${n}`,
    Name: `Mug ${n}`,
    Published: 1,
    'Regular price': '5',
    Stock: n,
    Categories: 'Home > Mugs',
    ...more,
  }))

/** A file of few rows with some 10 KB each, where its length is what counts: it is stored in chunks of 1 MB. */
export const longFile = (rows: number): string => csvOf(mugs(rows, { Description: 'x'.repeat(10_000) }))

/** All records of a kind that a company's lists show. */
export const listed = async ({ call }: Company, kind: string): Promise<Body[]> =>
  (await call('GET', `/v1/${kind}?limit=1000`)).body.data

/** The refused lines of an import as CSV. */
export const refusedLines = async (call: Caller, id: string): Promise<string> =>
  (await call('GET', `/v1/imports/${id}/refused`)).text

/** A company’s catalogue, except times, which an undo changes. */
export async function catalogue(company: Company): Promise<Body[]> {
  const all = await Promise.all(
    ['products', 'variants', 'categories', 'outlets', 'inventories'].map((kind) => listed(company, kind)),
  )
  return all.flat().map(({ updatedAt: _, ...record }) => record)
}

/** How much is stored of a company's files, visible or not. */
export async function storedFiles(
  { database }: Pick<TestService, 'database'>,
  { id }: Company,
): Promise<{ imports: number; chunks: number }> {
  const [[imports, chunks]] = (await database.query(
    `select (select count(*)::int from imports where company_id = $1), (select count(*)::int from import_pieces where company_id = $1)`,
    [id],
  )) as [[number, number]]
  return { imports, chunks }
}

/** Where nothing is stored of any file. */
export const noFiles = { imports: 0, chunks: 0 }

/** A shirt with two variations as WooCommerce exports it, and a mug. */
export const shirt: Row[] = [
  {
    ID: 10,
    Type: 'variable',
    SKU: 'TEE',
    Name: 'T-Shirt',
    Published: 1,
    Categories: 'Clothing > Shirts',
    'Attribute 1 name': 'Colour',
    'Attribute 1 value(s)': 'Red, Blue',
    Parent: '',
  },
  {
    ID: 11,
    Type: 'variation',
    SKU: 'TEE-R',
    Name: 'T-Shirt - Red',
    Published: 1,
    Parent: 'id:10',
    Stock: 3,
    'Regular price': 20,
    'Attribute 1 name': 'Colour',
    'Attribute 1 value(s)': 'Red',
  },
  {
    ID: 12,
    Type: 'variation',
    SKU: 'TEE-B',
    Name: 'T-Shirt - Blue',
    Published: 1,
    Parent: 'TEE',
    Stock: 0,
    'Regular price': 22,
    'Attribute 1 name': 'Colour',
    'Attribute 1 value(s)': 'Blue',
  },
  { ID: 13, Type: 'simple', SKU: 'MUG', Name: 'Mug', Published: 1, 'Regular price': 5, Stock: 1.5 },
]

const csv = { 'content-type': 'text/csv' }

/** Sends a file, with any result. */
export const send = (
  call: Caller,
  file: string | Uint8Array,
  query = '',
  headers: Record<string, string> = {},
): Promise<Reply> => call('POST', `/v1/imports${query && `?${query}`}`, file, { ...csv, ...headers })

/** Sends a file that is accepted, and returns the import. */
export async function sent(call: Caller, file: string | Uint8Array, query = ''): Promise<Body> {
  const { status, body, text } = await send(call, file, query)
  assert.equal(status, 201, text)
  return body
}

/** Waits until an import is in one of some states, and returns it. */
export async function reached(call: Caller, id: string, ...states: string[]): Promise<Body> {
  let job: Body = {}
  await until(`the import is ${states.join(' or ')}`, async () => {
    job = (await call('GET', `/v1/imports/${id}`)).body
    if (!states.includes(job.state) && ['failed', 'done', 'cancelled', 'undone'].includes(job.state))
      throw new Error(`The import is ${job.state}: ${job.problem}`)
    return states.includes(job.state)
  })
  return job
}

/** Sends a file, and waits for the result of the run. */
export async function imported(call: Caller, file: string | Uint8Array, query = ''): Promise<Body> {
  const { id } = await sent(call, file, `run=true${query && `&${query}`}`)
  return reached(call, id, 'done')
}

/** Undoes an import, and waits until it is undone. */
export async function undone({ call }: Company, id: string): Promise<Body> {
  const { status, body } = await call('POST', `/v1/imports/${id}/undo`)
  assert.deepEqual([status, body.state, body.undoUntil], [200, 'undoing', undefined])
  return reached(call, id, 'undone')
}

/** What an undo did with the records of a catalogue, by kind. */
export const undoCounts = ({ customers, orders, transactions, refunds, ...undo }: Body) =>
  Object.fromEntries(Object.entries(undo).map(([kind, each]) => [kind, Object.values(each as object).join(' ')]))

/** True of the routes of imports. */
export const isOfImports = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith('/v1/imports')

/** The response of a route to a request that succeeds. */
export async function importSuccess(call: Caller, { method, path }: Route): Promise<Reply> {
  if (method === 'POST' && path === '/v1/imports') return send(call, csvOf(shirt), 'fileName=shirts.csv')
  const { id } = await sent(call, csvOf(shirt))
  await reached(call, id, 'ready')
  if (/\/(undo|left)$/.test(path)) {
    await call('POST', `/v1/imports/${id}/run`)
    await reached(call, id, 'done')
  }
  return call(method, path.replace('{id}', id), bodyOf(path))
}

/** The body of a request, if it needs one. */
const bodyOf = (path: string) => (path.endsWith('/check') ? { locations: [] } : undefined)

/** A request that succeeds while no server runs imports: the import looks as if it were checked. */
export async function importRequest({ database }: TestService, { call, id: companyId }: Company, { path }: Route) {
  const list = '/v1/imports'
  if (path === list) return { path: `${list}?fileName=shirts.csv`, body: csvOf(shirt), headers: csv, list }
  const { id } = await sent(call, csvOf(shirt))
  const state = path.endsWith('/undo') ? `'done', undo_until = now() + interval '1 hour'` : `'ready'`
  await database.query(`update imports set state = ${state}, is_checked = true where company_id = $1 and id = $2`, [
    companyId,
    id,
  ])
  const body = bodyOf(path)
  return { path: path.replace('{id}', id), ...(body && { body }), list }
}
