// Tells whoever follows events that a company may have new ones: in this process at once, on the other servers by NOTIFY, outside of the writes, which wait for none of it.
import { randomBytes } from 'node:crypto'
import { WAKE_BYTES, WAKE_PAUSE_MS } from '../../core/limits.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { hear } from '../../database/listen.ts'

/** Hears of a company that may have new events; of undefined when any may. */
export type Heard = (companyId: string | undefined) => void

/** Who wakes and who is woken. A wake may be lost with its server: who listens looks by himself now and then. */
export interface Wakes {
  /** A company's write was committed. */
  wake(companyId: string): void
  /** Calls `heard` at the next turn of the event loop, once for each company; the function that it gives ends that. */
  listen(heard: Heard): () => void
  close(): Promise<void>
}

const channel = 'events'
/** Stands for all companies, where their ids would be too long for a notice. */
const all = '*'

/** The text of a notice: who sends it, and the ids as JSON. Ids of ours hold no blank. */
function noticeOf(sender: string, companyIds: readonly string[]): string {
  const notice = `${sender} ${JSON.stringify(companyIds)}`
  return Buffer.byteLength(notice) < WAKE_BYTES ? notice : `${sender} ${all}`
}

/** Tells all servers. For a program that writes and serves nobody; once, at its end. */
export const notifyEvents = async (
  database: Queryable,
  companyIds: readonly string[],
  sender = 'program',
): Promise<void> => {
  await database.query('select pg_notify($1, $2)', [channel, noticeOf(sender, companyIds)])
}

/** Wakes within this process only: for routes that nobody serves, and for programs that follow nothing. */
export const noWakes: Wakes = { wake: () => {}, listen: () => () => {}, close: async () => {} }

/** Begins to hear what other servers tell. */
export function wakes(database: Database): Wakes {
  const sender = randomBytes(6).toString('hex')
  const listeners = new Set<Heard>()
  // To be told here, and to others.
  let here = new Set<string | undefined>()
  let elsewhere = new Set<string>()
  let telling: Promise<void> | undefined
  let resting: NodeJS.Timeout | undefined
  let isClosed = false

  function heard(companyId: string | undefined): void {
    if (here.size === 0) setImmediate(tellHere)
    here.add(companyId)
  }

  function tellHere(): void {
    const companies = here
    here = new Set()
    for (const listener of listeners)
      if (companies.has(undefined)) listener(undefined)
      else for (const companyId of companies) listener(companyId)
  }

  /** One notice at a time, and a pause behind it: those that come meanwhile go together. */
  function tellElsewhere(): void {
    if (telling !== undefined || resting !== undefined || elsewhere.size === 0) return
    const companies = [...elsewhere]
    elsewhere = new Set()
    telling = notifyEvents(database, companies, sender)
      // Who misses it looks by himself.
      .catch(() => {})
      .then(() => {
        telling = undefined
        if (isClosed) return
        resting = setTimeout(() => {
          resting = undefined
          tellElsewhere()
        }, WAKE_PAUSE_MS).unref()
      })
  }

  const hearing = hear(database, channel, {
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
      if (elsewhere.size === 0) setImmediate(tellElsewhere)
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
      await telling
      // What was written last is told too.
      tellElsewhere()
      await telling
      await hearing.close()
    },
  }
}
