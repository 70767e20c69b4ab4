// Keys that are limited to some resources (decision 82): each route asks for exactly one, and nothing leads around them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Permission, permissions } from '../src/core/scope.ts'
import { keyResources, unlimitedResources } from '../src/features/keys/key-resources.ts'
import { createKey, listKeys } from '../src/features/keys/key-store.ts'
import { type Route, resourceOf } from '../src/http/route.ts'
import { openStream } from './support/event-reader.ts'
import { extendedBy } from './support/extended-customers.ts'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { eachRoute, every, keyed, pathOf } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'
import { someBody } from './support/sweep.ts'

const service = sharedService()
const { extended } = extendedBy(service)
const ofCompany = keyed.filter(({ surface }) => surface === 'company')
const limited = ofCompany.filter(({ limitedKeys }) => limitedKeys === undefined)

/** A further key of a company, limited to some resources. */
async function keyOf(companyId: string, resources: readonly string[], allowed: readonly Permission[] = permissions) {
  const wanted = { name: 'Kiosk', permissions: allowed, resources }
  const { id, value } = await createKey(service.database, { companyId }, wanted)
  return { id, value, call: service.caller({ 'x-api-key': value }) }
}

/** A company, its keys as a person in the console reaches them. */
async function shop() {
  const company = await service.company()
  const call = (await person(service, { companyId: company.id }, 'admin')).about({ companyId: company.id })
  const make = (body: object) => call('POST', '/v1/keys', { name: 'Kiosk', permissions, ...body })
  return { company, call, make }
}

const call = (caller: Caller, route: Route) => caller(route.method, pathOf(route), someBody(route))

test('each name that a key can be limited to is the first word of a path, and each path that takes such a key has a name', () => {
  assert.deepEqual([...new Set(limited.map(resourceOf))].toSorted(), keyResources.toSorted())
  const never = ofCompany.filter(({ limitedKeys }) => limitedKeys === 'never').map(resourceOf)
  assert.deepEqual([...new Set(never)].toSorted(), unlimitedResources.toSorted())
  const always = every.filter(({ limitedKeys }) => limitedKeys === 'always').map(({ path }) => path)
  assert.deepEqual(always.toSorted(), ['/mcp', '/v1/console/resources', '/v1/openapi.json', '/v1/whoami'])
})

test('a key that is limited to one resource is refused by every route of the others, with what it lacks, and by none of its own', async () => {
  const { id } = await service.company()
  for (const resource of keyResources) {
    const { call: caller } = await keyOf(id, [resource])
    const own = limited.filter((route) => resourceOf(route) === resource)
    await eachRoute(own, async (route) => {
      const reply = await call(caller, route)
      assert.ok(![401, 403].includes(reply.status), reply.text)
    })
  }
  const { call: caller } = await keyOf(id, ['product', 'sale'])
  const others = ofCompany.filter((route) => !['product', 'sale'].includes(resourceOf(route)))
  await eachRoute(others, async (route) => {
    const reply = await call(caller, route)
    if (route.limitedKeys === 'always') return assert.ok(![401, 403].includes(reply.status), reply.text)
    const { message, reason } = assertProblem(reply, 403, 'permission_denied')
    assert.equal(reason, 'resource_denied')
    const ending = 'is limited to product, sale.'
    assert.ok(message.endsWith(ending), message)
    if (route.limitedKeys === undefined) assert.ok(message.includes(`no access to ${resourceOf(route)};`), message)
    else assert.match(message, /needs a key for all resources/)
  })
})

test('the permission of the verb is needed too, and a key without a limit reaches everything', async () => {
  const { id } = await service.company()
  const { call: reading } = await keyOf(id, ['product'], ['read'])
  assert.equal((await reading('GET', '/v1/products')).status, 200)
  assert.equal((await reading('HEAD', '/v1/customers')).status, 403)
  assertProblem(await reading('POST', '/v1/product', { name: 'Tea' }), 403, 'permission_denied')
  const { call: all } = await service.keyFor(id)
  await eachRoute(ofCompany, async (route) => {
    const { status, text } = await call(all, route)
    assert.ok(![401, 403].includes(status), text)
  })
})

test('the resources of a key are in its record, in lists, in whoami and in the next key of a rotation', async () => {
  const { company, call, make } = await shop()
  // In the order of the reference, each once.
  const { status, body, text } = await make({ resources: ['sale', 'product', 'sale', 'variant'] })
  assert.equal(status, 201, text)
  const resources = ['product', 'variant', 'sale']
  assert.deepEqual(body.resources, resources)
  const shown = async (id: string) => (await call('GET', '/v1/keys')).body.data.find((key: any) => key.id === id)
  assert.deepEqual((await shown(body.id)).resources, resources)
  const { apiKey, id } = (await call('POST', `/v1/keys/${body.id}/rotate`, {})).body
  assert.deepEqual((await shown(id)).resources, resources)
  const rotated = service.caller({ 'x-api-key': apiKey })
  assert.deepEqual((await rotated('GET', '/v1/whoami')).body.key.resources, resources)
  assertProblem(await rotated('GET', '/v1/customers'), 403, 'permission_denied')
  const { body: plain } = await make({})
  assert.ok(!('resources' in plain) && !('resources' in (await shown(plain.id))))
  const whoami = await service.caller({ 'x-api-key': plain.apiKey })('GET', '/v1/whoami')
  assert.ok(!('resources' in whoami.body.key))
  const listed = (await listKeys(service.database, { companyId: company.id })).find((key) => key.id === id)
  assert.deepEqual(listed?.resources, resources)
})

test('a limit holds from the first request on, on every server, and opens no other company', async () => {
  const { company, make } = await shop()
  const { apiKey } = (await make({ resources: ['product'] })).body
  const second = await service.second()
  for (const at of [service.url, second.url]) {
    const caller = service.caller({ 'x-api-key': apiKey }, at)
    assertProblem(await caller('GET', '/v1/customers'), 403, 'permission_denied')
    assert.equal((await caller('GET', '/v1/products')).status, 200)
  }
  const { body: theirs } = await (await service.company()).call('POST', '/v1/product', { name: 'Theirs' })
  const { call } = await keyOf(company.id, ['product'])
  assertProblem(await call('GET', `/v1/product/${theirs.id}`), 404, 'not_found')
})

test('a wrong list is refused at its pointer, with the name that was probably meant', async () => {
  const { make } = await shop()
  const errorOf = async (resources: unknown) => {
    const { errors } = assertProblem(await make({ resources }), 400, 'validation_failed')
    return errors[0]
  }
  for (const [name, meant] of [
    ['customers', 'customer'],
    ['payment', 'transaction'],
    ['taxtable', 'tax-table'],
    ['Reports', 'report'],
    ['sales', 'sale'],
    ['file', 'attachment'],
    ['Shift', 'session'],
    ['stations ', 'station'],
  ]) {
    const { pointer, message } = await errorOf(['product', name])
    assert.deepEqual([pointer, message], ['/resources/1', `is not a resource; did you mean ${meant}?`])
  }
  for (const [name, meant] of [...unlimitedResources.map((one) => [one, one]), ['webhook', 'automation-trigger']]) {
    const message = `cannot be in the list: ${meant} needs a key for all resources, since it can show or change records of any`
    assert.deepEqual([(await errorOf([name])).pointer, (await errorOf([name])).message], ['/resources/0', message])
  }
  for (const name of ['mcp', '', 'x'.repeat(10_000)])
    assert.match((await errorOf([name])).message, /^must be one of outlet, station, .*, setting$/)
  for (const wrong of [[], 'product', {}, [1]]) assert.match((await errorOf(wrong)).pointer, /^\/resources/)
})

test('an organization limits keys of its companies, and not its own', async () => {
  const company = await service.company()
  const root = '/v1/organization-api'
  const body = { name: 'Accounting', permissions: ['read'], resources: ['report', 'order', 'transaction'] }
  const made = await company.call('POST', `${root}/companies/${company.id}/keys`, body)
  assert.equal(made.status, 201, made.text)
  const accounting = service.caller({ 'x-api-key': made.body.apiKey })
  for (const path of ['/v1/reports/sales?from=2026-11-21&to=2026-11-21', '/v1/orders', '/v1/api/transactions'])
    assert.equal((await accounting('GET', path)).status, 200)
  assertProblem(await accounting('GET', '/v1/api/customers'), 403, 'permission_denied')
  const { errors } = assertProblem(await company.call('POST', `${root}/keys`, body), 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/resources', 'organization_key'])
})

test('a sale creates no customer with a key that has no access to customers; nothing of it is stored', async () => {
  const { id, call } = await service.company()
  const { call: kiosk } = await keyOf(id, ['sale', 'product'])
  const { id: outletId } = (await call('POST', '/v1/outlet', { name: 'Harbour' })).body
  const sale = { outletId, customSales: [{ name: 'Tea', price: '3.00', quantity: 1 }], payments: [] }
  const paid = { ...sale, payments: [{ paymentMethod: 'cash', amount: '3.00' }] }
  const withCustomer = { ...paid, customer: { firstName: 'Ada' } }
  for (const path of ['/v1/sale', '/v1/sale?dryRun=true', '/v1/sale?mode=once']) {
    const once = path.endsWith('once') ? { source: 'kiosk', externalId: '1', occurredAt: '2026-11-21T09:30:00Z' } : {}
    const { message } = assertProblem(await kiosk('POST', path, { ...withCustomer, ...once }), 403, 'permission_denied')
    assert.match(message, /^The sale has a new customer, but the key has no access to customer; it is limited to /)
  }
  const many = await kiosk('POST', '/v1/sales', { items: [withCustomer, paid] })
  assert.deepEqual(
    many.body.results.map((result: any) => result.error?.code ?? result.status),
    ['permission_denied', 'success'],
  )
  // A till that always sends the member has no customer with null.
  const anonymous = { ...paid, customer: null, customerId: null }
  assert.equal((await kiosk('POST', '/v1/sale', anonymous)).status, 201)
  assert.equal((await kiosk('POST', '/v1/sales', { items: [anonymous] })).body.results[0].status, 'success')
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 0)
  assert.equal((await call('GET', '/v1/orders')).body.meta.count, 3)
  const { call: till } = await keyOf(id, ['sale', 'customer'])
  assert.equal((await till('POST', '/v1/sale', withCustomer)).status, 201)
  const { id: open } = (await call('POST', '/v1/order', { status: 'parked', ...sale, payments: undefined })).body
  const completion = { payments: paid.payments, customer: { firstName: 'Bea' } }
  assertProblem(await kiosk('POST', `/v1/sale/${open}/complete`, completion), 403, 'permission_denied')
  assert.equal((await kiosk('POST', `/v1/sale/${open}/complete`, { ...completion, customer: null })).status, 200)
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 1)
})

test('the feed and the stream have only events of the key’s resources and the company’s own, and name a filter that asks for others', async () => {
  const { id, call } = await service.company()
  const { call: reader, value } = await keyOf(id, ['event', 'product'])
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  const { body: tea } = await call('POST', '/v1/product', { name: 'Tea' })
  await call('POST', '/v1/automation-trigger', { triggerType: 'customer.*', triggerUrl: 'https://example.com/hook' })
  await call('POST', '/v1/events/custom', { name: 'shift.ended', data: {} })
  const types = async (search: string) => {
    const { status, body, text } = await reader('GET', `/v1/events${search}`)
    assert.equal(status, 200, text)
    return body.data.map(({ type }: { type: string }) => type)
  }
  const visible = ['product.created', 'custom.shift.ended']
  for (const search of ['', '?type=*', '?type=c*,product.created', '?wait=1'])
    assert.deepEqual(await types(search), visible, search)
  assert.deepEqual(await types(`?recordId=${tea.id}`), ['product.created'])
  assert.deepEqual(await types('?resource=product'), ['product.created'])
  for (const search of ['resource=customer', 'type=customer.created', 'type=product.created,customer.*']) {
    const { message } = assertProblem(await reader('GET', `/v1/events?${search}`), 403, 'permission_denied')
    assert.match(message, /^The key has no access to customer; it is limited to /)
    assertProblem(await reader('GET', `/v1/events/stream?${search}`), 403, 'permission_denied')
  }
  for (const [name, meant] of [
    ['products', 'product'],
    ['customers', 'customer'],
  ]) {
    const { errors } = assertProblem(await reader('GET', `/v1/events?resource=${name}`), 400, 'validation_failed')
    assert.match(errors[0].message, new RegExp(`did you mean ${meant}\\?$`))
  }
  const stream = await openStream(service.url, { key: value }, 'after=0')
  await stream.until(visible.length)
  stream.cancel()
  assert.deepEqual(
    stream.events.map(({ event }) => event),
    visible,
  )
})

test('what customers have is not shown by the document or by declarations, and custom tables need access to customers', async () => {
  const { id, call, table } = await extended()
  const { call: kiosk } = await keyOf(id, ['product', 'sale'])
  const { call: till } = await keyOf(id, ['customer'])
  for (const path of ['/v1/openapi.json', '/v1/console/resources']) {
    for (const [caller, isShown] of [
      [call, true],
      [till, true],
      [kiosk, false],
    ] as const) {
      const { status, text } = await caller('GET', path)
      assert.equal(status, 200)
      assert.equal(text.includes('"isVip"'), isShown, path)
    }
  }
  assertProblem(await kiosk('GET', `/v1/api/custom-table-data/${table.name}`), 403, 'permission_denied')
  const { make } = await shop()
  for (const name of keyResources.filter((one) => one.startsWith('custom-table'))) {
    const { errors } = assertProblem(await make({ resources: [name, 'product'] }), 400, 'validation_failed')
    assert.deepEqual([errors[0].pointer, errors[0].code], ['/resources', 'customer'])
    assert.equal((await make({ resources: [name, 'customer'] })).status, 201)
  }
})

test('the contract lists each name', async () => {
  const text = await readFile(new URL('../../docs/contract/additions.md', import.meta.url), 'utf8')
  const [, chapter = ''] = text.split('## Keys for some resources\n')
  const [, names = ''] = /^- The names: (.*?)\. /ms.exec(chapter) ?? []
  assert.deepEqual(
    names.split(/,\s+/),
    keyResources.map((name) => `\`${name}\``),
  )
})
