// Equal lists that wait for their turn at the same time are read once, and none of them is older than its request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalescing } from '../src/concurrency/coalescing.ts'
import { fairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import { SEMAPHORES } from '../src/core/limits.ts'
import type { Scope } from '../src/core/scope.ts'
import type { Queryable } from '../src/database/connect.ts'
import { type PageRequest, pager } from '../src/engine/lists/list.ts'
import { customer } from '../src/resources/customer.ts'
import { type Company, testService } from './support/service.ts'

const service = testService({
  bounds: { semaphores: { ...SEMAPHORES, list: { ...SEMAPHORES.list, atOnce: 1 } } },
})

interface Read {
  /** Its place among all reads that have begun, from 1. */
  readonly number: number
  readonly values: readonly unknown[]
  /** Lets it go on, or fail. */
  readonly gate: PromiseWithResolvers<void>
}

/** Lists of customers that are read one at a time; each read waits until a test lets it go on. */
function gated() {
  let begun = 0
  const reads: Read[] = []
  let came = Promise.withResolvers<void>()
  const beginRead = async (): Promise<Queryable> => {
    const number = ++begun
    return {
      inTransaction: false,
      isSharded: false,
      async query(statement, values = []) {
        const gate = Promise.withResolvers<void>()
        reads.push({ number, values, gate })
        came.resolve()
        await gate.promise
        return service.database.query(statement, values)
      },
    }
  }
  const pages = pager(
    customer,
    { ...service.database, beginRead },
    fairSemaphore({ name: 'test', atOnce: 1, waiting: 100 }),
  )
  const list = ({ id }: Pick<Company, 'id'>, limit: number, isGone?: PageRequest['isGone']) =>
    pages({ companyId: id } as Scope, { parameters: { limit }, wantsCount: false, isGone })
  /** Lets the next read go on, or fail, once it is there. */
  const step = async (failure?: Error): Promise<Read> => {
    while (reads.length === 0) {
      came = Promise.withResolvers()
      await came.promise
    }
    const read = reads.shift() as Read
    if (failure) read.gate.reject(failure)
    else read.gate.resolve()
    return read
  }
  return { list, step, begun: () => begun, isIdle: () => reads.length === 0 }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

const create = async ({ call }: Company, firstName: string): Promise<string> =>
  (await call('POST', '/v1/customer', { firstName })).body.id

test('equal lists that wait are one statement, with what was written before the last of them asked', async () => {
  const a = await service.company()
  const b = await service.company()
  const { list, step, begun } = gated()
  const first = list(a, 5)
  await turn()
  const waiting = [list(a, 5), list(a, 5)]
  const others = [list(a, 6), list(b, 5)]
  await turn()
  const id = await create(a, 'Ann')
  waiting.push(list(a, 5))
  const begunBefore = begun()
  await step()
  const shared = await step()
  assert.deepEqual(shared.values, [a.id, 6])
  assert.ok(shared.number > begunBefore, 'the read began before the last of its callers asked')
  const pages = await Promise.all(waiting)
  for (const { texts } of pages)
    assert.deepEqual(
      texts.map((text) => JSON.parse(text).id),
      [id],
    )
  // Those of another length, and of another company, are read on their own.
  const own = [await step(), await step()].map(({ values }) => values)
  assert.deepEqual(own.toSorted(), [[a.id, 7] as const, [b.id, 6] as const].toSorted())
  const [longer, foreign] = await Promise.all(others)
  assert.equal(longer?.texts.length, 1)
  assert.deepEqual(foreign?.texts, [])
  await first
})

test('a statement that has begun is not shared any more', async () => {
  const company = await service.company()
  const { list, step } = gated()
  const first = list(company, 5)
  await turn()
  const id = await create(company, 'Ann')
  const second = list(company, 5)
  await step()
  await step()
  await first
  assert.equal(JSON.parse((await second).texts[0] as string).id, id)
})

test('a list is read while at least one of its callers still waits', async () => {
  const company = await service.company()
  const { list, step, isIdle } = gated()
  const gone = new Set<string>()
  const first = list(company, 5)
  await turn()
  const join = (name: string, limit: number) => list(company, limit, () => gone.has(name))
  const left = join('left', 6)
  const stays = join('stays', 6)
  const all = [join('x', 7), join('y', 7)]
  await turn()
  for (const name of ['left', 'x', 'y']) gone.add(name)
  await step()
  await step()
  await Promise.all([first, left, stays])
  for (const { status, reason } of (await Promise.allSettled(all)) as PromiseRejectedResult[])
    assert.deepEqual([status, reason.code], ['rejected', 'unavailable'])
  assert.ok(isIdle())
})

test('a caller that arrives just after all others were found gone does not fail with them', async () => {
  const coalesce = coalescing<string>()
  let late: Promise<unknown> | undefined
  const refused = coalesce(
    'list',
    async ({ isGone }) => {
      await turn()
      assert.ok(isGone())
      late = coalesce('list', async () => 'read', () => false) // biome-ignore format: one thought
      throw new Error('late')
    },
    () => true,
  )
  await assert.rejects(refused, /late/)
  assert.deepEqual(await late, ['read', 0])
})

test('a statement of long pages is shared by as many as fill the memory of one page; the others share the next', async () => {
  const company = await service.company()
  const notes = ['a', 'b'].map((letter) => letter.repeat(600_000))
  for (let n = 0; n < 5; n++)
    assert.equal((await company.call('POST', '/v1/customer', { firstName: 'Ann', notes })).status, 201)
  const { list, step, isIdle } = gated()
  const first = list(company, 1)
  await turn()
  const waiting = Array.from({ length: 5 }, () => list(company, 5))
  await turn()
  await step()
  // Six megabytes each: two of them, two more, and the last.
  for (let n = 0; n < 3; n++) await step()
  for (const { texts } of await Promise.all(waiting)) assert.equal(texts.length, 5)
  assert.ok(isIdle())
  await first
})

test('a failed statement fails those who waited for it; the same list is read again afterwards', async () => {
  const company = await service.company()
  const { list, step } = gated()
  const first = list(company, 5)
  await turn()
  const waiting = Promise.allSettled([list(company, 5), list(company, 5)])
  await step()
  await step(new Error('lost'))
  for (const { status } of await waiting) assert.equal(status, 'rejected')
  const again = list(company, 5)
  await step()
  assert.deepEqual(
    (await Promise.all([first, again])).map(({ texts }) => texts),
    [[], []],
  )
})

test('each of many clients that request the same list sees the record that it has just written', async () => {
  const { call } = await service.company()
  const lists = ['/v1/customers?sortOrder=desc&limit=100', '/v1/api/customers?limit=100']
  await Promise.all(
    Array.from({ length: 24 }, async (_, client) => {
      for (let n = 0; n < 4; n++) {
        const { body: written } = await call('POST', '/v1/customer', { firstName: `${client} ${n}` })
        const { body } = await call('GET', lists[(client + n) % 2] as string)
        const ids = (body.data ?? body).map(({ id }: { id: string }) => id)
        assert.ok(ids.includes(written.id), `client ${client} misses its record ${n}`)
      }
    }),
  )
})
