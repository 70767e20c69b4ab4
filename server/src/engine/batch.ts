// Does once what many ask for at once: gathers concurrent single operations into one statement. While some are under way those that come wait together, so a busy server does few large statements instead of many small ones.
import { GATHERED_ITEMS, GATHERED_STATEMENTS } from '../limits.ts'

/**
 * Makes a function of one item from a function of many. Items that arrive in one turn of the event loop, or while
 * `GATHERED_STATEMENTS` runs are under way, are run together; each caller gets the outcome of its own item.
 * When a run throws, every item of it is rejected.
 */
export function gather<Item, Outcome>(run: (items: Item[]) => Promise<Outcome[]>): (item: Item) => Promise<Outcome> {
  type Waiting = { item: Item; resolve: (outcome: Outcome) => void; reject: (reason: unknown) => void }
  let waiting: Waiting[] = []
  let running = 0
  let scheduled = false

  function start(): void {
    scheduled = false
    while (waiting.length > 0 && running < GATHERED_STATEMENTS) {
      const batch = waiting.slice(0, GATHERED_ITEMS)
      waiting = waiting.slice(GATHERED_ITEMS)
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
      waiting.push({ item, resolve, reject })
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
