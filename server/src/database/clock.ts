// Compares this machine's clock with PostgreSQL's: records get the time of this machine, and keep it.
import type { Logger } from 'pino'
import type { Queryable } from './connect.ts'

/** Seconds by which the clocks may differ: more than a slow answer explains. */
const MOST_SECONDS = 60

/** Warns if the clocks differ, as on a machine without NTP. */
export async function compareClocks(database: Pick<Queryable, 'query'>, log: Pick<Logger, 'warn'>): Promise<void> {
  const [row] = await database.query('select extract(epoch from clock_timestamp())::float8')
  const seconds = Math.round(Date.now() / 1000 - Number(row?.[0]))
  if (Math.abs(seconds) > MOST_SECONDS)
    log.warn(
      { seconds },
      `the clock of this machine is ${seconds > 0 ? 'ahead of' : 'behind'} PostgreSQL's: correct the wrong one, since records get the time of this machine`,
    )
}
