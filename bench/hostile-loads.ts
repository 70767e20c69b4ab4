// Requests that would block all others without limits: as long as possible, as wrong as possible, or both.

/** A request that is repeated; `{table}` in its path is a custom table. */
export interface HostileLoad {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly body?: () => string
  readonly contentType?: string
  readonly isKeyed?: boolean
  /** Sent without a key. */
  readonly apiKey?: () => string
  /** The expected status. */
  readonly status: number
}

const megabyte = 1024 * 1024
const each = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const list = (count: number, item: string) => `[${`${item},`.repeat(count - 1)}${item}]`
const members = (count: number, name: (n: number) => string, value = '1') =>
  `{${each(count, (n) => `"${name(n)}":${value}`).join()}}`
const pairs = (count: number) => list(count, '{"key":"colour","value":"red, and then some more text"}')
const items = (count: number, item: string) => `{"items":${list(count, item)}}`

const refused = (name: string, path: string, body: () => string, more: Partial<HostileLoad> = {}): HostileLoad => ({
  name,
  path: `/v1/${path}`,
  body,
  status: 400,
  ...more,
})
const taken = (name: string, path: string, body: () => string, more: Partial<HostileLoad> = {}): HostileLoad =>
  refused(name, path, body, { status: 200, ...more })

/** A product of about 10 KB, mostly metadata. */
const product = () => `{"name":"Mug","description":"${'d'.repeat(4000)}","metadata":${pairs(100)}}`
const longNumbers = (count: number) => `[${each(count, (n) => `0.1234567890123456${n}`).join()}]`

/** Requests that are refused. */
export const refusals: readonly HostileLoad[] = [
  refused('200,000 unknown members', 'customer', () => members(200_000, (n) => `name${n}`)),
  refused('20,000 unknown members', 'customer', () => members(20_000, (n) => `name${n}`)),
  refused('240,000 duplicate members', 'customer', () => members(240_000, () => 'a')),
  refused('200,000 doubtful numbers', 'customer', () => `{"notes":${longNumbers(200_000)}}`),
  refused('doubtful numbers, 10 MB', 'customer', () => `{"notes":${list(240_000, `0.${'1234567890'.repeat(4)}`)}}`),
  refused('a number of 10 MB', 'customer', () => `{"notes":[1${'0'.repeat(9 * megabyte)}1]}`),
  refused('5,000,000 escaped quotes', 'customer', () => `{"email":"${'\\"'.repeat(5_000_000)}"}`),
  refused('240,000 escaped texts', 'customer', () => `{"notes":${list(240_000, '"\\u0000\\"\\""')}}`),
  refused('backslashes before each quote', 'customer', () => `{"email": "${`${'\\'.repeat(1_001)}"`.repeat(9_000)}`),
  refused('249,000 wrong tags', 'customer', () => `{"firstName":"A","tags":${list(249_000, '1')}}`),
  refused('249,000 wrong lines', 'refund', () => `{"orderId":"a","summary":{},"lineItems":${list(249_000, '{}')}}`),
  refused(
    '120,000 wrong taxes of a line',
    'order',
    () => `{"lineItems":[{"taxes":${list(120_000, '{"name":1,"amount":1}')}}]}`,
    { status: 413 },
  ),
  refused(
    '90,000 wrong taxes of a line',
    'order',
    () => `{"lineItems":[{"taxes":${list(90_000, '{"name":1,"amount":1}')}}]}`,
  ),
  refused('200,000 wrong amounts by name', 'session', () => `{"closingAmounts":${members(200_000, (n) => `m${n}`)}}`),
  refused('nested 33 deep, 10 MB', 'customer', () => `{"notes":[${'[['.repeat(200)}${' '.repeat(10_000_000)}`),
  refused('nested 31 deep, 240,000 values', 'customer', () =>
    list(8000, `${'['.repeat(30)}1${']'.repeat(30)}`)
      .replace(/^/, '{"tags":')
      .concat('}'),
  ),
  refused('10 MB of white space', 'customer', () => `{${' '.repeat(10 * megabyte - 100)}}`),
  refused('10 MB of line breaks', 'customer', () => `${'\n'.repeat(10_000_000)}x`),
  refused('a wrong end of 10 MB', 'customer', () => `{"metadata":${pairs(120_000)},}`),
  refused('10 MB of brackets', 'customer', () => `[${'}'.repeat(10_000_000)}`),
  refused('10,000,000 elements', 'customer', () => list(5_000_000, '1')),
  refused('1 MB that is nearly an e-mail', 'customer', () => JSON.stringify({ email: `a@${'a.'.repeat(500_000)}-` })),
  refused('1 MB that is nearly a decimal', 'customer', () => JSON.stringify({ totalSpent: '1'.repeat(1_000_000) })),
  refused('a name of 9 MB', 'customer', () => `{"${'m'.repeat(9 * megabyte)}":1}`),
  refused('9 MB of white space in a member', 'customer', () => `{"tags":${' '.repeat(9 * megabyte)}1}`),
  refused('nine names of 1 MB', 'customer', () => members(9, (n) => 'm'.repeat(megabyte) + n)),
  refused('10 MB in one record', 'product', () => `{"name":"Mug","metadata":${pairs(120_000)}}`, { status: 413 }),
  refused(
    'texts of 1 MB',
    'product',
    () => `{"name":"Mug","metadata":${list(9, `{"key":"${'k'.repeat(megabyte)}"}`)}}`,
    {
      status: 413,
    },
  ),
  refused(
    'texts of 1 MB, under a key',
    'product',
    () => `{"name":"Mug","metadata":${list(9, `{"key":"${'k'.repeat(megabyte)}"}`)}}`,
    {
      status: 413,
      isKeyed: true,
    },
  ),
  refused('10 MB in one record, under a key', 'product', () => `{"name":"Mug","metadata":${pairs(120_000)}}`, {
    status: 413,
    isKeyed: true,
  }),
  refused('200,000 unknown columns', 'api/custom-table-data/{table}', () => members(200_000, (n) => `name${n}`)),
  refused('levels beyond the limit, 10 MB', 'inventories/set-levels', () =>
    list(120_000, '{"productId":"p","variantId":"v","outletId":"o","quantity":1,"clientRef":"x"}'),
  ),
  refused('a wrong body of an import', 'imports/6740a1f2c3d4e5f6a7b8c9d0/run', () => members(200_000, (n) => `n${n}`)),
  refused('a key that is none', 'customer', () => `{"metadata":${pairs(120_000)}}`, {
    status: 401,
    apiKey: () => 'x'.repeat(8000),
  }),
  {
    name: 'a query of 1,500 parameters',
    method: 'GET',
    path: `/v1/customers?${each(1500, (n) => `p${n}=%41`).join('&')}`,
    status: 400,
  },
  { name: 'a query of 15 KB', method: 'GET', path: `/v1/customers?searchByEmail=${'a'.repeat(15_000)}`, status: 400 },
]

/** Bulk requests whose items are wrong: answered 200, each item with its error. */
export const wrongItems: readonly HostileLoad[] = [
  taken('1,000 items of 240 unknown members', 'customers', () =>
    items(
      1_000,
      members(240, (n) => `firstNames${n}`),
    ),
  ),
  taken('1,000 items of 240 wrong tags', 'customers', () => items(1_000, `{"firstName":"A","tags":${list(240, '1')}}`)),
  taken('1,000 wrong items of 10 KB', 'products', () =>
    items(1_000, `{"name":1,"metadata":${pairs(100)},"description":"${'d'.repeat(4000)}"}`),
  ),
  taken('1,000 items of 240 doubtful numbers', 'customers', () =>
    items(1_000, `{"firstName":"A","notes":${list(240, '0.12345678901234567')}}`),
  ),
  taken('1,000 wrong levels of 240 members', 'inventories/set-levels', () =>
    items(
      1_000,
      members(240, (n) => `firstNames${n}`),
    ),
  ),
]

/** Requests that are carried out. */
export const accepted: readonly HostileLoad[] = [
  taken('1,000 products, 10 MB', 'products', () => items(1_000, product())),
  taken('1,000 products, 10 MB, under a key', 'products', () => items(1_000, product()), { isKeyed: true }),
  taken('a record of 1.9 MB', 'product', () => `{"name":"Mug","metadata":${pairs(30_000)}}`, { status: 201 }),
]
