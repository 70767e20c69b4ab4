// Lasting states, read from their tables: triggers whose receivers fail, and stock that runs out.
import type { Queryable } from '../../database/connect.ts'
import { LOW_STOCK_BELOW, lowLevels } from '../inventory/low-stock.ts'
import type { AlertDetails, AlertKind } from './alert.ts'

/** Milliseconds for which all calls of a trigger must have failed: the first retries follow after seconds and minutes. */
export const WEBHOOK_FAILING_MS = 10 * 60 * 1000
/** The lowest levels of stock of a company that an alert stores, and those that it names. */
const LOW_LEVELS = 1_000
const LOW_LEVELS_NAMED = 20

/** Something that should not last. */
export interface FoundState {
  readonly companyId: string
  readonly kind: AlertKind
  readonly cause: string
  readonly details: AlertDetails
  /** Its parts, to find which of them are new: levels of stock, or that a trigger was switched off. */
  readonly parts: readonly string[]
}

/** The reason if a person switched the trigger off; `switchOff` of the triggers gives another one. */
const byRequest = 'Switched off by request.'

/** SQL condition: a trigger has failed for the seconds of a parameter, or was switched off for it. The first line is that of an index. */
export const isUnwell = (seconds: string): string => `(failing_since is not null or not is_active) and (
    is_active and failing_since <= now() - make_interval(secs => ${seconds})
    or not is_active and coalesce(body ->> 'inactiveReason', '${byRequest}') <> '${byRequest}'
  )`

/** Triggers of companies whose receivers have failed for some time, or that were switched off for it. */
export async function failingTriggers(
  database: Queryable,
  companyIds: readonly string[],
  failingMs = WEBHOOK_FAILING_MS,
): Promise<FoundState[]> {
  const rows = await database.query(
    `select company_id, id, body ->> 'customTriggerName', body ->> 'triggerUrl',
       coalesce(body ->> 'inactiveSince', iso_time(failing_since)), case when not is_active then body ->> 'inactiveReason' end
     from automation_triggers
     where company_id = any ($1) and ${isUnwell('$2')}`,
    [companyIds, failingMs / 1000],
  )
  return rows.map(([companyId, triggerId, name, url, since, offReason]) => ({
    companyId,
    kind: 'webhook',
    cause: triggerId,
    details: {
      kind: 'webhook',
      triggerId,
      since,
      host: URL.parse(url)?.host ?? url,
      ...(name && { name }),
      ...(offReason && { offReason }),
    },
    parts: [offReason ? 'off' : 'failing'],
  }))
}

/** The stock of a company that is low, as one finding; none if there is enough of everything. */
export async function lowStock(database: Queryable, companyId: string): Promise<FoundState[]> {
  const { count, levels } = await lowLevels(database, companyId, { below: LOW_STOCK_BELOW, limit: LOW_LEVELS })
  if (count === 0) return []
  const shown = levels.slice(0, LOW_LEVELS_NAMED).map(({ inventoryId, sku, ...level }) => level)
  const details: AlertDetails = { kind: 'stock', below: LOW_STOCK_BELOW, count, levels: shown }
  return [{ companyId, kind: 'stock', cause: '', details, parts: levels.map(({ inventoryId }) => inventoryId) }]
}
