// Checks companies that are due and updates their alerts: new ones open, changed ones are renewed, and the others
// recover.
import { newId } from '../../core/ids.ts'
import type { Database, Queryable, Statement } from '../../database/connect.ts'
import { queryByCompany } from '../../database/one-company.ts'
import { type FoundState, failingTriggers, lowStock } from './states.ts'

/** Milliseconds between two checks of a company that keeps writing. */
const ALERT_CHECK_MS = 30_000
/**
 * The pause after a check of a company's stock, in times of what it took: a shop with tens of thousands of low levels takes
 * at most a hundredth of a core.
 */
const STOCK_PAUSE = 100
/** Companies of one look: some statements of some milliseconds. */
export const ALERT_COMPANIES = 100
/** Milliseconds for which the mail about low stock waits for further levels. */
const STOCK_MAIL_MS = 2 * 60 * 1000

/** Intervals in milliseconds, instead of the limits. */
export interface CheckTimes {
  readonly checkMs?: number
  /** The number of times, instead of `STOCK_PAUSE`. */
  readonly stockPause?: number
  readonly failingMs?: number
  readonly stockMailMs?: number
}

/** A company that is being checked. */
interface CheckedCompany {
  readonly companyId: string
  readonly isKnown: boolean
  /** Its stock may have changed: it has written since the last check, or shortly before that. */
  readonly isBusy: boolean
}

/** An open alert as stored. */
interface OpenAlert extends Omit<FoundState, 'details'> {
  readonly id: string
}

/**
 * Checks some companies that are due, in one transaction that locks them, so that no two servers check the same one.
 * Returns how many.
 */
export const checkDue = (database: Database, times: CheckTimes = {}): Promise<number> =>
  database.transaction(async (transaction) => {
    const companies = await holdDue(transaction, times)
    if (companies.length === 0) return 0
    const ids = companies.map(({ companyId }) => companyId)
    const found = await failingTriggers(transaction, ids, times.failingMs)
    const busy = companies.filter(({ isBusy }) => isBusy)
    for (const { companyId } of busy) {
      const begun = performance.now()
      found.push(...(await lowStock(transaction, companyId)))
      await pauseAfter(transaction, companyId, performance.now() - begun, times)
    }
    const open = await openAlerts(transaction, ids)
    const looked = new Set(busy.map(({ companyId }) => companyId))
    const quiet = new Set(companies.filter(({ isKnown }) => !isKnown).map(({ companyId }) => companyId))
    await compare(
      transaction,
      { found, open: open.filter(({ kind, companyId }) => kind !== 'stock' || looked.has(companyId)), quiet },
      times,
    )
    return companies.length
  })

/** Locks companies that are due, unless another server has locked them. */
const hold = `
  select company_id, position, is_busy, is_known from alert_checks
  where due_at <= now() order by due_at limit $1 for update skip locked`

/** The last events of companies. */
const latest: Statement = {
  name: 'alerts_latest',
  text: `
  select item.company_id, coalesce((select max(sequence) from events as stored where stored.company_id = item.company_id), 0)
  from unnest($1::text[]) as item(company_id)`,
}

const held = `
  update alert_checks as stored set is_known = true, position = item.latest, is_busy = item.is_new,
    due_at = case when item.is_new then now() + make_interval(secs => $4) end
  from unnest($1::text[], $2::bigint[], $3::boolean[]) as item(company_id, latest, is_new)
  where stored.company_id = item.company_id`

/**
 * A company that has written is checked once more, since a write may still be committing; then not until it writes
 * again.
 */
async function holdDue(transaction: Queryable, { checkMs = ALERT_CHECK_MS }: CheckTimes): Promise<CheckedCompany[]> {
  const due = await transaction.query(hold, [ALERT_COMPANIES])
  if (due.length === 0) return []
  const ids: string[] = due.map(([companyId]) => companyId)
  const rows = await queryByCompany(
    transaction,
    ids,
    (id) => id,
    (own) => transaction.query(latest, [own]),
  )
  const sequences = new Map(rows.map(([companyId, sequence]) => [companyId as string, sequence as number]))
  const isNew = due.map(([companyId, position]) => sequences.get(companyId) !== position)
  await transaction.query(held, [ids, ids.map((id) => sequences.get(id)), isNew, checkMs / 1000])
  return due.map(([companyId, , isBusy, isKnown], n) => ({ companyId, isKnown, isBusy: isBusy || isNew[n] === true }))
}

/** Postpones the next check of a company that keeps writing, if this one took long. */
async function pauseAfter(
  transaction: Queryable,
  companyId: string,
  tookMs: number,
  { checkMs = ALERT_CHECK_MS, stockPause = STOCK_PAUSE }: CheckTimes,
): Promise<void> {
  const pauseMs = tookMs * stockPause
  if (pauseMs > checkMs)
    await transaction.query(
      'update alert_checks set due_at = now() + make_interval(secs => $2) where company_id = $1 and due_at is not null',
      [companyId, pauseMs / 1000],
    )
}

async function openAlerts(transaction: Queryable, companyIds: readonly string[]): Promise<OpenAlert[]> {
  const rows = await transaction.query(
    `select id, company_id, kind, cause, array(select json_array_elements_text(parts)) from alerts
     where company_id = any ($1) and state = 'open'`,
    [companyIds],
  )
  return rows.map(([id, companyId, kind, cause, parts]) => ({ id, companyId, kind, cause, parts }))
}

const keyOf = ({ companyId, kind, cause }: Pick<FoundState, 'companyId' | 'kind' | 'cause'>): string =>
  `${companyId} ${kind} ${cause}`

interface ComparedAlerts {
  readonly found: readonly FoundState[]
  readonly open: readonly OpenAlert[]
  /** Companies that are checked for the first time: what is found is not mailed. */
  readonly quiet: ReadonlySet<string>
}

/** Stores the difference between the current state and the stored alerts. */
async function compare(
  transaction: Queryable,
  { found, open, quiet }: ComparedAlerts,
  { stockMailMs = STOCK_MAIL_MS }: CheckTimes,
): Promise<void> {
  const known = new Map(open.map((one) => [keyOf(one), one]))
  for (const one of found) {
    const { companyId, kind, cause, details, parts } = one
    const before = known.get(keyOf(one))
    known.delete(keyOf(one))
    const isNews = before === undefined || parts.some((part) => !before.parts.includes(part))
    // Several changes within some minutes are one mail.
    const mailInMs = !isNews || quiet.has(companyId) ? null : kind === 'stock' ? stockMailMs : 0
    const values = [companyId, before?.id ?? newId(), JSON.stringify(details), JSON.stringify(parts)]
    const mailAt = 'now() + make_interval(secs => $5::float8)'
    if (before === undefined)
      await transaction.query(
        `insert into alerts (company_id, id, details, parts, mail_at, kind, cause, state, created_at, updated_at)
         values ($1, $2, $3, $4, ${mailAt}, $6, $7, 'open', now(), now())`,
        [...values, mailInMs === null ? null : mailInMs / 1000, kind, cause],
      )
    else
      await transaction.query(
        `update alerts set details = $3, parts = $4, updated_at = case when $6 then now() else updated_at end,
           mail_at = coalesce(mail_at, ${mailAt})
         where company_id = $1 and id = $2`,
        [...values, mailInMs === null ? null : mailInMs / 1000, isNews],
      )
  }
  const over = [...known.values()]
  await transaction.query(
    `update alerts as alert set state = 'recovered', recovered_at = now(), mail_at = null
     from unnest($1::text[], $2::text[]) as item(company_id, id)
     where alert.company_id = item.company_id and alert.id = item.id`,
    [over.map(({ companyId }) => companyId), over.map(({ id }) => id)],
  )
}
