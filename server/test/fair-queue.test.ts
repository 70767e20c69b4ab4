// The fair queue, held against what it promises for any order of pushes and takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fairQueue } from '../src/fair-queue.ts'

interface Waiting {
  readonly line: string
  readonly number: number
  /** The lines that were served since it became the first of its own. */
  readonly servedBefore: string[]
}

const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constant(undefined)), { maxLength: 200 })

test('whatever is pushed and taken: nothing is lost or doubled, each line keeps its order, and no line is served twice before one that waits', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 60 }), (lines, room) => {
      const queue = fairQueue<Waiting>(room)
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
          assert.equal(isTaken, waitingOf(line).length < room - sizeOf())
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

test('a line alone gets half of the room, and whoever comes then still finds some', () => {
  const queue = fairQueue<number>(100)
  const pushed = (line: string) => Array.from({ length: 200 }, (_, n) => queue.push(line, n)).filter(Boolean).length
  assert.deepEqual([pushed('a'), pushed('b'), pushed('c'), pushed('a')], [50, 25, 13, 0])
  assert.equal(queue.push('d', 0), true)
})
