// Rate limits that several workers share: together they admit what one process would, whichever worker is asked, and however late messages are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BorrowedQuota } from '../src/workers/borrowed-quota.ts'
import { QuotaLender } from '../src/workers/quota-lender.ts'

/** Workers and their primary under one clock; messages arrive when `deliver` is called, in order for each worker. */
function machine(perSecond: number, count: number) {
  let time = 1_000
  const now = () => time
  const lender = new QuotaLender(perSecond, now)
  const messages: (() => void)[] = []
  let asked = 0
  let latestMs = 0
  const workers = Array.from({ length: count }, (_, worker) => {
    const quota: BorrowedQuota = new BorrowedQuota(
      perSecond,
      (wants) => {
        asked += wants.length
        messages.push(() => {
          const loans = wants.map((want) => lender.lend(worker, want))
          const lent = time
          messages.push(() => {
            latestMs = Math.max(latestMs, time - lent)
            quota.receive(loans)
          })
        })
      },
      now,
    )
    return quota.bucketsOf('key')
  })
  return {
    workers,
    pass: (ms: number) => {
      time += ms
    },
    now,
    asked: () => asked,
    /** The longest time from a loan to its arrival. */
    latestMs: () => latestMs,
    async deliver(most = Number.POSITIVE_INFINITY) {
      await new Promise(setImmediate)
      for (let n = 0; n < most && messages.length > 0; n++) messages.shift()?.()
      await new Promise(setImmediate)
    },
  }
}

/** Takes a token at each of some workers at once; returns how many were admitted. */
async function admitted({ workers, deliver }: ReturnType<typeof machine>, requests: number): Promise<number> {
  const answers = Array.from({ length: requests }, (_, n) => workers[n % workers.length]?.take('key'))
  for (let rounds = 0; rounds < 20; rounds++) await deliver()
  return (await Promise.all(answers)).filter((left) => (left ?? -1) >= 0).length
}

test('a full bucket admits its burst once, on one worker or spread over all', async () => {
  for (const perSecond of [0.01, 1, 5, 1_000])
    for (const count of [2, 4]) {
      const size = Math.max(1, Math.floor(perSecond * 2))
      const spread = machine(perSecond, count)
      assert.equal(await admitted(spread, 3 * size + count), size, `${perSecond} a second, ${count} workers`)
      const alone = machine(perSecond, count)
      assert.equal(await admitted({ ...alone, workers: alone.workers.slice(1, 2) }, 2 * size + 1), size)
    }
})

test('one worker alone gets the full burst and then the rate, whatever another has borrowed before', async () => {
  const all = machine(1_000, 2)
  // The other worker borrows in advance, and does not use it.
  await admitted({ ...all, workers: all.workers.slice(1) }, 1)
  all.pass(11_000)
  const alone = { ...all, workers: all.workers.slice(0, 1) }
  assert.equal(await admitted(alone, 5_000), 2_000)
  all.pass(500)
  assert.equal(await admitted(alone, 5_000), 500)
})

test('random requests at random workers, with late messages, never exceed the burst and the rate', async () => {
  const perSecond = 200
  const size = 400
  const all = machine(perSecond, 3)
  const times: number[] = []
  const waiting: Promise<unknown>[] = []
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  for (let step = 0; step < 3_000; step++) {
    for (let n = random(8); n > 0; n--) {
      const left = all.workers[random(3)]?.take('key')
      waiting.push(Promise.resolve(left).then((found) => (found ?? -1) >= 0 && times.push(all.now())))
    }
    if (random(3) > 0) await all.deliver(random(4))
    all.pass(random(20))
    // Now and then long enough for borrowed tokens to expire, and for the bucket to fill up.
    if (step % 500 !== 499) continue
    await all.deliver()
    await all.deliver()
    all.pass(12_000)
  }
  for (let rounds = 0; rounds < 20; rounds++) await all.deliver()
  await Promise.all(waiting)
  assert.ok(times.length > 4_000 && all.latestMs() < 1_000, `${times.length}, ${all.latestMs()} ms`)
  for (let from = 0; from < times.length; from++)
    for (let to = from; to < times.length; to += 37) {
      // What was granted may be used when it arrives.
      const seconds = ((times[to] as number) - (times[from] as number) + all.latestMs()) / 1000
      assert.ok(to - from + 1 <= size + perSecond * seconds + 1, `${to - from + 1} in ${seconds} s`)
    }
})

test('a busy key is asked about for a hundredth of its requests, and what is left is counted down', async () => {
  const all = machine(1_000_000, 2)
  const [first] = all.workers
  const left = first?.take('key')
  await all.deliver()
  await all.deliver()
  assert.equal(await left, 1_999_999)
  for (let n = 2; n <= 5_000; n++) assert.equal(first?.take('key'), 2_000_000 - n)
  assert.equal(all.asked(), 1)
})
