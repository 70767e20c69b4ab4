// Does once what many ask for at once: gathers concurrent single operations into one statement. While some are under way those that come wait together, so a busy server does few large statements instead of many small ones.
import { fairQueue } from '../fair-queue.ts'
import { busy, late } from '../http/problem.ts'
import { GATHERED_ITEMS, GATHERED_STATEMENTS, GATHERED_WAITING, REQUEST_DEADLINE_MS } from '../limits.ts'

/** What every item tells: whose line it waits in, and when its caller will have been answered in any case, by `performance.now()`. */
export interface Gathered {
  readonly scope: { readonly companyId: string }
  readonly deadline?: number | undefined
  /** How many rows it writes, where not one. */
  readonly weight?: number
}

/**
 * Makes a function of one item from a function of many. Items that arrive in one turn of the event loop, or while
 * `GATHERED_STATEMENTS` runs are under way, are run together; each caller gets the outcome of its own item.
 * When a run throws, every item of it is rejected. Companies take turns: one that comes while another's items wait is in
 * the next run. Rejects with 503 `unavailable` at once when `room` items wait, and what waited beyond its deadline is
 * not run any more.
 */
export function gather<Item extends Gathered, Outcome>(
  run: (items: Item[]) => Promise<Outcome[]>,
  room = GATHERED_WAITING,
): (item: Item) => Promise<Outcome> {
  type Waiting = {
    item: Item
    deadline: number
    resolve: (outcome: Outcome) => void
    reject: (reason: unknown) => void
  }
  const waiting = fairQueue<Waiting>(room)
  let running = 0
  let scheduled = false

  /** The next items that somebody still waits for. */
  function take(): Waiting[] {
    const batch: Waiting[] = []
    const now = performance.now()
    for (let weight = 0; weight < GATHERED_ITEMS; ) {
      const next = waiting.take()
      if (next === undefined) break
      if (next.deadline <= now) next.reject(late())
      else {
        batch.push(next)
        weight += next.item.weight ?? 1
      }
    }
    return batch
  }

  function start(): void {
    scheduled = false
    while (running < GATHERED_STATEMENTS) {
      const batch = take()
      if (batch.length === 0) return
      running++
      run(batch.map(({ item }) => item))
        .then(
          (outcomes) => {
            batch.forEach(({ resolve }, index) => {
              resolve(outcomes[index] as Outcome)
            })
          },
          (reason) => {
            for (const { reject } of batch) reject(reason)
          },
        )
        .finally(() => {
          running--
          start()
        })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const deadline = item.deadline ?? performance.now() + REQUEST_DEADLINE_MS
      if (!waiting.push(item.scope.companyId, { item, deadline, resolve, reject })) return reject(busy())
      if (scheduled || running >= GATHERED_STATEMENTS) return
      scheduled = true
      setImmediate(start)
    })
}

/**
 * Makes a function that asks the same question once for all who wait for its answer. Who comes while it is being asked
 * gets the answer of the next time, so that nobody is told what was true before he came.
 */
export function share<Answer>(): (question: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const asked = new Map<string, { answer: Promise<Answer>; next?: Promise<Answer> }>()

  function start(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask().finally(() => {
      if (asked.get(question)?.answer === answer) asked.delete(question)
    })
    asked.set(question, { answer })
    return answer
  }

  return (question, ask) => {
    const current = asked.get(question)
    if (current === undefined) return start(question, ask)
    const again = () => start(question, ask)
    current.next ??= current.answer.then(again, again)
    return current.next
  }
}
