// Who gets alerts: people with access to the company, unless they have switched a kind off.
import type { Queryable } from '../../database/connect.ts'
import { canSignIn } from '../people/ways-in.ts'
import type { AlertKind } from './alert.ts'

/** Companies of an organization up to which its members get mails about them: an owner of thousands uses the bell. */
const MAILED_COMPANIES = 10

/** SQL: whether user `user_id` has the mail of `kind` on; without a row everything is on. */
const isOn = (what: 'bell' | 'mail', user: string, kind: string): string =>
  `not exists (select from alert_settings as own where own.user_id = ${user} and own.kind = ${kind} and not own.${what})`

/**
 * SQL condition: the member `member`, of the company $1 or of its organization, gets mails of the company. Members of
 * an organization with many companies get none: they use the bell.
 */
const isMailed = `(member.company_id = $1 or member.organization_id = (
  select organization_id from companies where id = $1
    and (select count(*) from (select from companies as other where other.organization_id = companies.organization_id limit ${MAILED_COMPANIES + 1}) as counted) <= ${MAILED_COMPANIES}))`

/** People of a company who can sign in, each with the kinds that are mailed to them. Every member may read every kind: a viewer reads all records. */
export async function mailReaders(
  database: Queryable,
  companyId: string,
  kinds: readonly AlertKind[],
): Promise<{ userId: string; kinds: AlertKind[] }[]> {
  const rows = await database.query(
    `select users.id, array(select kind from unnest($2::text[]) as kind where ${isOn('mail', 'users.id', 'kind')})
     from users
     where ${canSignIn} and exists (select from members as member where member.user_id = users.id and ${isMailed})
     order by users.id`,
    [companyId, kinds],
  )
  return rows.flatMap(([userId, kinds]) => (kinds.length === 0 ? [] : [{ userId, kinds }]))
}

/**
 * The address of a person who still gets mails about a company, and the kinds of these; undefined if the person does
 * not.
 */
export async function mailReader(database: Queryable, companyId: string, userId: string): Promise<string | undefined> {
  const [row] = await database.query(
    `select person.email from users as person
     where person.id = $2 and exists (select from members as member where member.user_id = person.id and ${isMailed})`,
    [companyId, userId],
  )
  return row?.[0]
}

/** SQL condition: the person `user` sees alerts of `kind` in the bell. */
export const isInBell = (user: string, kind: string): string => isOn('bell', user, kind)
