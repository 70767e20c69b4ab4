// Statements of a transaction that do not need each other's results share a round trip.
import type pg from 'pg'
import { endsSession } from './errors.ts'
import type { Queryable } from './statement.ts'

type PipelineTask = () => Promise<unknown>
type PipelineResults<Tasks extends readonly PipelineTask[]> = {
  -readonly [N in keyof Tasks]: Awaited<ReturnType<Tasks[N]>>
}

type Corkable = { cork(): void; uncork(): void }

/** SQLSTATE of a statement that is not carried out, since an earlier one of its transaction failed. */
const IN_FAILED_TRANSACTION = '25P02'

/**
 * Runs tasks of a transaction at once, and returns their results. The statements that each task sends before it first
 * waits share one round trip. PostgreSQL carries them out in the order of the tasks, and each statement sees what the
 * earlier ones have written. No task may use savepoints, or read more than a page. Once all have ended, rejects with
 * the failure of the first task that failed by itself, or with the one that ends the session. On another connection,
 * runs them one after the other.
 */
export async function together<const Tasks extends readonly PipelineTask[]>(
  { pipeline }: Queryable,
  tasks: Tasks,
): Promise<PipelineResults<Tasks>> {
  const results: unknown[] = []
  if (pipeline) {
    const settled = await pipeline(() => Promise.allSettled(tasks.map(async (task) => task())))
    const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    const own = failures.find(endsSession) ?? failures.find(({ code }) => code !== IN_FAILED_TRANSACTION)
    if (failures.length > 0) throw own ?? failures[0]
    results.push(...settled.map((each) => (each as PromiseFulfilledResult<unknown>).value))
  } else for (const task of tasks) results.push(await task())
  return results as PipelineResults<Tasks>
}

// Members of the driver's client (8.23) that its types omit.
interface Driver {
  pipeline: boolean
  readonly connection: { readonly stream: Corkable }
}

/** Whether statements are sent on a connection without waiting for earlier ones. */
export const isPipelined = (client: pg.ClientBase): boolean => (client as unknown as Driver).pipeline

/** On the connection of a transaction: sends statements without waiting for the results of earlier ones, until all that `run` has ended. */
export const pipelineOf = (client: pg.ClientBase): NonNullable<Queryable['pipeline']> => {
  const driver = client as unknown as Driver
  let running = 0
  return async (run) => {
    running++
    driver.pipeline = true
    try {
      return await corked(driver.connection.stream, run)
    } finally {
      running--
      driver.pipeline = running > 0
    }
  }
}

/** What is sent at once is one write to the socket. */
function corked<T>(stream: Corkable, send: () => T): T {
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}
