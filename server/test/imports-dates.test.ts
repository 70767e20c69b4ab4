// How dates in files of orders are read: an ambiguous date is never guessed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf, imported, listed, refusedLines } from './support/imports.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** Imports orders with these dates; returns when each was made, and the refused lines. */
async function importedDates(dates: readonly string[]) {
  const company = await service.company()
  const order = { Item: 'Mug', Quantity: 1, Price: '5', 'Order total': '5' }
  const rows = dates.map((date, n) => ({ ...order, Order: `${n}`, 'Ordered at': date }))
  const { id } = await imported(company.call, csvOf(rows))
  const orders = await listed(company, 'orders')
  const times = dates.map((_, n) => orders.find(({ externalId }) => externalId === `${n}`)?.occurredAt)
  return { times, refused: await refusedLines(company.call, id) }
}

test('a date with dots has the day first; one with slashes can mean two days, and is refused', async () => {
  const { times, refused } = await importedDates(['5.06.2025 14:30', '05/06/2025', '30.02.2025'])
  assert.deepEqual(times, ['2025-06-05T14:30:00.000Z', undefined, undefined])
  assert.match(
    refused,
    /^3,Ordered at,"Ordered at ""05\/06\/2025"" may have the day or the month first; write 2026-05-31 14:30 \(in a spreadsheet/m,
  )
  assert.match(refused, /^4,Ordered at,"Ordered at ""30\.02\.2025"" is not a date/m)
})

test('one date with a number above 12 decides whether dates with slashes have the day or the month first', async () => {
  const days = await importedDates(['05/06/2025', '28/2/2025 9:30', '31/02/2025'])
  assert.deepEqual(days.times, ['2025-06-05T00:00:00.000Z', '2025-02-28T09:30:00.000Z', undefined])
  assert.match(days.refused, /^4,Ordered at,"Ordered at ""31\/02\/2025"" is not a date/m)
  const months = await importedDates(['05/06/2025', '2/28/2025 9:30'])
  assert.deepEqual(months.times, ['2025-05-06T00:00:00.000Z', '2025-02-28T09:30:00.000Z'])
})

test('dates with slashes that contradict each other are all refused', async () => {
  const { times, refused } = await importedDates(['05/06/2025', '28/02/2025', '02/28/2025'])
  assert.deepEqual(times, [undefined, undefined, undefined])
  assert.equal(refused.match(/may have the day or the month first/g)?.length, 3)
})

test('a time may end with AM or PM, as spreadsheets in the United States write it', async () => {
  const { times, refused } = await importedDates([
    '3/14/2026 2:30 PM',
    '3/4/2026 12:05 AM',
    '3/4/2026, 12:05:09\u202fpm',
    '2026-03-14 9:30 a.m. -0500',
    '3/4/2026 14:30 PM',
    '3/4/2026 0:30 AM',
  ])
  assert.deepEqual(times, [
    '2026-03-14T14:30:00.000Z',
    '2026-03-04T00:05:00.000Z',
    '2026-03-04T12:05:09.000Z',
    '2026-03-14T14:30:00.000Z',
    undefined,
    undefined,
  ])
  assert.match(refused, /^6,Ordered at,"Ordered at ""3\/4\/2026 14:30 PM"" is not a date such as 2026-05-31 14:30/m)
})

test('a year may have two digits, after the day and the month', async () => {
  const months = await importedDates(['3/14/26', '3/4/26 2:30 PM', '12/31/99'])
  assert.deepEqual(months.times, ['2026-03-14T00:00:00.000Z', '2026-03-04T14:30:00.000Z', '1999-12-31T00:00:00.000Z'])
  const days = await importedDates(['21.11.25 09:30', '14/3/26', '14/3/126'])
  assert.deepEqual(days.times, ['2025-11-21T09:30:00.000Z', '2026-03-14T00:00:00.000Z', undefined])
  const { times, refused } = await importedDates(['3/4/26'])
  assert.deepEqual(times, [undefined])
  assert.match(refused, /^2,Ordered at,"Ordered at ""3\/4\/26"" may have the day or the month first/m)
})
