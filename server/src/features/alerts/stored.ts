// Alerts as a person reads them: the newest of a company, what of them is read, and which kinds the person wants.
import type { Queryable } from '../../database/connect.ts'
import { type AlertDetails, type AlertKind, alertKinds } from './alert.ts'
import { isInBell } from './readers.ts'

/** Alerts that the bell shows, the newest. */
const ALERTS_SHOWN = 50

interface ShownAlert {
  readonly id: string
  readonly state: string
  readonly details: AlertDetails
  readonly createdAt: string
  readonly updatedAt: string
  readonly recoveredAt?: string
  readonly isRead: boolean
}

/** SQL: a recovered alert no longer needs anybody's attention. */
const isUnread = `alert.state <> 'recovered' and coalesce(own.read_at < alert.updated_at, true)`
const visible = `alerts as alert
  left join alert_reads as own on own.company_id = $1 and own.alert_id = alert.id and own.user_id = $2
  where alert.company_id = $1 and ${isInBell('$2', 'alert.kind')}`

/** The newest alerts of a company for a person, and the number of all that are unread. */
export async function alertsFor(
  database: Queryable,
  companyId: string,
  userId: string,
): Promise<{ data: ShownAlert[]; meta: { unread: number } }> {
  const rows = await database.query(
    `select alert.id, alert.state, alert.details, iso_time(alert.created_at), iso_time(alert.updated_at),
       iso_time(alert.recovered_at), not (${isUnread}), count(*) filter (where ${isUnread}) over ()
     from ${visible} order by alert.updated_at desc, alert.id desc limit ${ALERTS_SHOWN}`,
    [companyId, userId],
  )
  const data = rows.map(([id, state, details, createdAt, updatedAt, recoveredAt, isRead]) => ({
    id,
    state,
    details: JSON.parse(details),
    createdAt,
    updatedAt,
    ...(recoveredAt !== null && { recoveredAt }),
    isRead,
  }))
  return { data, meta: { unread: Number(rows[0]?.[7] ?? 0) } }
}

/** Marks alerts of a company as read by a person: those named, or all. Others are ignored, also those that are being removed. */
export async function markRead(
  database: Queryable,
  companyId: string,
  userId: string,
  ids: readonly string[] | undefined,
): Promise<void> {
  await database.query(
    `insert into alert_reads (company_id, alert_id, user_id, read_at)
     select company_id, id, $2, now() from alerts where company_id = $1 and ($3::text[] is null or id = any ($3))
     order by id for key share
     on conflict (company_id, alert_id, user_id) do update set read_at = excluded.read_at`,
    [companyId, userId, ids ?? null],
  )
}

/** Where a kind of alert goes. */
export interface Ways {
  readonly bell: boolean
  readonly mail: boolean
}

/** What a person has chosen for each kind; everything is on at first. */
export async function settingsOf(database: Queryable, userId: string): Promise<Record<AlertKind, Ways>> {
  const rows = await database.query('select kind, bell, mail from alert_settings where user_id = $1', [userId])
  const own = new Map(rows.map(([kind, bell, mail]) => [kind, { bell, mail }]))
  return Object.fromEntries(alertKinds.map((kind) => [kind, own.get(kind) ?? { bell: true, mail: true }])) as Record<
    AlertKind,
    Ways
  >
}

/** Stores what a person has chosen for one kind; what is absent stays. */
export async function changeSetting(
  database: Queryable,
  userId: string,
  kind: AlertKind,
  { bell, mail }: Partial<Ways>,
): Promise<void> {
  await database.query(
    `insert into alert_settings as stored (user_id, kind, bell, mail) values ($1, $2, coalesce($3, true), coalesce($4, true))
     on conflict (user_id, kind) do update set bell = coalesce($3, stored.bell), mail = coalesce($4, stored.mail)`,
    [userId, kind, bell ?? null, mail ?? null],
  )
}
