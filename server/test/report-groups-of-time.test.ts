// Sales by hours, by days and of the previous period: groups of time follow the company’s time zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginOfDay, dateOf, dayNumber, hoursOfDay, zoneOf } from '../src/core/local-days.ts'
import { timeLabels } from '../src/features/reports/dimensions.ts'
import { periodOf } from '../src/features/reports/period.ts'
import type { Body } from './support/contract.ts'
import { made, report } from './support/report-groups.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('groups of time follow the company’s time zone; the hour that comes twice is one group', async () => {
  const company = await service.company()
  const { call, id } = company
  assert.equal((await call('PATCH', `/v1/organization-api/companies/${id}`, { timezone: 'Europe/Vienna' })).status, 200)
  // 2025-10-26: 3:00 is 2:00 again at 01:00 UTC. The last one is on the next day in Vienna.
  const times = [
    '2025-10-26T00:30:00Z',
    '2025-10-26T01:30:00Z',
    '2025-10-26T02:00:00Z',
    '2025-10-26T22:59:59.999Z',
    '2025-10-26T23:00:00Z',
  ]
  const items = times.map((occurredAt) => ({ occurredAt, lineItems: [{ productId: 'p', total: '1.00' }] }))
  assert.equal((await call('POST', '/v1/orders', { items })).body.summary.succeeded, 5)
  const counts = async (groupBy: string) => {
    const { groups } = await report(call, `groupBy=${groupBy}&from=2025-10-25&to=2025-10-28`)
    return groups.map((group: Body) => [...groupBy.split(',').map((name) => group[name]), group.count])
  }
  assert.deepEqual(await counts('hour'), [
    [0, 1],
    [2, 2],
    [3, 1],
    [23, 1],
  ])
  assert.deepEqual(await counts('day'), [
    ['2025-10-26', 4],
    ['2025-10-27', 1],
  ])
  assert.deepEqual(await counts('week,weekday'), [
    ['2025-W43', 7, 4],
    ['2025-W44', 1, 1],
  ])
  assert.deepEqual(await counts('month,productId'), [['2025-10', 'p', 5]])
  // From the records, the same.
  assert.deepEqual(await counts('hour,tag'), [
    [0, null, 1],
    [2, null, 2],
    [3, null, 1],
    [23, null, 1],
  ])
})

test('days begin at the hour that a request names, in its time zone and over a change of summer time', async () => {
  const { call } = await service.company()
  // In Zurich: 03:59 and 04:00 around each change of the clock, which is at 01:00 UTC; and the end of October.
  const times = [
    ['2025-03-29T02:59:00Z', '2025-03-28'],
    ['2025-03-29T03:00:00Z', '2025-03-29'],
    ['2025-03-30T01:59:00Z', '2025-03-29'],
    ['2025-03-30T02:00:00Z', '2025-03-30'],
    ['2025-10-26T02:59:00Z', '2025-10-25'],
    ['2025-10-26T03:00:00Z', '2025-10-26'],
    ['2025-11-01T02:59:00Z', '2025-10-31'],
  ] as const
  const items = times.map(([occurredAt]) => ({ occurredAt, lineItems: [{ productId: 'p', total: '1.00' }] }))
  assert.equal((await call('POST', '/v1/orders', { items })).body.summary.succeeded, times.length)
  const counts = async (groupBy: string, from = '2025-03-01', to = '2025-11-01') => {
    const zoned = `timezone=Europe/Zurich&dayStartHour=4&from=${from}&to=${to}`
    const { groups } = await report(call, `groupBy=${groupBy}&${zoned}`)
    return groups.map((group: Body) => [...groupBy.split(',').map((name) => group[name]), group.count])
  }
  const days = [...Map.groupBy(times, ([, day]) => day)]
  assert.deepEqual(
    await counts('day'),
    days.map(([day, { length }]) => [day, length]),
  )
  assert.deepEqual(await counts('month'), [
    ['2025-03', 4],
    ['2025-10', 3],
  ])
  assert.deepEqual(await counts('hour'), [
    [3, 4],
    [4, 3],
  ])
  assert.deepEqual(await counts('day', '2025-10-31', '2025-10-31'), [['2025-10-31', 1]])
  const wrong = await call('GET', '/v1/reports/sales?dayStartHour=24')
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'dayStartHour'])
})

test('days begin at the hour of the company where a request names none, also in sums that are in memory; the answer shows it', async () => {
  const { call, id } = await service.company()
  const times = ['2025-11-01T03:59:00Z', '2025-11-01T04:00:00Z', '2025-11-02T03:59:00Z']
  const items = times.map((occurredAt) => ({ occurredAt, lineItems: [{ productId: 'p', total: '1.00' }] }))
  assert.equal((await call('POST', '/v1/orders', { items })).body.summary.succeeded, 3)
  const counts = async (more = '') => {
    const { dayStartHour, groups } = await report(call, `groupBy=day&from=2025-10-31&to=2025-11-02${more}`)
    return [dayStartHour, ...groups.map(({ day, count }: Body) => `${day} ${count}`)]
  }
  const fromMidnight = [0, '2025-11-01 2', '2025-11-02 1']
  assert.deepEqual(await counts(), fromMidnight)
  assert.equal((await call('PATCH', `/v1/organization-api/companies/${id}`, { dayStartHour: 4 })).body.dayStartHour, 4)
  assert.deepEqual(await counts(), [4, '2025-10-31 1', '2025-11-01 2'])
  assert.deepEqual(await counts('&dayStartHour=0'), fromMidnight, 'what a request names wins, also 0')
  const sales = (await call('GET', '/v1/reports/sales?from=2025-11-01&to=2025-11-01')).body
  assert.deepEqual([sales.timezone, sales.dayStartHour, sales.totals.orders], ['UTC', 4, 2])
  const products = (await call('GET', '/v1/reports/products?from=2025-10-31&to=2025-10-31&dayStartHour=3')).body
  assert.deepEqual([products.dayStartHour, products.data], [3, []])
  const csv = (await call('GET', '/v1/reports/sales?groupBy=day&from=2025-10-31&to=2025-11-02&format=csv')).text
  assert.deepEqual(
    csv.split('\n').map((line) => line.split(',')[0]),
    ['day', '2025-10-31', '2025-11-01', ''],
  )
})

test('labels cover each quarter of an hour of a period once, in any time zone', () => {
  for (const [name, from, to] of [
    ['Europe/Vienna', '2025-03-28', '2025-04-02'],
    ['America/Sao_Paulo', '2018-11-02', '2018-11-06'],
    ['Australia/Lord_Howe', '2025-10-03', '2025-10-07'],
    ['Pacific/Apia', '2011-12-28', '2012-01-02'],
  ] as const) {
    for (const [timed, dayStartHour] of [[[]], [['hour']], [['week', 'hour'], 2], [['month'], 23]] as const) {
      const zone = zoneOf(name, dayStartHour)
      const period = periodOf({ from, to }, zone)
      const { segments, values } = timeLabels(zone, timed, period)
      assert.deepEqual([segments[0]?.first, segments.at(-1)?.end], [period.first, period.end])
      segments.forEach(({ first, end, label }, n) => {
        assert.ok(first < end && values[label] !== undefined)
        assert.equal(first, segments[n - 1]?.end ?? first)
      })
    }
  }
  const changed = hoursOfDay(zoneOf('Europe/Vienna'), dayNumber('2025-10-26')).map(({ hour }) => hour)
  assert.deepEqual(changed.slice(0, 5), [0, 1, 2, 3, 4])
})

test('the previous period has the same weekdays and, for a day that is not over, ends at the same time of day', () => {
  const zone = zoneOf('Europe/Vienna')
  const now = Date.parse('2025-11-05T14:20:00Z')
  const quarter = Math.floor(now / 900_000)
  for (const [from, to, days] of [
    ['2025-11-05', '2025-11-05', 7],
    ['2025-10-30', '2025-11-05', 7],
    ['2025-10-07', '2025-11-05', 35],
  ] as const) {
    const { previous } = periodOf({ from, to, compare: 'previous' }, zone, now)
    assert.equal(previous?.firstDay, dayNumber(from) - days)
    assert.equal(previous?.first, beginOfDay(zone, dayNumber(from) - days))
    // 35 days before, clocks in Vienna were an hour ahead.
    assert.equal(previous?.end, quarter + 1 - days * 96 - (days === 35 ? 4 : 0))
  }
  const over = periodOf({ from: '2025-11-01', to: '2025-11-04', compare: 'previous' }, zone, now).previous
  assert.equal(over?.end, beginOfDay(zone, dayNumber('2025-10-29')))
})

test('whole calendar months that are over are compared with the same number of months before, by the same dates', async () => {
  const zone = zoneOf('Europe/Vienna')
  const now = Date.parse('2026-03-31T14:20:00Z')
  const before = (from: string, to: string) => {
    const { previous } = periodOf({ from, to, compare: 'previous' }, zone, now)
    return previous && [dateOf(previous.firstDay), dateOf(previous.lastDay)]
  }
  assert.deepEqual(before('2026-02-01', '2026-02-28'), ['2026-01-01', '2026-01-31'])
  assert.deepEqual(before('2026-01-01', '2026-02-28'), ['2025-11-01', '2025-12-31'])
  assert.deepEqual(before('2025-01-01', '2025-12-31'), ['2024-01-01', '2024-12-31'])
  // March is not over; the others are no months.
  assert.deepEqual(before('2026-03-01', '2026-03-31'), ['2026-01-25', '2026-02-24'])
  assert.deepEqual(before('2026-02-01', '2026-02-27'), ['2026-01-04', '2026-01-30'])

  const { call } = await service.company()
  const order = (occurredAt: string, total: string) =>
    made(call, '/v1/order', { occurredAt, lineItems: [{ productId: 'a', total }] })
  await order('2026-01-01T00:00:00Z', '1.00')
  await order('2026-01-31T23:59:00Z', '2.00')
  await order('2026-02-01T00:00:00Z', '4.00')
  await order('2025-12-31T23:59:00Z', '8.00')
  const sums = async (groupBy: string) => {
    const query = `groupBy=${groupBy}&compare=previous&from=2026-02-01&to=2026-02-28&timezone=UTC`
    const { groups } = await report(call, query)
    return groups.map((group: Body) => [group[groupBy], group.netSales, group.previous.netSales])
  }
  assert.deepEqual(await sums('month'), [['2026-02', '4.00', '3.00']])
  assert.deepEqual(await sums('day'), [
    ['2026-02-01', '4.00', '1.00'],
    ['2026-02-28', '0.00', '2.00'],
  ])
  // 1 January was a Thursday, 31 January a Saturday, 1 February a Sunday.
  assert.deepEqual(await sums('weekday'), [
    [4, '0.00', '1.00'],
    [6, '0.00', '2.00'],
    [7, '4.00', '0.00'],
  ])
})

test('with compare=previous each group has the sums of the previous period', async () => {
  const { call } = await service.company()
  const order = (occurredAt: string, productId: string, total: string) =>
    made(call, '/v1/order', { occurredAt, lineItems: [{ productId, total }] })
  await order('2025-10-20T08:00:00Z', 'both', '5.00')
  await order('2025-10-13T23:59:00Z', 'both', '3.00')
  await order('2025-10-14T00:00:00Z', 'before', '1.00')
  await order('2025-10-06T08:00:00Z', 'both', '100.00')
  const { previous, groups } = await report(call, 'groupBy=productId&compare=previous&from=2025-10-20&to=2025-10-21')
  assert.deepEqual(previous, { from: '2025-10-13', to: '2025-10-14' })
  const sums = groups.map((group: Body) => [
    group.productId,
    group.netSales,
    group.count,
    group.previous.netSales,
    group.previous.count,
  ])
  assert.deepEqual(sums, [
    ['both', '5.00', 1, '3.00', 1],
    ['before', '0.00', 0, '1.00', 1],
  ])
  const daily = await report(call, 'groupBy=day&compare=previous&from=2025-10-20&to=2025-10-21')
  assert.deepEqual(
    daily.groups.map((group: Body) => [group.day, group.netSales, group.previous.netSales]),
    [
      ['2025-10-20', '5.00', '3.00'],
      ['2025-10-21', '0.00', '1.00'],
    ],
  )
})
