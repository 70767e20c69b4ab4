// Lists within bounds of the time by which they are sorted have exactly the records of the range, in order, on every page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from './support/service.ts'

const service = testService()
const outlets = ['6740a1f2c3d4e5f6a7b8c901', '6740a1f2c3d4e5f6a7b8c902']

type Call = Awaited<ReturnType<typeof service.company>>['call']
type Bounds = Readonly<Record<string, string>>

const holds: Readonly<Record<string, (time: string, bound: string) => boolean>> = {
  gte: (time, bound) => time >= bound,
  gt: (time, bound) => time > bound,
  lte: (time, bound) => time <= bound,
  lt: (time, bound) => time < bound,
}

/** Records of three times, four of each, some of them changed and some deleted since. */
async function filled(call: Call): Promise<any[]> {
  const made: any[] = []
  while (new Set(made.map(({ createdAt }) => createdAt)).size < 3) {
    const items = [0, 1, 2, 3].map((n) => ({ lastName: `n${n}`, outletId: outlets[n % 2] }))
    const { body } = await call('POST', '/v1/customers', { items })
    made.push(...body.results.map(({ data }: any) => data))
  }
  for (const n of [6, 1, 8]) await call('PATCH', `/v1/customer/${made[n].id}`, { firstName: 'changed' })
  await call('DELETE', `/v1/customer/${made[5].id}`)
  return (await call('GET', '/v1/customers?includeDeleted=true&limit=100')).body.data
}

/** The ids of all pages of a list. */
async function pagesOf(call: Call, query: URLSearchParams): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    if (cursor) query.set('cursor', cursor)
    const { status, body } = await call('GET', `/v1/customers?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    ids.push(...body.data.map(({ id }: any) => id))
    if (!cursor) assert.equal(body.meta.count, body.data.length < 3 ? ids.length : body.meta.count)
    cursor = body.meta.nextCursor
  }
  return ids
}

/** Bounds at each of the times, around it, and between them. */
const boundsOf = ([a, b, c]: readonly string[]): Bounds[] => [
  ...[a, b, c].flatMap((time) => ['gte', 'gt', 'lte', 'lt'].map((bound) => ({ [bound]: time as string }))),
  { gte: b as string, lte: b as string },
  { gt: a as string, lt: c as string },
  { gte: a as string, gt: b as string, lte: c as string },
  { gt: c as string, lt: a as string },
  { gte: '2020-01-01', lt: '2120-01-01T00:00:00+02:00' },
]

test('each bound of the time by which a list is sorted holds, in both orders, alone and beside an exact member, from one page to the next', async () => {
  const { call } = await service.company()
  const all = await filled(call)
  for (const sortBy of ['createdAt', 'updatedAt']) {
    const times = [...new Set(all.map((record) => record[sortBy]))].sort()
    for (const bounds of boundsOf([times[0], times[1], times.at(-1)]))
      for (const sortOrder of ['asc', 'desc'])
        for (const more of [{}, { outletId: outlets[1] as string }, { includeDeleted: 'true' }]) {
          const named = Object.entries(bounds).map(([bound, time]): [string, string] => [`${sortBy}[${bound}]`, time])
          const query = new URLSearchParams([...named, ...Object.entries({ ...more, sortBy, sortOrder, limit: '3' })])
          const expected = all
            .filter((record) => Object.entries(bounds).every(([bound, time]) => holds[bound]?.(record[sortBy], time)))
            .filter(({ isDeleted }) => 'includeDeleted' in more || !isDeleted)
            .filter(({ outletId }) => !('outletId' in more) || outletId === more.outletId)
            .map((record) => [record[sortBy], record.id])
            .sort((one, other) => (String(one) < String(other) ? -1 : 1) * (sortOrder === 'asc' ? 1 : -1))
            .map(([, id]) => id)
          assert.deepEqual(await pagesOf(call, query), expected, String(query))
        }
  }
})

test('a cursor of a list without bounds, from before a range, continues at the beginning of the range; one from behind it finds nothing', async () => {
  const { call } = await service.company()
  const all = (await filled(call)).filter(({ isDeleted }) => !isDeleted)
  const cursorAt = async (limit: number) => (await call('GET', `/v1/customers?limit=${limit}`)).body.meta.nextCursor
  const from = all[4].createdAt
  const idsFrom = async (range: string, cursor: string) =>
    (await call('GET', `/v1/customers?limit=100&${range}&cursor=${cursor}`)).body.data.map(({ id }: any) => id)
  const inRange = all.filter(({ createdAt }) => createdAt >= from).map(({ id }) => id)
  assert.deepEqual(await idsFrom(`createdAt[gte]=${from}`, await cursorAt(1)), inRange)
  assert.deepEqual(await idsFrom(`createdAt[lt]=${from}`, await cursorAt(all.length - 1)), [])
})
