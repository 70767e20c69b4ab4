// Counts the records that match several exact filters by the indexes of these filters, and reads no row for it.

import type { Resource } from './resource.ts'

/**
 * The SQL of the count: the entries of each filter's index, which are in the order of creation, are merged by record.
 * `offset 0` keeps PostgreSQL from reading the table once, with all conditions.
 */
export function intersectedCount({ table }: Resource, ofEach: readonly string[]): string {
  const columns = 'stored.created_at, stored.id'
  const [first, ...others] = ofEach.map(
    (where, n) =>
      `(select ${columns} from ${table} as stored where ${where} order by ${columns} offset 0) as entries_${n}`,
  )
  return `select count(*) from ${first} ${others.map((other) => `join ${other} using (created_at, id)`).join(' ')}`
}
