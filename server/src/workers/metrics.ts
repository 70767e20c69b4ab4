// What workers report to the primary at a scrape, and what those that have ended had counted.
import { addUp } from '../metrics/exposition.ts'
import { counter, type Family, gauge } from '../metrics/instruments.ts'

/** Milliseconds that a worker has to answer; after that, its latest answer counts. */
const ANSWER_MS = 2_000

export const runningWorkers = gauge({
  name: 'cashwrap_workers',
  help: 'Worker processes of the server; absent where one process does all.',
}).of()
export const workerRestarts = counter({
  name: 'cashwrap_worker_restarts_total',
  help: 'Worker processes that ended by themselves and were replaced.',
}).of()

/** Collects what workers count, by their numbers. */
export class WorkerFamilies {
  readonly #latest = new Map<number, readonly Family[]>()
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>()
  /** Counters of workers that have ended: sums over all must not shrink. They are added up one after the other. */
  #ended: (readonly Family[])[] = []
  #adding = Promise.resolve()

  /** Asks a worker by `ask`, unless it was asked and has not answered yet, and waits for its answer. */
  async read(worker: number, ask: () => void): Promise<void> {
    let waiting = this.#waiting.get(worker)
    if (waiting === undefined) {
      waiting = Promise.withResolvers<void>()
      this.#waiting.set(worker, waiting)
      ask()
    }
    const { resolve, promise } = waiting
    const timer = setTimeout(resolve, ANSWER_MS)
    await promise
    clearTimeout(timer)
    this.#waiting.delete(worker)
  }

  receive(worker: number, families: readonly Family[]): void {
    this.#latest.set(worker, families)
    this.#waiting.get(worker)?.resolve()
  }

  /** A worker has ended; its successor begins at zero. */
  async end(worker: number): Promise<void> {
    const last = this.#latest.get(worker)
    this.#latest.delete(worker)
    this.#waiting.get(worker)?.resolve()
    if (last === undefined) return
    this.#ended.push(last.filter(({ type }) => type !== 'gauge'))
    this.#adding = this.#adding.then(async () => {
      const added = [...this.#ended]
      const sum = await addUp(added)
      this.#ended = [sum, ...this.#ended.slice(added.length)]
    })
    await this.#adding
  }

  all(): (readonly Family[])[] {
    return [...this.#ended, ...this.#latest.values()]
  }
}
