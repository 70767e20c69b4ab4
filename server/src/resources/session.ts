// Session: the time from opening a till to counting it.
import { dateTime, decimal, list, map, name, reference, required, text } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const session = resource({
  name: { one: 'session', many: 'sessions' },
  title: 'Sessions',
  description: 'A till from opening to counting, with the amounts found in it.',
  fields: {
    stationId: required(reference()),
    sessionNumber: name(),
    openedBy: reference(),
    closedBy: reference(),
    openTime: dateTime(),
    closeTime: dateTime(),
    openingAmount: decimal(),
    closingAmount: decimal(),
    closingReportData: text(),
    notes: list(text()),
    closingAmounts: map(decimal(), { description: 'Amount by payment method.' }),
    openingNote: text(),
    closingNote: text(),
  },
  raises: {
    opened: (_, before) => before === undefined,
    closed: (now, before) => now.closeTime !== undefined && before?.closeTime === undefined,
  },
  remove: 'hard',
  list: {
    sort: ['sessionNumber', 'openTime', 'closeTime'],
    search: ['sessionNumber'],
    exact: ['stationId', 'openedBy', 'closedBy'],
    range: ['openTime', 'closeTime'],
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
