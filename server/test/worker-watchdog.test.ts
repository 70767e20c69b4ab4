// A worker that hangs is found; one that is only slow is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Watchdog } from '../src/workers/watchdog.ts'

test('a worker that leaves six questions in turn unanswered hangs; one that answers in between does not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let asked = 0
  let hung = 0
  const watchdog = new Watchdog({
    ask: () => {
      asked++
    },
    hangs: () => {
      hung++
    },
  })
  const pass = (questions: number) => t.mock.timers.tick(questions * 5_000)
  pass(100)
  assert.equal(asked, 0)
  watchdog.begin()
  pass(6)
  watchdog.answered()
  pass(6)
  assert.deepEqual([asked, hung], [12, 0])
  pass(1)
  assert.deepEqual([asked, hung], [12, 1])
  pass(100)
  assert.deepEqual([asked, hung], [12, 1])
})

test('a worker that has ended is asked no more', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const watchdog = new Watchdog({ ask: () => assert.fail(), hangs: () => assert.fail() })
  watchdog.begin()
  watchdog.stop()
  t.mock.timers.tick(1_000_000)
})
