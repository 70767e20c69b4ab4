// A manager far away from the shop: pages show, take and send times of the shop's clocks, and say so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, localOf, timeOf } from '../../../console/src/parts/local-time.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

test('a local time of a shop is one instant, even when its clocks change, and while the year is being typed', () => {
  for (const [local, timeZone, expected] of [
    ['2026-11-30T08:00', 'Asia/Kolkata', '2026-11-30T02:30:00.000Z'],
    ['2026-11-30T08:00:07', 'America/New_York', '2026-11-30T13:00:07.000Z'],
    // The clocks skip this time.
    ['2026-03-29T02:30', 'Europe/Zurich', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ] as const)
    assert.equal(timeOf(local, timeZone), expected, `${local} in ${timeZone}`)
  for (const timeZone of ['Europe/Zurich', 'Asia/Tokyo', 'America/New_York', 'UTC'])
    for (const typed of ['0002-11-30T08:00:00', '0202-11-30T08:00:00', '2026-10-25T02:30:00', '2026-11-01T01:30:00'])
      assert.equal(localOf(instantOf(typed, timeZone), timeZone, 19), typed, timeZone)
  for (const typed of ['', '2026-11-31T25:00']) assert.equal(timeOf(typed, 'Asia/Tokyo'), undefined, typed)
})

browserTest('a form takes times of the shop’s clocks, as lists show them, and says whose they are', async () => {
  const { company, sessionId, stationId } = await teaShop(service)
  await service.database.query(`update companies set timezone = 'Asia/Tokyo' where id = $1`, [company.id])
  const openTime = '2026-11-30T23:00:00.000Z'
  const { body: session } = await company.call('PATCH', `/v1/session/${sessionId}`, { openTime })
  assert.equal(session.openTime, openTime)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/sessions/${sessionId}`)
  const opened = page.getByLabel('Opened', { exact: true })
  assert.equal(await opened.inputValue(), '2026-12-01T08:00')
  await page.getByText('1 Dec 2026, 08:00').first().waitFor()
  // In the navigation and below the input.
  assert.equal(await page.getByText('Time zone Asia/Tokyo').filter({ visible: true }).count(), 2)
  await opened.fill('2026-12-01T09:30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('1 Dec 2026, 09:30').first().waitFor()
  const { body: changed } = await company.call('GET', `/v1/session/${sessionId}`)
  assert.equal(changed.openTime, '2026-12-01T00:30:00.000Z')
  // A report names a session without a number by its time.
  await sellTea({ company, stationId, sessionId } as never)
  await go(`/c/${company.id}/reports?by=sessionId`)
  await page.getByRole('link', { name: '1 Dec 2026, 09:30' }).waitFor()
  // Clocks of another time zone may show the same.
  await service.database.query(`update companies set timezone = 'Europe/Berlin' where id = $1`, [company.id])
  await go(`/c/${company.id}/sessions/${sessionId}`)
  await opened.waitFor()
  assert.equal(await page.getByText('Time zone').count(), 0)
  quiet()
})
