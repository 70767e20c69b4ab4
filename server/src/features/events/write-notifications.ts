// Write notifications: a company may have new events. Sent in this process at once, to other servers by NOTIFY, outside
// of the writes, which do not wait for it.
import { randomBytes } from 'node:crypto'
import type { Database, Queryable } from '../../database/connect.ts'
import { listen } from '../../database/listen.ts'

/** Milliseconds between two notices of one server to the others: twenty commits a second, however many writes there are. */
const WAKE_PAUSE_MS = 50
/** Bytes of a notice: PostgreSQL accepts fewer than 8,000. */
const WAKE_BYTES = 8_000

/** Called with a company that may have new events; with undefined if any may. */
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

/** Starts to listen to other servers. */
export function writeNotifications(database: Database): WriteNotifications {
  const sender = randomBytes(6).toString('hex')
  const listeners = new Set<NotifiedWrite>()
  // Companies to report here, and to other servers.
  let here = new Set<string | undefined>()
  let elsewhere = new Set<string>()
  let sending: Promise<void> | undefined
  let resting: NodeJS.Timeout | undefined
  let isClosed = false

  function heard(companyId: string | undefined): void {
    if (here.size === 0) setImmediate(notifyHere)
    here.add(companyId)
  }

  function notifyHere(): void {
    const companies = here
    here = new Set()
    for (const listener of listeners)
      if (companies.has(undefined)) listener(undefined)
      else for (const companyId of companies) listener(companyId)
  }

  /** One notice at a time, followed by a pause: companies that come meanwhile go together. */
  function notifyElsewhere(): void {
    if (sending !== undefined || resting !== undefined || elsewhere.size === 0) return
    const companies = [...elsewhere]
    elsewhere = new Set()
    sending = notifyEvents(database, companies, sender)
      // Listeners that miss it look by themselves.
      .catch(() => {})
      .then(() => {
        sending = undefined
        if (isClosed) return
        resting = setTimeout(() => {
          resting = undefined
          notifyElsewhere()
        }, WAKE_PAUSE_MS).unref()
      })
  }

  const hearing = listen(database, channel, {
    heard(notice) {
      const [from, companies = all] = notice.split(' ')
      if (from === sender) return
      const ids = companies === all ? [undefined] : (JSON.parse(companies) as string[])
      for (const id of ids) heard(id)
    },
    missed: () => heard(undefined),
  })

  return {
    wake(companyId) {
      if (isClosed) return
      heard(companyId)
      if (elsewhere.size === 0) setImmediate(notifyElsewhere)
      elsewhere.add(companyId)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearTimeout(resting)
      resting = undefined
      await sending
      // The last writes are reported too.
      notifyElsewhere()
      await sending
      await hearing.close()
    },
  }
}
