// To every route, another company’s records are like unknown ones: by row-level security, and by the statements alone, as in the embedded database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullBody, leastBody } from './support/bodies.ts'
import { closingResourceOf } from './support/closing-routes.ts'
import { type Body, type Contract, contracts } from './support/contract.ts'
import { customResourceOf } from './support/custom-table-routes.ts'
import { isOfExports } from './support/exports.ts'
import { isOfFiles } from './support/files.ts'
import { isOfImports } from './support/imports.ts'
import { assertProblem } from './support/problem.ts'
import { each, eachRoute, noId, pathOf, routes, servedBy } from './support/routes.ts'
import { sharedService, testService } from './support/service.ts'
import { companiesOf } from './support/sweep.ts'
import { isOfDeliveries } from './support/webhook-routes.ts'

/** The views of row-level security hide a statement that does not name its company. */
const services = {
  'with row-level security': sharedService(),
  'by its statements alone': testService({ rowSecurity: false }),
}

for (const [how, service] of Object.entries(services)) {
  const { stocked, everythingOf } = companiesOf(service)

  test(`a route with another company’s id answers as for an unknown id, and nothing of that company changes, ${how}`, async () => {
    const { company: owner, records } = await stocked()
    const { call } = await service.company()
    const before = await everythingOf(owner.id)
    const withId = routes.filter(({ path, surface }) => surface === 'company' && path.includes('{id}'))
    await eachRoute(withId, async (route) => {
      const contract = servedBy(route)
      const ofTrigger = isOfDeliveries(route)
      const ofFile =
        (isOfImports(route) && 'import') || (isOfExports(route) && 'export') || (isOfFiles(route) && 'file')
      const known = records.get(
        ofTrigger
          ? 'automation-trigger'
          : ofFile || (contract?.one ?? closingResourceOf(route) ?? customResourceOf(route)),
      )
      assert.ok(known, 'serves a record of no known resource; the sweep must learn of it')
      const { id } = known as { id: string }
      const example = route.body?.example ?? {}
      const file = route.takesFile && Buffer.from('a file')
      const body = route.body ? (contract ? leastBody(contract) : example) : file
      const headers = file && { 'content-type': 'text/plain' }
      const theirs = assertProblem(await call(route.method, pathOf(route, id), body, headers), 404, 'not_found')
      const none = assertProblem(await call(route.method, pathOf(route), body, headers), 404, 'not_found')
      assert.equal(theirs.message.replace(id, noId), none.message)
      // An invalid body is refused, whether the record exists or not.
      if (route.body) assertProblem(await call(route.method, pathOf(route, id), { bogus: 1 }), 400, 'validation_failed')
    })
    const bulk = routes.filter(({ isBulk, method }) => isBulk && method !== 'POST')
    await eachRoute(bulk, async (route) => {
      const contract = servedBy(route) as Contract
      const { id } = records.get(contract.one) as { id: string }
      const { status, body } = await call(route.method, pathOf(route), [
        { id, ...(route.method === 'PATCH' && leastBody(contract)) },
      ])
      assert.equal(status, 200)
      assert.deepEqual([body.results[0].status, body.results[0].error.code], ['error', 'not_found'])
    })
    const lists = routes.filter(
      ({ method, path, surface }) => method === 'GET' && surface === 'company' && !path.includes('{'),
    )
    await eachRoute(lists, async (route) => {
      const { text } = await call(route.method, pathOf(route))
      for (const { id } of records.values()) assert.ok(!text.includes(id))
      assert.ok(!text.includes(owner.id))
    })
    assert.deepEqual(await everythingOf(owner.id), before)
  })

  test(`a list filtered by another company’s ids and values, or with its cursor, shows nothing of it, ${how}`, async () => {
    const { company: owner, records } = await stocked()
    const { company: other } = await stocked()
    await each(
      contracts,
      ({ many }) => many,
      async ({ one, many, exact }) => {
        await owner.call('POST', `/v1/${one}`, fullBody(contracts.find((contract) => contract.one === one) as Contract))
        const { nextCursor } = (await owner.call('GET', `/v1/${many}?limit=1`)).body.meta
        const record = records.get(one) as Body
        const filters = exact.map((member) => `${member}=${encodeURIComponent(String(record[member]))}`)
        for (const query of [`cursor=${nextCursor}`, ...filters]) {
          const { status, body, text } = await other.call('GET', `/v1/${many}?${query}`)
          assert.equal(status, 200, text)
          for (const { companyId } of body.data) assert.ok([undefined, other.id].includes(companyId), text)
          assert.ok(!text.includes(record.id), text)
        }
      },
    )
  })
}
