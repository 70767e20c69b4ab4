// The fair queue keeps its guarantees for any order of pushes and takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FairQueue, fairQueue } from '../src/concurrency/fair-queue.ts'

interface Waiting {
  readonly line: string
  readonly number: number
  /** The queues that were served since it became the first of its own. */
  readonly servedBefore: string[]
}

const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constant(undefined)), { maxLength: 200 })

test('for any pushes and takes: nothing is lost or duplicated, each queue keeps its order, and no queue is served twice before one that waits', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 4 }), (lines, room, newcomers) => {
      const queue = fairQueue<Waiting>(room, { value: 0 }, newcomers)
      const model = new Map<string, Waiting[]>()
      const waitingOf = (line: string) => model.get(line) ?? []
      const sizeOf = () => [...model.values()].reduce((sum, { length }) => sum + length, 0)

      function take() {
        const taken = queue.take()
        assert.equal(taken === undefined, sizeOf() === 0)
        if (taken === undefined) return
        assert.equal(taken, waitingOf(taken.line).shift())
        assert.equal(new Set(taken.servedBefore).size, taken.servedBefore.length)
        for (const [first] of model.values()) first?.servedBefore.push(taken.line)
        waitingOf(taken.line)[0]?.servedBefore.splice(0)
      }

      lines.forEach((line, number) => {
        if (line === undefined) take()
        else {
          const item = { line, number, servedBefore: [] }
          const isTaken = queue.push(line, item)
          const isNewcomer = waitingOf(line).length === 0 && sizeOf() < room + newcomers
          assert.equal(isTaken, isNewcomer || waitingOf(line).length < room - sizeOf())
          if (isTaken) model.set(line, [...waitingOf(line), item])
        }
        assert.equal(queue.size, sizeOf())
      })
      while (queue.size > 0) take()
      assert.equal(sizeOf(), 0)
      assert.equal(queue.take(), undefined)
    }),
  )
})

/** Pushes to a queue until it is refused; returns how many were accepted. */
function fill(queue: FairQueue<number>, line: string): number {
  let count = 0
  while (queue.push(line, count)) count++
  return count
}
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => `company-${n}`)

test('of twenty companies that ask for all the capacity, the first gets half of it and each gets at least one place', () => {
  const queue = fairQueue<number>(64, { value: 0 })
  const got = linesOf(20).map((line) => fill(queue, line))
  assert.deepEqual(got.slice(0, 8), [32, 16, 8, 4, 2, 1, 1, 1])
  assert.deepEqual(got.slice(8), new Array(12).fill(1))
  assert.equal(queue.size, 64 + 13)
})

test('at full capacity, a limited number of newcomers can each add their first item', () => {
  const queue = fairQueue<number>(4, { value: 0 }, 2)
  assert.deepEqual(
    linesOf(7).map((line) => fill(queue, line)),
    [2, 1, 1, 1, 1, 0, 0],
  )
  for (const _ of linesOf(3)) queue.take()
  assert.deepEqual(
    ['late', 'later', 'latest', 'late'].map((line) => queue.push(line, 0)),
    [true, true, true, false],
  )
})

for (const [lines, share] of [
  [1, 32],
  [2, 64 / 3],
  [3, 16],
  [20, 64 / 21],
] as const)
  test(`${lines} companies that refill their queues as they are served reach ${share.toFixed(1)} places of 64 each, in whatever order they came`, () => {
    const queue = fairQueue<string>(64, { value: 0 })
    const waiting = new Map(linesOf(lines).map((line) => [line, 0]))
    const fillAll = () => {
      for (const [line, length] of waiting) {
        let more = 0
        while (queue.push(line, line)) more++
        waiting.set(line, length + more)
      }
    }
    fillAll()
    for (let served = 0; served < 1_000; served++) {
      const line = queue.take() as string
      waiting.set(line, (waiting.get(line) as number) - 1)
      fillAll()
    }
    for (const [line, length] of waiting) assert.ok(Math.abs(length - share) <= 1, `${line} has ${length}`)
  })
