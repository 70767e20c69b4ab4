// Notifications that a company may have new events. They are sent at once in this process, and by NOTIFY to other
// servers, outside of the writes, which do not wait for them.
import { randomBytes } from 'node:crypto'
import type { Database, Queryable } from '../../database/connect.ts'
import { listen } from '../../database/listen.ts'

/** Milliseconds between two notices of one server to the others: twenty commits a second, however many writes there are. */
const WAKE_PAUSE_MS = 50
/** Bytes of a notice: PostgreSQL accepts fewer than 8,000. */
const WAKE_BYTES = 8_000

/** Called with a company that may have new events, or with undefined if any company may. */
export type NotifiedWrite = (companyId: string | undefined) => void

/** Sends and receives notifications. One may be lost with its server: listeners also look from time to time. */
export interface WriteNotifications {
  /** Reports that a company's write was committed. */
  wake(companyId: string): void
  /**
   * Calls `heard` at the next turn of the event loop, once for each company. Returns the function that unsubscribes.
   */
  listen(heard: NotifiedWrite): () => void
  close(): Promise<void>
}

const channel = 'events'
/** Means all companies, if their ids would be too long for a notice. */
const all = '*'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The text of a notice: its sender, and the ids as JSON. Our ids contain no blanks. */
function noticeOf(sender: string, companyIds: readonly string[]): string {
  const notice = `${sender} ${JSON.stringify(companyIds)}`
  return Buffer.byteLength(notice) < WAKE_BYTES ? notice : `${sender} ${all}`
}

/** Notifies all servers. For a program that writes but does not serve; once, at its end. */
export const notifyEvents = async (
  database: Queryable,
  companyIds: readonly string[],
  sender = 'program',
): Promise<void> => {
  await database.query('select pg_notify($1, $2)', [channel, noticeOf(sender, companyIds)])
}

/** Notifies within this process only: for routes without a server, and for programs without listeners. */
export const noWriteNotifications: WriteNotifications = {
  wake: () => {},
  listen: () => () => {},
  close: async () => {},
}

/** Notifies within this process and, in batches, other servers; and hears what they notify. */
class ServerNotifications implements WriteNotifications {
  readonly #database: Database
  readonly #sender = randomBytes(6).toString('hex')
  readonly #listeners = new Set<NotifiedWrite>()
  /** Companies to report here, and to other servers. */
  #here = new Set<string | undefined>()
  #elsewhere = new Set<string>()
  #sending: Promise<void> | undefined
  #pause: NodeJS.Timeout | undefined
  #isClosed = false
  readonly #subscription: ReturnType<typeof listen>

  constructor(database: Database) {
    this.#database = database
    this.#subscription = listen(database, channel, {
      heard: (notice) => {
        const [from, companies = all] = notice.split(' ')
        if (from === this.#sender) return
        // Any role of the database can send a notice, so what cannot be an id is ignored.
        const ids = companies === all ? [undefined] : (JSON.parse(companies) as unknown[]).filter(isText)
        for (const id of ids) this.#heard(id)
      },
      missed: () => this.#heard(undefined),
    })
  }

  readonly wake = (companyId: string): void => {
    if (this.#isClosed) return
    this.#heard(companyId)
    if (this.#elsewhere.size === 0) setImmediate(() => this.#notifyElsewhere())
    this.#elsewhere.add(companyId)
  }

  listen(listener: NotifiedWrite): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#pause)
    this.#pause = undefined
    await this.#sending
    // The last writes are reported too.
    this.#notifyElsewhere()
    await this.#sending
    await this.#subscription.close()
  }

  #heard(companyId: string | undefined): void {
    if (this.#here.size === 0) setImmediate(() => this.#notifyHere())
    this.#here.add(companyId)
  }

  #notifyHere(): void {
    const companies = this.#here
    this.#here = new Set()
    for (const listener of this.#listeners)
      if (companies.has(undefined)) listener(undefined)
      else for (const companyId of companies) listener(companyId)
  }

  /** One notice at a time, followed by a pause: companies that come meanwhile go together. */
  #notifyElsewhere(): void {
    if (this.#sending !== undefined || this.#pause !== undefined || this.#elsewhere.size === 0) return
    const companies = [...this.#elsewhere]
    this.#elsewhere = new Set()
    this.#sending = notifyEvents(this.#database, companies, this.#sender)
      // Listeners that miss it look by themselves.
      .catch(() => {})
      .then(() => {
        this.#sending = undefined
        if (!this.#isClosed) this.#pause = setTimeout(() => this.#pauseOver(), WAKE_PAUSE_MS).unref()
      })
  }

  #pauseOver(): void {
    this.#pause = undefined
    this.#notifyElsewhere()
  }
}

/** Starts to listen to other servers. */
export const writeNotifications = (database: Database): WriteNotifications => new ServerNotifications(database)
