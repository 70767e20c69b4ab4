// Cursors read long pages chunk by chunk, each from one snapshot. They share a few connections, so no slow reader holds one alone.

import { fairSemaphore, type Waiter } from '../concurrency/fair-semaphore.ts'
import { SEMAPHORES } from '../core/limits.ts'
import { deadlinePassed, unavailable } from '../core/problem.ts'

/** Milliseconds a streamed page may hold its snapshot: 100 MB at 3 Mbit/s, or 32 such pages at once from a busy machine. Meanwhile PostgreSQL keeps all rows visible to it. */
const CURSOR_MS = 300_000
/** Milliseconds during which new cursors can join a transaction. It lasts at most that long plus `CURSOR_MS`. */
const CURSORS_OPENED_MS = 180_000

type CursorRows = any[][]

/** The rows of one statement, from the snapshot at its start. */
interface Cursor {
  /** The first row; undefined if there is none. */
  readonly first: any[] | undefined
  /** The next rows, at most `rows`. Throws 503 after the cursor closes, at the latest after `CURSOR_MS`. */
  fetch(rows: number): Promise<CursorRows>
  /** Releases the snapshot. */
  readonly close: () => void
}

/** Opens a cursor. The waiter takes turns with other companies' fetches, not with lists. */
export type OpenCursor = (waiter: Waiter, text: string, values: readonly unknown[]) => Promise<Cursor>

type RunStatement = (statement: string, values?: readonly unknown[]) => Promise<CursorRows>
/** Lends a connection until the work ends. */
type LendConnection = (work: (ask: RunStatement) => Promise<void>) => Promise<void>

/**
 * Creates the function that opens cursors. New cursors join the current transaction until `CURSORS_OPENED_MS` after it began,
 * so a transaction lasts at most that long plus the time of one cursor.
 */
export function cursors(lend: LendConnection, cursorMs: number = CURSOR_MS): OpenCursor {
  let current: CursorTransaction | undefined
  let opened = 0

  function begin(): CursorTransaction {
    const transaction: CursorTransaction = new CursorTransaction(lend, cursorMs, () => {
      if (current === transaction) current = undefined
    })
    return transaction
  }

  /**
   * The current transaction, with one more cursor. It is counted in the same turn of the event loop; otherwise the last
   * of the other cursors could end the transaction first.
   */
  async function join(): Promise<CursorTransaction> {
    for (;;) {
      current ??= begin()
      const transaction = current
      await transaction.begun
      if (transaction.isEnded) continue
      transaction.cursors++
      return transaction
    }
  }

  return async (waiter, text, values) => {
    const transaction = await join()
    const name = `page_${++opened}`
    try {
      const first = await transaction.ask(waiter, (ask) => transaction.declare(ask, name, text, values))
      return new TransactionCursor(transaction, name, waiter.tenant, first, cursorMs)
    } catch (error) {
      transaction.leave()
      throw error
    }
  }
}

/**
 * A connection with a transaction that holds cursors. Each cursor has its own snapshot, since the transaction is read
 * committed. Its states: beginning (`begun` is pending), joinable, closed to new cursors, ended.
 */
class CursorTransaction {
  /** Resolves once the transaction has begun; rejects when there is no connection. */
  readonly begun: Promise<void>
  isEnded = false
  cursors = 0
  readonly #turns = fairSemaphore({ name: 'cursor', atOnce: 1, waiting: SEMAPHORES.list.waiting })
  readonly #ended = Promise.withResolvers<void>()
  /** From then on, no further cursor joins. */
  readonly #closed: () => void
  #ask: RunStatement | undefined

  constructor(lend: LendConnection, cursorMs: number, closed: () => void) {
    this.#closed = closed
    const begun = Promise.withResolvers<void>()
    this.begun = begun.promise
    lend((ask) => this.#run(ask, cursorMs, begun.resolve)).catch((error) => {
      closed()
      begun.reject(error)
    })
  }

  /** The transaction on its connection, from `begin` to `commit`. */
  async #run(ask: RunStatement, cursorMs: number, begun: () => void): Promise<void> {
    await ask('begin isolation level read committed read only')
    await ask(`set local idle_in_transaction_session_timeout = ${cursorMs}`)
    this.#ask = ask
    setTimeout(this.#closed, CURSORS_OPENED_MS).unref()
    begun()
    try {
      await this.#ended.promise
    } catch (error) {
      await ask('rollback').catch(() => {})
      throw error
    }
    await ask('commit')
  }

  /** Runs a cursor's statements at its tenant's turn. Throws 503 once the transaction has ended. */
  ask<T>({ tenant, isGone }: Waiter, work: (ask: RunStatement) => Promise<T>): Promise<T> {
    return this.#turns({ tenant, isGone }, async () => {
      if (this.isEnded) throw unavailable()
      return work(this.#ask as RunStatement)
    })
  }

  /** Declares a cursor and returns its first row. A savepoint keeps a failure from affecting the other cursors. */
  async declare(ask: RunStatement, name: string, text: string, values: readonly unknown[]): Promise<any[] | undefined> {
    await ask('savepoint opening')
    try {
      await ask(`declare ${name} no scroll cursor for ${text}`, values)
      const [first] = await ask(`fetch 1 from ${name}`)
      await ask('release savepoint opening')
      return first
    } catch (error) {
      await ask('rollback to savepoint opening').catch(this.end)
      throw error
    }
  }

  /** One cursor fewer; the transaction ends with its last one. */
  readonly leave = (): void => {
    this.cursors--
    if (this.cursors === 0) this.end()
  }

  /** Ends the transaction. With an error, all its other cursors fail too. */
  readonly end = (error?: unknown): void => {
    this.isEnded = true
    this.#closed()
    if (error === undefined) this.#ended.resolve()
    else this.#ended.reject(error)
  }
}

/** A cursor in its transaction. It closes by itself when its time is over. */
class TransactionCursor implements Cursor {
  readonly first: any[] | undefined
  readonly #transaction: CursorTransaction
  readonly #name: string
  readonly #waiter: Waiter
  readonly #timer: NodeJS.Timeout
  #isOpen = true

  constructor(
    transaction: CursorTransaction,
    name: string,
    tenant: string,
    first: any[] | undefined,
    cursorMs: number,
  ) {
    this.#transaction = transaction
    this.#name = name
    this.#waiter = { tenant, isGone: never }
    this.first = first
    this.#timer = setTimeout(this.close, cursorMs).unref()
  }

  fetch(rows: number): Promise<CursorRows> {
    return this.#transaction.ask(this.#waiter, async (ask) => {
      if (!this.#isOpen) throw deadlinePassed()
      return ask(`fetch ${rows} from ${this.#name}`).catch((error) => {
        // A failed statement aborts the transaction and all its cursors.
        this.#transaction.end(error)
        throw error
      })
    })
  }

  readonly close = (): void => {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearTimeout(this.#timer)
    const transaction = this.#transaction
    transaction
      .ask(this.#waiter, (ask) => ask(`close ${this.#name}`).catch(transaction.end))
      .catch(() => {})
      .finally(transaction.leave)
  }
}

const never = () => false
