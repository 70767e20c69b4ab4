// Session: the time from opening a till to counting it.
import { dateTime, decimal, list, map, name, reference, required, text } from '../engine/field.ts'
import { type Resource, resource } from '../engine/resource.ts'
import { closingFirst, refusingSecond } from './open-sessions.ts'
import { otherNames } from './shapes.ts'

const declared = resource({
  name: { one: 'session', many: 'sessions' },
  alsoCalled: ['shift'],
  title: 'Sessions',
  description:
    'A till from opening to counting, with the amounts found in it. A station has at most one open session if the company’s setting `oneOpenSession` is on.',
  fields: {
    stationId: required(reference({ description: 'The till that is opened.' })),
    sessionNumber: name({ description: 'A number for people to read, chosen by the till.', example: '17' }),
    openedBy: reference({ description: 'The account or user of the employee who opened the till.' }),
    closedBy: reference({ description: 'The account or user of the employee who counted and closed the till.' }),
    openTime: dateTime({
      description: 'When the till was opened, by its own clock, which may be ahead.',
      example: '2026-11-21T08:00:00.000Z',
    }),
    closeTime: dateTime({
      description: 'When the till was closed. The session is open until it is set; setting it raises `session.closed`.',
      example: '2026-11-21T18:30:00.000Z',
    }),
    openingAmount: decimal({
      description:
        'Opening float: the cash in the drawer when the till is opened. A decimal string in the company’s currency.',
      example: '100.00',
    }),
    closingAmount: decimal({
      description:
        'The cash counted in the drawer when the till is closed, opening float included. A decimal string in the company’s currency.',
      example: '347.50',
    }),
    closingReportData: text({
      description: 'The closing report as the till printed it, or its data as JSON. The service only stores it.',
    }),
    notes: list(text(), { description: 'Remarks made while the till was open, the oldest first.' }),
    closingAmounts: map(decimal(), {
      description:
        'What was counted for each payment method when the till was closed. `cash` includes the opening float, and takes precedence over `closingAmount`.',
      example: { cash: '347.50', credit_card: '1204.00' },
    }),
    openingNote: text({ description: 'A remark by the employee who opened the till.', example: 'Coins are low' }),
    closingNote: text({ description: 'A remark by the employee who closed it.', example: '0.50 too much' }),
  },
  raises: {
    opened: (_, before) => before === undefined,
    closed: (now, before) => now.closeTime !== undefined && before?.closeTime === undefined,
  },
  remove: 'hard',
  elsewhere: {
    ...otherNames('openingAmount', 'openingFloat', 'float', 'startingCash', 'openingBalance'),
    ...otherNames('stationId', 'registerId', 'tillId', 'terminalId'),
    ...otherNames('openTime', 'openedAt', 'startedAt', 'startTime'),
    ...otherNames('closeTime', 'closedAt', 'endedAt', 'endTime'),
    status:
      'a session is open until it has a closeTime; POST /v1/session/{id}/close counts the drawer, and sets closeTime',
    takeOver: 'it is a query parameter, as in ?takeOver=true',
  },
  list: {
    sort: ['sessionNumber', 'openTime', 'closeTime'],
    search: ['sessionNumber'],
    exact: ['stationId', 'openedBy', 'closedBy'],
    range: ['openTime', 'closeTime'],
  },
  filters: {
    isOpen: {
      schema: {
        type: 'boolean',
        description: 'With `true`, only sessions that are open; with `false`, only those that were closed.',
      },
      // In the form of the index of open sessions.
      condition: (value) =>
        `((${value}::boolean and stored.close_time = '') or (not ${value}::boolean and stored.close_time <> ''))`,
    },
  },
  styleA: { one: ['session'], list: 'sessions' },
  styleB: { one: 'session', many: 'sessions' },
  example: {
    stationId: '6740a1f2c3d4e5f6a7b8c9d3',
    sessionNumber: '17',
    openTime: '2026-11-21T08:00:00.000Z',
    openingAmount: '100.00',
  },
})

/** Sessions where opening a second one at a station is refused. */
export const session: Resource = { ...declared, sideEffects: refusingSecond }

/** The same sessions, where opening one closes the one that is open. */
export const sessionTakingOver: Resource = { ...declared, sideEffects: closingFirst(declared) }
