// Filters by days of a shop: the API gets the instants at which they begin and end, whatever the clocks do and whatever is typed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserTimeZone, dayBound, today } from '../../../console/src/parts/days.ts'

/** What is sent for a filter from and until a day. */
const sent = (day: string, timeZone: string) =>
  ['createdAt[gte]', 'createdAt[lte]'].map((parameter) => dayBound(parameter, day, timeZone))

test('a day begins with its first minute, also where the clocks change at midnight', () => {
  for (const [day, timeZone, begins, ends] of [
    ['2026-03-29', 'Europe/Vienna', '2026-03-28T23', '2026-03-29T22'],
    ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11', '2026-04-05T12'],
    ['2026-04-05', 'America/Santiago', '2026-04-05T04', '2026-04-06T04'],
    // There is no midnight: the first minute is 01:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04', '2026-09-07T03'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05', '2026-03-09T04'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22', '2026-04-24T21'],
    // Midnight comes twice.
    ['2026-11-01', 'America/Havana', '2026-11-01T04', '2026-11-02T05'],
  ] as const) {
    const expected = [
      ['createdAt[gte]', `${begins}:00:00.000Z`],
      ['createdAt[lt]', `${ends}:00:00.000Z`],
    ]
    assert.deepEqual(sent(day, timeZone), expected, `${day} in ${timeZone}`)
  }
})

test('what is not a day, or has a year that is not completely typed, is sent as it is', () => {
  for (const day of ['0002-11-24', '0202-11-24', '0000-01-01', '9999-12-31', '2026-13-01', 'yesterday'])
    assert.deepEqual(sent(day, 'Europe/Vienna'), [
      ['createdAt[gte]', day],
      ['createdAt[lte]', day],
    ])
})

test('a shop without a time zone has the day of the browser, as times in lists do', (t) => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'America/New_York'
  const evening = new Date('2026-11-28T01:00:00Z')
  assert.equal(today(browserTimeZone(), evening), '2026-11-27')
  assert.equal(today('Europe/Vienna', evening), '2026-11-28')
  // In reports of a shop whose days begin at 4.
  assert.equal(today('Europe/Vienna', evening, 4), '2026-11-27')
  assert.equal(today('Europe/Vienna', new Date('2026-11-28T03:00:00Z'), 4), '2026-11-28')
  assert.deepEqual(dayBound('createdAt[gte]', '2026-11-27', browserTimeZone())[1], '2026-11-27T05:00:00.000Z')
})
