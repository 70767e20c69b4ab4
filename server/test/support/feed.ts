// The rows of the event feed as they stand in the database.
import type { Body } from './contract.ts'
import type { TestService } from './service.ts'

/** One event. */
export interface FeedRow {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly recordId: string
  readonly createdAt: string
  readonly data: Body
  readonly previous: Body | null
}

/** The events of a company in their order, or of one of its records. */
export async function feed(
  { database }: Pick<TestService, 'database'>,
  companyId: string,
  recordId?: string,
): Promise<FeedRow[]> {
  const rows = await database.query(
    `select sequence, id, type, resource, record_id, iso_time(created_at), data, previous from events
     where company_id = $1 and ($2::text is null or record_id = $2) order by sequence`,
    [companyId, recordId ?? null],
  )
  return rows.map(([sequence, id, type, resource, record, createdAt, data, previous]) => ({
    sequence,
    id,
    type,
    resource,
    recordId: record,
    createdAt,
    data: JSON.parse(data),
    previous: previous === null ? null : JSON.parse(previous),
  }))
}
