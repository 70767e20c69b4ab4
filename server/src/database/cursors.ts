// Cursors: long pages are read piece by piece, each from one snapshot. They share a few connections, so that a slow reader holds none for itself.
import { late, unavailable } from '../http/problem.ts'
import { type Lane, lane, type Passenger } from '../lane.ts'
import { CURSOR_MS, CURSORS_OPENED_MS, LANES } from '../limits.ts'

type Rows = any[][]

/** The rows of one statement as they were when it began, however long they take to be fetched. */
interface Cursor {
  /** The first row; undefined where there is none. */
  readonly first: any[] | undefined
  /** The next rows, so many at most. Throws 503 once the cursor is closed, which it is at the latest after `CURSOR_MS`. */
  fetch(rows: number): Promise<Rows>
  /** Lets the snapshot go. */
  close(): void
}

/** Opens a cursor; the passenger waits behind other companies' fetches, not among the lists. */
export type OpenCursor = (passenger: Passenger, text: string, values: readonly unknown[]) => Promise<Cursor>

type Ask = (statement: string, values?: readonly unknown[]) => Promise<Rows>
/** Lends a connection until the work has ended. */
type LendConnection = (work: (ask: Ask) => Promise<void>) => Promise<void>

/** A connection in a transaction that holds cursors. Each has a snapshot of its own, since the transaction is read committed. */
interface Host {
  readonly ask: Ask
  readonly inTurn: Lane
  /** Ends the transaction; with an error, whatever else it holds is lost too. */
  readonly end: (error?: unknown) => void
  isEnded: boolean
  cursors: number
}

const never = () => false

/**
 * Makes the function that opens cursors. New ones join the current transaction until `CURSORS_OPENED_MS` after it began, so
 * that none lasts longer than that and the time of one cursor.
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
      const inTurn = lane({ atOnce: 1, waiting: LANES.list.waiting })
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

  async function join(): Promise<Host> {
    for (;;) {
      current ??= begin()
      const host = await current
      if (!host.isEnded) return host
    }
  }

  return async (passenger, text, values) => {
    const host = await join()
    const name = `page_${++opened}`
    host.cursors++
    const inTurn = <T>(isGone: () => boolean, work: (ask: Ask) => Promise<T>): Promise<T> =>
      host.inTurn({ line: passenger.line, isGone }, async () => {
        if (host.isEnded) throw unavailable()
        return work(host.ask)
      })
    const leave = () => {
      host.cursors--
      if (host.cursors === 0) host.end()
    }
    const first = await inTurn(passenger.isGone, (ask) => declared(host, ask, name, text, values)).catch((error) => {
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
            // A statement that fails voids the transaction, and with it all that it holds.
            host.end(error)
            throw error
          })
        }),
    }
  }
}

/** Declares a cursor and gives its first row. Within a savepoint: a statement that fails leaves the other cursors as they are. */
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
