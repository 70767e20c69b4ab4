// Gathers concurrent single operations into one statement: while some are under way those that come wait together, so a busy server does few large statements instead of many small ones.
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
