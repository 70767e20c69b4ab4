// The watermark of a company's feed: beyond it, writers that have their numbers but have not committed may still add
// events.

import type { Database, Queryable, Row } from '../../database/connect.ts'
import { planSetting } from '../../database/statement.ts'

/** For each company, the number up to which every event either can be read or will never exist. */
type Watermarks = ReadonlyMap<string, number>

/**
 * Runs `read` with the watermarks of companies. It may read the events of these companies up to there, in the transaction that it
 * gets: its statements come after the watermarks, and on the same connection. After a crash or a failover, PostgreSQL
 * may assign numbers again, and an older watermark would cover writers that have not committed. But no connection
 * survives a crash or a failover. Plans do not depend on values (`planSettings`): for a known company that is new to its statistics,
 * PostgreSQL expects one event, and would read all of them to find the last one.
 */
export const readSettled = <T>(
  database: Database,
  companyIds: Iterable<string>,
  read: (transaction: Queryable, watermarks: Watermarks) => Promise<T>,
): Promise<T> =>
  database.transaction(async (transaction) => {
    const text = `select *, ${planSetting(transaction)} from events_settled($1)`
    const statement = { name: 'events_settled', text }
    const rows: Row[] = await transaction.query(statement, [[...new Set(companyIds)]])
    return read(transaction, new Map(rows.map(([companyId, watermark]) => [companyId, watermark])))
  })
