// Records which tenants use the service at the moment: a tenant may take all shared places only while no other tenant
// is active.

/** Milliseconds after a request for which its company counts as present, so that no other company takes more than half of any places. */
export const PRESENT_MS = 1_000

/** The tenants that asked for something within the last `PRESENT_MS`. */
export interface TenantActivity {
  /** Notes a request of a tenant. Requests without a tenant (an empty text) are not noted. */
  asked(tenant: string): void
  /** Milliseconds for which another tenant still counts as present; 0 when none does. */
  othersMs(tenant: string): number
  /** Calls `work` after some milliseconds. */
  after(ms: number, work: () => void): void
}

/** The time in milliseconds, and its timers. */
type TimerClock = Pick<TenantActivity, 'after'> & { readonly now: () => number }

/** The clock of this process, whose timers do not keep it from ending. */
const processClock: TimerClock = {
  now: () => performance.now(),
  after: (ms, work) => void setTimeout(work, ms).unref(),
}

/** Makes a record of requests. It keeps the last two tenants, which answers the question for every tenant at no cost. */
export function tenantActivity(clock: Partial<TimerClock> = {}): TenantActivity {
  const { now, after } = { ...processClock, ...clock }
  let last = { tenant: '', at: Number.NEGATIVE_INFINITY }
  // The last request of any tenant but that of `last`.
  let other = last
  return {
    asked(tenant) {
      if (tenant === '') return
      if (tenant === last.tenant) last.at = now()
      else {
        other = last
        last = { tenant, at: now() }
      }
    },
    othersMs(tenant) {
      const { at } = tenant === last.tenant ? other : last
      return Math.max(0, at + PRESENT_MS - now())
    },
    after,
  }
}

/** The companies that use this process, whatever their requests: one that reads records shares PostgreSQL with one that lists. */
export const companyActivity: TenantActivity = tenantActivity()
