// What imports report, read at a scrape.
import type { Queryable } from '../../database/connect.ts'
import { type Family, readFamily } from '../../metrics/instruments.ts'

const states = ['sending', 'checking', 'ready', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone']

/** Imports by state, as long as they are kept, and for how long the oldest has waited for its turn. */
export async function importFamilies(database: Queryable): Promise<Family[]> {
  const rows = await database.query(
    `select state, count(*),
       coalesce(max(extract(epoch from now() - queued_at)) filter (
         where state in ('checking', 'running', 'undoing') and (leased_until is null or leased_until < now())), 0)::float8
     from imports group by state`,
  )
  const counts = new Map(rows.map(([state, count]) => [state as string, Number(count)]))
  return [
    readFamily(
      { name: 'cashwrap_imports', help: 'Imports that are kept, by state.' },
      states.map((state) => ({ value: counts.get(state) ?? 0, labels: { state } })),
    ),
    readFamily(
      {
        name: 'cashwrap_import_oldest_waiting_seconds',
        help: 'For how long the import that has waited longest has had no turn; 0 if none waits.',
      },
      Math.max(0, ...rows.map(([, , seconds]) => Number(seconds))),
    ),
  ]
}
