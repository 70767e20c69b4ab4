// The requests whose times must hardly grow with a company: each is made for a company by its size, and has a bound for the ratio.

/** What a request needs to know of its company. */
export interface Grown {
  readonly size: number
  /** A cursor to its middle, by the member that the list is sorted by. */
  readonly cursors: { readonly createdAt: string; readonly lastName: string }
}

/** A request over HTTP. */
export interface Asked {
  readonly method?: string
  readonly path: string
  readonly body?: string
}

interface GrowthRequest {
  readonly name: string
  /** The greatest ratio of the large company's median to the small one's. */
  readonly bound?: number
  /** How many are made in each round; one unless it is quick. */
  readonly times?: number
  readonly make: (company: Grown, n: number) => Asked
}

const list = (query: string): Asked => ({ path: `/v1/customers${query && '?'}${query}` })
/** A list; `@` in its query is replaced by another of the texts each time, so that no answer can be one of before. */
const lists = (name: string, query: string, bound?: number, texts: readonly string[] = ['']): GrowthRequest => ({
  name,
  ...(bound !== undefined && { bound }),
  make: (_, n) => list(query.replace('@', texts[n % texts.length] as string)),
})
const outletIds = Array.from({ length: 50 }, (_, n) => `outlet-${n}`)
const four = ['lomi', 'bako', 'zude', 'rifo', 'tupe', 'hina', 'goso', 'keva', 'memu', 'vibi', 'dofe', 'puza']
const pairs = ['lo', 'ba', 'zu', 'ri', 'tu', 'hi', 'go', 'ke', 'me', 'vi', 'do', 'pu']
const noPairs = ['xq', 'lx', 'bb', 'q7', '7a', 'hh', 'gk', 'kt', 'mn', 'vw', 'dt', 'pq']
const letters = ['l', 'b', 'z', 'r', 't', 'h', 'g', 'k', 'm', 'v', 'd', 'p']
const noLetters = ['7', '8', '9', '0', '1', '2', '3', '4', '5', '6', '-', '_']
/** A number below the size, another one for each n. */
const some = (size: number, n: number) => (n * 7_919 + 13) % size
const customer = (n: number) => ({
  firstName: 'Ann',
  lastName: 'Archer',
  email: `ann.${n}@example.com`,
  outletId: `outlet-${n % 50}`,
  source: 'pos',
  tags: ['regular'],
})
const middle = (size: number, part: number) => new Date(Date.UTC(2026, 0, 1) + size * part * 1000).toISOString()

/** All of them, in the order of the table. */
export const growthRequests: readonly GrowthRequest[] = [
  {
    name: 'read',
    bound: 1.5,
    times: 10,
    make: ({ size }, n) => ({ path: `/v1/customer/6${some(size, n).toString(16).padStart(23, '0')}` }),
  },
  {
    name: 'create',
    bound: 1.5,
    times: 5,
    make: (_, n) => ({ method: 'POST', path: '/v1/customer', body: JSON.stringify(customer(n)) }),
  },
  {
    name: 'bulk create of 1,000',
    bound: 1.5,
    make: (_, n) => ({
      method: 'POST',
      path: '/v1/customers',
      body: JSON.stringify(Array.from({ length: 1_000 }, (_, k) => customer(n * 1_000 + k))),
    }),
  },
  { name: 'Style A page', bound: 1.5, times: 3, make: () => ({ path: '/v1/api/customers' }) },
  { name: 'Style A page with total', bound: 3, make: () => ({ path: '/v1/api/customers?total=true' }) },
  { name: 'cursor page', bound: 1.5, times: 3, make: ({ cursors }) => list(`cursor=${cursors.createdAt}`) },
  {
    name: 'cursor page by lastName',
    bound: 1.5,
    times: 3,
    make: ({ cursors }) => list(`sortBy=lastName&cursor=${cursors.lastName}`),
  },
  { name: 'cursor page with count', bound: 3, make: ({ cursors }) => list(`count=true&cursor=${cursors.createdAt}`) },
  { name: 'exact filter', bound: 1.5, times: 3, make: ({ size }, n) => list(`externalId=shop-${some(size, n)}`) },
  lists('Style B page', '', 3),
  lists('Style B page, newest first', 'sortBy=updatedAt&sortOrder=desc', 3),
  lists('Style B page by email', 'sortBy=email', 3),
  lists('Style B page by lastName, last first', 'sortBy=lastName&sortOrder=desc', 3),
  lists('filter of 2 %', 'outletId=@', 20, outletIds),
  lists('filter of 2 %, by lastName', 'outletId=@&sortBy=lastName', 20, outletIds),
  {
    name: 'filter of 50 % and a bound of createdAt',
    make: (_, n) => list(`source=web&createdAt[gte]=2020-01-${10 + (n % 20)}`),
  },
  lists('filter of 50 %, the same again', 'source=web', 20),
  lists(
    'tag of 2 %',
    'tags=@',
    20,
    outletIds.map((id) => id.replace('outlet', 'tag')),
  ),
  lists('tag of 2 %, the same again', 'tags=tag-7', 20),
  lists('two filters', 'source=web&outletId=@', 20, outletIds),
  { name: 'range of 50 %', bound: 20, make: ({ size }, n) => list(`createdAt[gte]=${middle(size, 0.5 + n / 1_000)}`) },
  {
    name: 'range of 0.1 %',
    bound: 20,
    make: ({ size }, n) => list(`updatedAt[gte]=${middle(size, 0.999 - n / 1e6)}`),
  },
  { name: 'range of 90 %', bound: 20, make: ({ size }, n) => list(`updatedAt[gte]=${middle(size, 0.1 - n / 1e6)}`) },
  { name: 'range of all', bound: 20, make: (_, n) => list(`createdAt[gte]=2020-01-${10 + (n % 20)}`) },
  {
    name: 'range of 10 %, by lastName',
    bound: 20,
    make: ({ size }) => list(`updatedAt[gte]=${middle(size, 0.3)}&updatedAt[lt]=${middle(size, 0.4)}&sortBy=lastName`),
  },
  lists('search of 4 characters', 'searchByLastName=@', 15, four),
  lists('search of a word in all members', 'search=@', 20, four),
  lists('search of two words in all members', 'search=@+example', 20, four),
  lists('search of 2 characters, frequent', 'searchByLastName=@', 20, pairs),
  lists('search of 2 characters, none', 'searchByLastName=@', 20, noPairs),
  lists('search of 1 character, frequent', 'searchByLastName=@', undefined, letters),
  lists('search of 1 character, none', 'searchByLastName=@', undefined, noLetters),
  { name: 'skip of 90 %', bound: 30, make: ({ size }) => list(`skip=${Math.floor(size * 0.9)}`) },
  { name: 'skip of 50 %', bound: 30, make: ({ size }) => list(`skip=${Math.floor(size * 0.5)}`) },
  {
    name: 'skip of 90 %, by email, last first',
    bound: 30,
    make: ({ size }) => list(`sortBy=email&sortOrder=desc&skip=${Math.floor(size * 0.9)}`),
  },
  {
    name: 'skip of 90 % in a filter of 50 %',
    bound: 30,
    make: ({ size }) => list(`source=web&skip=${Math.floor(size * 0.45)}`),
  },
]
