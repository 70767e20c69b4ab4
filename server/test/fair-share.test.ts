// Shared places: a company alone may take all of them, and at most half while another one waits or sent a request within the last second.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_ITEMS, BATCH_ITEMS_BESIDE, BATCH_STATEMENTS } from '../src/concurrency/batch.ts'
import { batcher } from '../src/concurrency/batcher.ts'
import { fairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import { PRESENT_MS, type TenantActivity, tenantActivity } from '../src/concurrency/tenant-activity.ts'
import { tenantBatcher } from '../src/concurrency/tenant-batcher.ts'
import { SEMAPHORES } from '../src/core/limits.ts'

/**
 * A clock that only the test moves, with timers of its own: mocked ones would also replace those of a service that other
 * files of this process share.
 */
function clock(): { presence: TenantActivity; pass(ms: number): void } {
  const timers: { readonly at: number; readonly work: () => void }[] = []
  let now = 0
  return {
    presence: tenantActivity({ now: () => now, after: (ms, work) => void timers.push({ at: now + ms, work }) }),
    pass(ms) {
      now += ms
      for (const timer of timers.splice(0)) timer.at <= now ? timer.work() : timers.push(timer)
    },
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A semaphore whose work is in progress until the test ends it. */
function watched(
  presence: TenantActivity,
  bounds: Parameters<typeof fairSemaphore>[0] = { name: 'test', atOnce: 5, waiting: 100 },
) {
  const inTurn = fairSemaphore(bounds, presence)
  const begun: { line: string; end: () => void }[] = []
  return {
    ask: (line: string, { count = 1, kind }: { count?: number; kind?: string } = {}) => {
      for (let n = 0; n < count; n++)
        inTurn(
          { tenant: line, kind, isGone: () => false },
          () => new Promise<void>((resolve) => begun.push({ line, end: resolve })),
        ).catch(() => {})
    },
    /** Ends the first work in progress of a company. */
    async end(line: string) {
      const at = begun.findIndex((work) => work.line === line)
      begun.splice(at, 1)[0]?.end()
      await settled()
    },
    underWay: () => begun.map(({ line }) => line).join(''),
  }
}

test('a company alone takes all places', () => {
  const { ask, underWay } = watched(clock().presence)
  ask('a', { count: 8 })
  assert.equal(underWay(), 'aaaaa')
})

test('a company takes half of the places while another sent a request within the last second, and all afterwards', () => {
  const { presence, pass } = clock()
  const { ask, underWay } = watched(presence)
  presence.asked('b')
  ask('a', { count: 8 })
  assert.equal(underWay(), 'aa')
  pass(PRESENT_MS - 1)
  assert.equal(underWay(), 'aa')
  pass(2)
  assert.equal(underWay(), 'aaaaa')
})

test('the next place goes to another company that waits, until each has its half', async () => {
  const { ask, end, underWay } = watched(clock().presence)
  ask('a', { count: 8 })
  ask('b', { count: 8 })
  for (let n = 0; n < 3; n++) await end('a')
  assert.equal(underWay(), 'aabb')
  ask('c')
  assert.equal(underWay(), 'aabbc')
})

test('another company that waits for longer than a second still counts', async () => {
  const { presence, pass } = clock()
  const { ask, end, underWay } = watched(presence, { name: 'test', atOnce: 2, waiting: 100 })
  ask('a', { count: 4 })
  ask('b', { count: 2 })
  pass(2 * PRESENT_MS)
  await end('a')
  assert.equal(underWay(), 'ab')
  await end('a')
  assert.equal(underWay(), 'ba')
})

test('a company at its maximum delays no company behind it', () => {
  const { presence } = clock()
  const { ask, underWay } = watched(presence)
  presence.asked('b')
  ask('a', { count: 50 })
  ask('b')
  ask('c')
  assert.equal(underWay(), 'aabc')
})

test('a company has only one item of exclusive work at a time, even alone, and its other work runs in parallel', async () => {
  const { ask, end, underWay } = watched(clock().presence)
  ask('a', { count: 8, kind: 'short search' })
  ask('a', { count: 2 })
  assert.equal(underWay(), 'aaa')
  ask('b', { kind: 'short search' })
  assert.equal(underWay(), 'aaab')
  await end('a')
  // Beside another company it has its half with the other two.
  assert.equal(underWay(), 'aab')
  await end('a')
  assert.equal(underWay(), 'aba')
})

test('work that may wait for its own rows has half of its places, even alone', () => {
  const { ask, underWay } = watched(clock().presence, SEMAPHORES.contended)
  ask('a', { count: 8 })
  assert.equal(underWay(), 'aa')
})

for (const [name, { atOnce, half }] of Object.entries({
  bulk: { ...SEMAPHORES.bulk, half: 1 },
  list: { ...SEMAPHORES.list, half: 2 },
  other: { ...SEMAPHORES.other, half: 1 },
}))
  test(`half of ${name} is ${half} of ${atOnce}`, () => {
    const { presence } = clock()
    const { ask, underWay } = watched(presence, { name: 'test', atOnce, waiting: 100 })
    presence.asked('b')
    ask('a', { count: 8 })
    assert.equal(underWay().length, half)
  })

/** A batcher whose batches run until the test ends them. Each is listed by companies and their numbers of items. */
function gathering(presence: TenantActivity, kind?: 'patient' | 'by company') {
  const runs: { text: string; end: () => void }[] = []
  const begun: string[] = []
  type Item = { scope: { companyId: string }; isGone?: () => boolean }
  const run = (items: Item[]) =>
    new Promise<string[]>((resolve) => {
      const counts = new Map<string, number>()
      for (const { scope } of items) counts.set(scope.companyId, (counts.get(scope.companyId) ?? 0) + 1)
      const text = [...counts].map(([company, count]) => `${company}${count}`).join(' ')
      begun.push(text)
      runs.push({ text, end: () => resolve(items.map(() => 'done')) })
    })
  const one =
    kind === 'patient'
      ? tenantBatcher(run, fairSemaphore(SEMAPHORES.contended, presence), { presence })
      : batcher(run, { presence, isByCompany: kind === 'by company' })
  return {
    ask: async (companyId: string, count = 1, isGone = () => false) => {
      for (let n = 0; n < count; n++) one({ scope: { companyId }, isGone }).catch(() => {})
      await settled()
    },
    async end() {
      runs.shift()?.end()
      await settled()
      await settled()
    },
    begun,
  }
}

test('a company alone has all statements of the batcher, each as full as possible', async () => {
  const { ask, begun } = gathering(clock().presence)
  await ask('a', 500)
  assert.deepEqual(begun, new Array(BATCH_STATEMENTS).fill(`a${BATCH_ITEMS}`))
})

test('beside another company a company with many waiting items has one statement, and not a full one', async () => {
  const { presence, pass } = clock()
  const { ask, begun, end } = gathering(presence)
  presence.asked('b')
  await ask('a', 500)
  assert.deepEqual(begun, [`a${BATCH_ITEMS_BESIDE}`])
  await ask('b')
  assert.deepEqual(begun.slice(1), ['b1'])
  await end()
  assert.deepEqual(begun.slice(2), [`a${BATCH_ITEMS_BESIDE}`])
  pass(PRESENT_MS + 1)
  await settled()
  await end()
  assert.deepEqual(begun.slice(3), [`a${BATCH_ITEMS}`])
})

test('companies with few waiting items share statements, and not with a company that has many', async () => {
  const { presence } = clock()
  const { ask, begun, end } = gathering(presence)
  await ask('x')
  await ask('y')
  assert.deepEqual(begun, ['x1', 'y1'])
  const asked = [ask('a', 100), ask('b', 2), ask('c', 3)]
  await Promise.all(asked)
  await end()
  await end()
  assert.deepEqual(begun.slice(2), [`a${BATCH_ITEMS_BESIDE}`, 'b2 c3'])
})

test('a statement whose callers are all gone gives its place to the next company', async () => {
  const { ask, begun, end } = gathering(clock().presence)
  await ask('x')
  await ask('y')
  await Promise.all([ask('a', 40, () => true), ask('b')])
  await end()
  assert.deepEqual(begun.slice(2), ['b1'])
})

test('work that may wait for rows is batched in smaller statements beside another company too', async () => {
  const { presence } = clock()
  const { ask, begun } = gathering(presence, 'patient')
  presence.asked('b')
  await ask('a', 500)
  assert.deepEqual(begun, [`a${BATCH_ITEMS_BESIDE}`, `a${BATCH_ITEMS_BESIDE}`])
})

test('where a statement names one company, one whose statements do not end delays no other', async () => {
  const { ask, begun } = gathering(clock().presence, 'by company')
  for (let n = 0; n < 4; n++) await ask('a', 3)
  assert.deepEqual(begun, ['a3', 'a3'])
  await Promise.all([ask('b', 2), ask('c')])
  await ask('b')
  assert.deepEqual(begun.slice(2), ['b2', 'c1', 'b1'])
})

test('reads without another in progress are sent within the same event-loop turn, batched if the same code asks; writes at its end', async () => {
  const sent: string[] = []
  const [read, write] = [true, false].map((isAtOnce) =>
    batcher(
      async (items: { readonly scope: { readonly companyId: string } }[]) => {
        sent.push(`${items.length} ${isAtOnce ? 'read' : 'written'}`)
        return items
      },
      { presence: clock().presence, isAtOnce },
    ),
  )
  const item = { scope: { companyId: 'a' } }
  const done = [write?.(item), read?.(item), read?.(item)]
  await new Promise((resolve) => process.nextTick(resolve))
  assert.deepEqual(sent, ['2 read'])
  await Promise.all(done)
  assert.deepEqual(sent, ['2 read', '1 written'])
})
