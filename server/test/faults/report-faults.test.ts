// Shows that the fault suite's check of reports can fail: sums that miss a change of the records are found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCompanies } from '../../faults/company.ts'
import { noFindings } from '../../faults/findings.ts'
import { checkReports, readReports } from '../../faults/reports.ts'
import { noneSeen, startTills } from '../../faults/tills.ts'
import { testService } from '../support/service.ts'

const service = testService()

test('the fault suite finds no fault in the reports of tills without one, and each report that misses a change of the records', async () => {
  const { database, url } = service
  const companies = await makeCompanies(database, 2)
  const urls = () => [url]
  const seen = noneSeen()
  const reading = readReports({ urls, companies, seen })
  const tills = startTills({ run: 'reports', seed: 1, companies, urls, count: 4, withoutKeys: false })
  tills.allow(300)
  await tills.reached(300)
  await tills.finish()
  await reading.stop()
  const look = async () => {
    const findings = noFindings()
    await checkReports(findings, { database, url, companies })
    return findings
  }
  assert.deepEqual([await look(), seen.faults], [noFindings(), []])

  // None of these changes has an event, so the sums do not learn of them.
  const change = async (table: string, condition: string, before: string, after: string) => {
    const [row] = await database.query(
      `update ${table} set body = replace(body::text, $1, $2)::json
       where (company_id, id) = (select company_id, id from ${table} where ${condition} and body::text like '%' || $1 || '%' limit 1)
       returning company_id`,
      [before, after],
    )
    assert.ok(row, table)
    return row[0] as string
  }
  const dearer = await change('transactions', `type = 'sale'`, '"3.00"', '"3.01"')
  const moreSold = await change('orders', 'true', '"product-1"', '"product-9"')
  const { wrong, ...others } = await look()
  assert.deepEqual({ ...others, wrong: [] }, noFindings())
  const isFound = (companyId: string, what: string) =>
    wrong.some((sentence) => sentence.startsWith(`the report of company ${companyId} has ${what} `))
  assert.deepEqual(
    [isFound(dearer, 'sales'), isFound(moreSold, 'products'), wrong.length],
    [true, true, 2],
    wrong.join('\n'),
  )
})

test('a report that is answered with an error other than 503 is a fault', async () => {
  const [company] = await makeCompanies(service.database, 1)
  const seen = noneSeen()
  const stranger = { ...company, apiKey: 'no key' } as NonNullable<typeof company>
  const reading = readReports({ urls: () => [service.url], companies: [stranger], seen })
  await reading.stop()
  assert.match(seen.faults.join(), /^GET \/v1\/reports\/sales\S+: 401 /)
})
