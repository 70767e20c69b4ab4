// The settings of a company: rules of its tills and of its rounding, which its own keys and its admins read and change.

import { currencyDigits } from '../../core/currency.ts'
import { type Condition, requireMatch } from '../../core/etag.ts'
import { amountText, exact, wholeUnits } from '../../core/exact.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { bodyError, invalid, orThrow } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { choice, decimal, flag, required } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { bodySchema } from '../../engine/schema.ts'
import { json, type Route } from '../../http/route.ts'

/** A company's settings as they are shown. */
interface Settings {
  readonly oneOpenSession: boolean
  readonly taxRounding: 'line' | 'receipt'
  readonly cashRounding?: string
}

/** Stations that a refusal names, and open sessions that it names of each. */
const STATIONS_LISTED = 50
const SESSIONS_LISTED = 10

const fields = {
  oneOpenSession: required(
    flag({
      description:
        'Whether a station has at most one open session. On for new companies. It cannot be switched on while a station has several.',
      example: true,
    }),
  ),
  taxRounding: required(
    choice(['line', 'receipt'], {
      description:
        'Where the taxes of a sale are rounded: `line` rounds each line’s tax, `receipt` only the sum of each rate.',
      example: 'line',
    }),
  ),
  cashRounding: {
    ...decimal({
      description:
        'The unit to which an amount that is paid in cash is rounded, such as the smallest coin: a whole multiple of the smallest unit of the company’s currency. Cash is not rounded without it, nor after the currency changed to one that has no such unit.',
      example: '0.05',
    }),
    check: (value: unknown, at: string) =>
      typeof value === 'string' && !(Number(value) > 0)
        ? [
            bodyError(
              at,
              'exclusiveMinimum',
              'must be more than zero, such as "0.05"; null switches the rounding off',
              0,
            ),
          ]
        : [],
  },
}

const properties: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(fields).map(([member, { schema }]) => [member, schema]),
)
const record: JsonSchema = {
  title: 'Settings',
  description: 'The rules of a company’s tills and of its rounding.',
  type: 'object',
  properties,
  required: ['oneOpenSession', 'taxRounding'],
}
const update: JsonSchema = {
  title: 'SettingsUpdate',
  description: 'The settings to change; omitted ones keep their values.',
  type: 'object',
  properties: { ...properties, cashRounding: { ...properties.cashRounding, type: ['string', 'null'] } },
  additionalProperties: false,
}
const example = { oneOpenSession: true, taxRounding: 'line', cashRounding: '0.05' }
const schema = bodySchema({ fields, requireOneOf: [] })

/** The settings of a company; `lock` keeps them until the transaction ends. */
async function readSettings(database: Queryable, companyId: string, lock: '' | 'for update' = ''): Promise<Settings> {
  const [row] = await database.query(
    `select one_open_session, tax_rounding, cash_rounding from companies where id = $1 ${lock}`,
    [companyId],
  )
  const [oneOpenSession, taxRounding, cashRounding] = row ?? []
  return { oneOpenSession, taxRounding, ...(cashRounding !== null && { cashRounding }) }
}

/**
 * Changes settings in a transaction of the caller. Its lock on the company waits for transactions that open a session, and they
 * wait for it (`resources/open-sessions.ts`).
 */
async function changeSettings(
  transaction: Queryable,
  companyId: string,
  value: unknown,
  ifMatch: Condition | undefined,
): Promise<Settings> {
  const { set, clear } = orThrow(schema.update(value))
  const before = await readSettings(transaction, companyId, 'for update')
  requireMatch(ifMatch, JSON.stringify(before))
  if (typeof set.cashRounding === 'string') await requirePayable(transaction, companyId, set.cashRounding)
  const { cashRounding, ...others } = { ...before, ...set } as Settings
  const after = { ...others, ...(cashRounding !== undefined && !clear.includes('cashRounding') && { cashRounding }) }
  if (after.oneOpenSession && !before.oneOpenSession) await requireOneSession(transaction, companyId)
  await transaction.query(
    'update companies set one_open_session = $2, tax_rounding = $3, cash_rounding = $4 where id = $1',
    [companyId, after.oneOpenSession, after.taxRounding, after.cashRounding],
  )
  return after
}

/** Throws 400 for a cash unit that cannot be paid in the company's currency, as 0.001 cannot in EUR. */
async function requirePayable(transaction: Queryable, companyId: string, unit: string): Promise<void> {
  const [[currency] = []] = await transaction.query('select currency from companies where id = $1', [companyId])
  const digits = currencyDigits(currency)
  if (wholeUnits(exact(unit), digits) !== undefined) return
  const [smallest, example] = [1n, 5n].map((units) => amountText(units, digits))
  throw invalid([
    bodyError(
      '/cashRounding',
      'unit',
      `must be a multiple of ${smallest}, the smallest unit of ${currency}, such as "${example}"`,
    ),
  ])
}

/** Throws 409 with the stations that have several open sessions. */
async function requireOneSession(transaction: Queryable, companyId: string): Promise<void> {
  const rows = await transaction.query(
    `select station.id, station.name, count(*)::int, (array_agg(session.id order by session.id))[1:${SESSIONS_LISTED}]
     from sessions as session join stations as station on station.company_id = $1 and station.id = session.station_id
     where session.company_id = $1 and session.close_time = ''
     group by station.id, station.name having count(*) > 1 order by station.id limit ${STATIONS_LISTED}`,
    [companyId],
  )
  if (rows.length === 0) return
  const errors = rows.map(([id, name, count, sessions]) =>
    bodyError(
      '/oneOpenSession',
      'open_sessions',
      `cannot be switched on while the station ${JSON.stringify(id)} (${name}) has ${count} open sessions: ${sessions.join(', ')}${count > SESSIONS_LISTED ? ', …' : ''}`,
    ),
  )
  throw invalid(errors, 'conflict')
}

/** The routes of a company's settings. */
export function settingsRoutes(database: Database): Route[] {
  const common = { path: '/v1/settings', surface: 'company', tag: 'Company', isRecord: true } as const
  const replies = { 200: { description: 'The settings.', schema: record, example } }
  return [
    {
      ...common,
      method: 'GET',
      operationId: 'readSettings',
      summary: 'Read the settings of the company',
      replies,
      handle: async ({ scope }) => json(await readSettings(database, scope.companyId)),
    },
    {
      ...common,
      method: 'PATCH',
      operationId: 'updateSettings',
      summary: 'Change the settings of the company',
      description:
        'Switching `oneOpenSession` on is refused with 409 `conflict` while a station has several open sessions; `errors` names each station and its open sessions.',
      body: { schema: update, example },
      replies,
      problems: ['conflict'],
      takesIfMatch: true,
      handle: ({ scope, body, claim, ifMatch }) =>
        transacted(database, claim, async (transaction) =>
          json(await changeSettings(transaction, scope.companyId, body, ifMatch)),
        ),
    },
  ]
}
