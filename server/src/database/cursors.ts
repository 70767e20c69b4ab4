// Cursors read long pages piece by piece, each from one snapshot. They share a few connections, so no slow reader holds one alone.

import { type FairSemaphore, fairSemaphore, type Waiter } from '../concurrency/fair-semaphore.ts'
import { CURSOR_MS, CURSORS_OPENED_MS, SEMAPHORES } from '../core/limits.ts'
import { late, unavailable } from '../core/problem.ts'

type Rows = any[][]

/** The rows of one statement, from the snapshot at its start. */
interface Cursor {
  /** The first row; undefined if there is none. */
  readonly first: any[] | undefined
  /** The next rows, at most `rows`. Throws 503 after the cursor closes, at the latest after `CURSOR_MS`. */
  fetch(rows: number): Promise<Rows>
  /** Releases the snapshot. */
  close(): void
}

/** Opens a cursor. The waiter takes turns with other companies' fetches, not with lists. */
export type OpenCursor = (waiter: Waiter, text: string, values: readonly unknown[]) => Promise<Cursor>

type Ask = (statement: string, values?: readonly unknown[]) => Promise<Rows>
/** Lends a connection until the work ends. */
type LendConnection = (work: (ask: Ask) => Promise<void>) => Promise<void>

/** A connection with a transaction that holds cursors. Each cursor has its own snapshot, since the transaction is read committed. */
interface Host {
  readonly ask: Ask
  readonly inTurn: FairSemaphore
  /** Ends the transaction. With an error, all its other cursors fail too. */
  readonly end: (error?: unknown) => void
  isEnded: boolean
  cursors: number
}

const never = () => false

/**
 * Creates the function that opens cursors. New cursors join the current transaction until `CURSORS_OPENED_MS` after it began,
 * so a transaction lasts at most that long plus the time of one cursor.
 */
export function cursors(lend: LendConnection, cursorMs: number = CURSOR_MS): OpenCursor {
  let current: Promise<Host> | undefined
  let opened = 0

  function begin(): Promise<Host> {
    const begun = Promise.withResolvers<Host>()
    const leave = () => {
      if (current === begun.promise) current = undefined
    }
    lend(async (ask) => {
      await ask(`begin read only`)
      await ask(`set local idle_in_transaction_session_timeout = ${cursorMs}`)
      const ended = Promise.withResolvers<void>()
      const inTurn = fairSemaphore({ atOnce: 1, waiting: SEMAPHORES.list.waiting })
      const host: Host = { ask, inTurn, end, isEnded: false, cursors: 0 }
      function end(error?: unknown): void {
        host.isEnded = true
        leave()
        if (error === undefined) ended.resolve()
        else ended.reject(error)
      }
      setTimeout(leave, CURSORS_OPENED_MS).unref()
      begun.resolve(host)
      try {
        await ended.promise
      } catch (error) {
        await ask('rollback').catch(() => {})
        throw error
      }
      await ask('commit')
    }).catch((error) => {
      leave()
      begun.reject(error)
    })
    return begun.promise
  }

  /** The current transaction, with one cursor more: counted in the same turn, or the last of the others could end it before. */
  async function join(): Promise<Host> {
    for (;;) {
      current ??= begin()
      const host = await current
      if (host.isEnded) continue
      host.cursors++
      return host
    }
  }

  return async (waiter, text, values) => {
    const host = await join()
    const name = `page_${++opened}`
    const inTurn = <T>(isGone: () => boolean, work: (ask: Ask) => Promise<T>): Promise<T> =>
      host.inTurn({ tenant: waiter.tenant, isGone }, async () => {
        if (host.isEnded) throw unavailable()
        return work(host.ask)
      })
    const leave = () => {
      host.cursors--
      if (host.cursors === 0) host.end()
    }
    const first = await inTurn(waiter.isGone, (ask) => declared(host, ask, name, text, values)).catch((error) => {
      leave()
      throw error
    })

    let isOpen = true
    const timer = setTimeout(close, cursorMs)
    timer.unref()
    function close(): void {
      if (!isOpen) return
      isOpen = false
      clearTimeout(timer)
      inTurn(never, (ask) => ask(`close ${name}`).catch(host.end))
        .catch(() => {})
        .finally(leave)
    }
    return {
      first,
      close,
      fetch: (rows) =>
        inTurn(never, async (ask) => {
          if (!isOpen) throw late()
          return ask(`fetch ${rows} from ${name}`).catch((error) => {
            // A failed statement aborts the transaction and all its cursors.
            host.end(error)
            throw error
          })
        }),
    }
  }
}

/** Declares a cursor and returns its first row. A savepoint keeps a failure from affecting the other cursors. */
async function declared(host: Host, ask: Ask, name: string, text: string, values: readonly unknown[]) {
  await ask('savepoint opening')
  try {
    await ask(`declare ${name} no scroll cursor for ${text}`, values)
    const [first] = await ask(`fetch 1 from ${name}`)
    await ask('release savepoint opening')
    return first
  } catch (error) {
    await ask('rollback to savepoint opening').catch(host.end)
    throw error
  }
}
