// Which companies the dispatcher examines next: those that have written, those whose new events are blocked by an older
// write, and those whose events a dead server left.

import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import { HELD_LOOK_MS } from '../../core/limits.ts'
import type { Database, Queryable, Statement } from '../../database/connect.ts'
import { type ChannelListener, listen } from '../../database/listen.ts'
import { queryByCompany } from '../../database/one-company.ts'
import type { WriteNotifications } from '../events/write-notifications.ts'
import type { TriggerKey } from './deliveries.ts'
import { AFTER_FAILURE_MS, isUnleased } from './leases.ts'
import { COMPANIES } from './reads.ts'
import { triggerChannel } from './triggers.ts'

/** Milliseconds between two looks for new events while they keep coming: some three statements each, whatever the number of events. */
export const LOOK_MS = 10
/** Milliseconds between two looks if nothing wakes the dispatcher: deliveries may be due again. */
const DUE_MS = 500
/** Triggers of one look for forgotten events, and milliseconds between two such looks. */
const SWEEP = 500
const SWEEP_MS = 1_000

interface PendingCompaniesParts {
  readonly notifications: WriteNotifications
  readonly failed: Failed
  /** The companies that this server has subscriptions of. */
  readonly subscribed: () => Iterable<string>
  /** Called with a company at once when one of its triggers was changed or deleted. */
  readonly triggersChanged: (companyId: string) => void
  /** Called when there is a company to look at. */
  readonly found: () => void
}

/** The beginning of all triggers. */
const start: TriggerKey = { companyId: '', triggerId: '' }

export class PendingCompanies {
  /** How often triggers have changed, or may have. */
  triggerChanges = 0
  readonly #written = new Set<string>()
  readonly #blocked = new Set<string>()
  /** Companies known to have no triggers, while this server hears of new ones. */
  readonly #withoutTriggers = new Set<string>()
  readonly #database: Database
  readonly #parts: PendingCompaniesParts
  readonly #triggerChanged: ChannelListener
  readonly #unsubscribe: () => void
  readonly #sweeping: BackgroundLoop
  #sweepFrom = start
  #isFirstSweep = true

  constructor(database: Database, parts: PendingCompaniesParts) {
    this.#database = database
    this.#parts = parts
    this.#sweeping = backgroundLoop(() => this.#sweep(), parts.failed, AFTER_FAILURE_MS)
    this.#triggerChanged = listen(database, triggerChannel, {
      heard: (companyId) => {
        this.triggerChanges++
        this.#withoutTriggers.delete(companyId)
        this.#parts.triggersChanged(companyId)
        this.wake(companyId)
      },
      missed: () => {
        this.triggerChanges++
        this.#withoutTriggers.clear()
      },
    })
    this.#unsubscribe = parts.notifications.listen((companyId) =>
      companyId === undefined ? this.#wakeAll() : this.wake(companyId),
    )
    this.#sweeping.schedule(0)
  }

  /** Makes the dispatcher examine a company soon, unless it has no triggers. */
  wake(companyId: string): void {
    if (this.#withoutTriggers.has(companyId) && this.#triggerChanged.isAlive) return
    this.#written.add(companyId)
    this.#parts.found()
  }

  /** Includes companies in the next look, whenever that is. */
  add(companyIds: Iterable<string>): void {
    for (const companyId of companyIds) this.#written.add(companyId)
  }

  /** A company has events beyond its watermark, blocked by an older write that is still committing. */
  addBlocked(companyId: string): void {
    this.#blocked.add(companyId)
  }

  /** A look found no trigger of a company. If triggers changed since it began, it may have missed one. */
  setWithoutTriggers(companyId: string, triggerChanges: number): void {
    if (triggerChanges === this.triggerChanges) this.#withoutTriggers.add(companyId)
  }

  isWritten(companyId: string): boolean {
    return this.#written.has(companyId)
  }

  /** Takes the companies of one look. */
  take(): string[] {
    const companies = [...new Set([...this.#written, ...this.#blocked])].slice(0, COMPANIES)
    for (const companyId of companies) {
      this.#written.delete(companyId)
      this.#blocked.delete(companyId)
    }
    return companies
  }

  /** Milliseconds until the next look, if nothing wakes the dispatcher. */
  pauseMs(): number {
    if (this.#written.size > 0) return LOOK_MS
    return this.#blocked.size > 0 ? HELD_LOOK_MS : DUE_MS
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([this.#sweeping.stop(), this.#triggerChanged.close()])
  }

  /** Notifications may have been missed: subscribed companies are examined, and all triggers are swept. */
  #wakeAll(): void {
    this.add(this.#parts.subscribed())
    this.#sweepFrom = start
    this.#sweeping.schedule(0)
  }

  /** Finds events without a notification: the server that wrote them, or that had leased their triggers, died. */
  async #sweep(): Promise<number> {
    const { companies, last } = await findForgotten(this.#database, this.#sweepFrom, SWEEP)
    for (const companyId of companies) {
      this.#withoutTriggers.delete(companyId)
      this.wake(companyId)
    }
    this.#sweepFrom = last ?? start
    if (last === undefined) this.#isFirstSweep = false
    return this.#isFirstSweep ? 0 : SWEEP_MS
  }
}

/**
 * Companies with active triggers that no server has although events wait: the server that wrote these died before it
 * notified any. Looks at `most` triggers after one in the order of their ids; `last` is undefined at the end.
 */
export async function findForgotten(
  database: Queryable,
  after: TriggerKey,
  most: number,
): Promise<{ companies: string[]; last: TriggerKey | undefined }> {
  const rows = await database.query(page, [after.companyId, after.triggerId, most])
  const idle = rows.filter(([, , , isIdle]) => isIdle)
  const found =
    idle.length === 0
      ? []
      : await queryByCompany(
          database,
          idle,
          ([companyId]) => companyId,
          (own) => database.query(behind, [own.map(([companyId]) => companyId), own.map(([, , position]) => position)]),
        )
  const [companyId, triggerId] = rows.at(-1) ?? []
  return {
    companies: [...new Set(found.map(([companyId]) => companyId as string))],
    last: rows.length < most ? undefined : { companyId, triggerId },
  }
}

/** Triggers after one in the order of their ids: where tables are distributed by company, one search over all nodes. */
const page: Statement = {
  name: 'webhooks_idle',
  text: `
      select company_id, id, position, is_active and ${isUnleased} as is_idle
      from automation_triggers where (company_id, id) > ($1, $2) order by company_id, id limit $3`,
}

/** The companies of triggers behind which there are events. */
const behind: Statement = {
  name: 'webhooks_behind',
  text: `
      select item.company_id from unnest($1::text[], $2::bigint[]) as item(company_id, position)
      cross join lateral (
        -- An aggregate, so that it uses the index and never scans.
        select min(events.sequence) as next from events
        where events.company_id = item.company_id and events.sequence > item.position
      ) as first where first.next is not null`,
}
