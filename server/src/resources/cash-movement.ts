// Cash movement: cash that is put into a till’s drawer or taken out of it without a sale.
import { REFERENCE_CHARACTERS } from '../core/limits.ts'
import { bodyError, invalid } from '../core/problem.ts'
import { choice, currency, decimal, externalId, type Field, reference, required, text } from '../engine/field.ts'
import { type OwnFilter, resource, type SideEffects } from '../engine/resource.ts'
import { occurredAt, otherNames } from './shapes.ts'

/** SQL: the types of movements that put cash into the drawer; the others take it out. */
export const typesIn = `('pay-in', 'float')`

/** An amount above zero, since the type of a movement gives its direction. */
const positive = (of: Field<string>): Field<string> => ({
  ...of,
  check: (value, at) =>
    /^(?!-).*[1-9]/.test(String(value))
      ? []
      : [
          bodyError(
            at,
            'exclusiveMinimum',
            'must be more than zero, such as "20.00"; the type says whether cash goes in or out',
            0,
          ),
        ],
})

/**
 * Refuses to move a cash movement out of a session that is a record, as when a till uses a number again: the closing of that
 * session has counted it, or will, and no closing would count the new one.
 */
const stayInSession: SideEffects = {
  applies: (before, after) => before !== undefined && before.sessionId !== after.sessionId,
  async write(transaction, changes) {
    for (const [companyId, own] of Map.groupBy(changes, ({ scope }) => scope.companyId)) {
      const sessions = own.map(({ before }) => before?.sessionId)
      const text = 'select id from sessions where company_id = $1 and id = any($2::text[]) limit 1'
      const [known] = await transaction.query({ name: 'cash_movements_sessions', text }, [companyId, sessions])
      if (known === undefined) continue
      const message = `cannot be changed: this movement belongs to the session ${known[0]}. For another movement, send another externalId; to correct this one, delete it and create it again`
      throw invalid([bodyError('/sessionId', 'immutable', message)])
    }
  },
}

/** A filter by where the session of a movement is. */
const bySessions = (description: string, isThere: (value: string) => string): OwnFilter => ({
  schema: { type: 'string', minLength: 1, maxLength: REFERENCE_CHARACTERS, description },
  condition: (value) =>
    `stored.session_id in (select own.id from sessions as own where own.company_id = $1 and ${isThere(value)})`,
})

export const cashMovement = resource({
  name: { one: 'cash-movement', many: 'cash-movements' },
  title: 'Cash movements',
  description:
    'Cash that is put into the drawer of a till or taken out of it without a sale, such as change from the bank or a payment to a courier. Session reports and closings add movements up.',
  fields: {
    sessionId: required(
      reference({
        description:
          'The session whose drawer the cash goes into or comes out of. It cannot be changed once the session is a record.',
      }),
    ),
    type: required(
      choice(['pay-in', 'pay-out', 'drop', 'float'], {
        description:
          'Cash in: `pay-in`, or `float` for more change. Cash out: `pay-out`, or `drop` for cash that is brought to the safe or the bank.',
        example: 'pay-out',
      }),
    ),
    amount: required(
      positive(
        decimal({
          description: 'How much cash was moved: a decimal string in `currency`, always more than zero.',
          example: '20.00',
        }),
      ),
    ),
    currency: currency({ description: 'ISO 4217 code of the amount. Without it, the company’s currency.' }),
    occurredAt: occurredAt('When the cash was moved.'),
    reason: text({ description: 'Reason for the movement.', example: 'Window cleaner' }),
    employee: reference({ description: 'The account or user of the employee who moved the cash.' }),
    externalId: externalId({ example: 'till-1-M-17' }),
  },
  sideEffects: stayInSession,
  elsewhere: {
    ...otherNames('reason', 'note', 'notes', 'description'),
    stationId: 'send the sessionId of the open session of the station',
  },
  moment: 'occurredAt',
  remove: 'hard',
  list: { exact: ['externalId', 'sessionId', 'type', 'currency', 'employee'], selective: ['externalId'] },
  filters: {
    stationId: bySessions('Id of a station. Lists only movements of its sessions.', (station) => `own.station_id = ${station}`), // biome-ignore format: one thought
    outletId: bySessions(
      'Id of an outlet. Lists only movements at its stations.',
      (outlet) =>
        `own.station_id in (select till.id from stations as till where till.company_id = $1 and till.outlet_id = ${outlet})`,
    ),
  },
  styleA: { one: ['cash-movement'], list: 'cash-movements' },
  styleB: { one: 'cash-movement', many: 'cash-movements' },
  example: {
    sessionId: '6740a1f2c3d4e5f6a7b8c9d6',
    type: 'pay-out',
    amount: '20.00',
    currency: 'EUR',
    reason: 'Window cleaner',
  },
})
