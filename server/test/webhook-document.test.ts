// The webhooks of the reference are what receivers get: each call that a trigger makes is valid against the payload of its type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { apiDocument } from '../src/app.ts'
import { headersOf } from '../src/features/webhooks/message.ts'
import { resources } from '../src/resources/index.ts'
import type { Body } from './support/contract.ts'
import { makeTable, succeeded } from './support/custom-tables.ts'
import { until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { testService } from './support/service.ts'

const service = testService({ webhookAllow: ['127.0.0.0/8'], webhooks: {} })
const document: any = JSON.parse(JSON.stringify(apiDocument()))

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as FormatsPlugin)(ajv)
ajv.addSchema({ ...document, $id: 'reference' })

/** What is wrong with a call, by the payload of its type. */
function errorsOf(call: Body): unknown {
  const type = call.eventType.startsWith('custom.') ? 'custom.*' : call.eventType
  const { $ref } = document.webhooks[type].post.requestBody.content['application/json'].schema
  const validate = ajv.getSchema(`reference${$ref}`)
  assert.ok(validate, type)
  return validate(call) ? [] : validate.errors
}

test('each type of event is a webhook', () => {
  for (const { eventTypes } of resources) for (const type of eventTypes) assert.ok(document.webhooks[type], type)
})

test('each header of a call is described, and those that every call has are required', () => {
  const described = document.webhooks['customer.created'].post.parameters.map(
    ({ $ref }: Body) => document.components.parameters[$ref.split('/').at(-1)],
  )
  const signed = { id: 'an-id', timestamp: 0, body: '{}' }
  const transport = ['content-type', 'content-length', 'accept-encoding', 'user-agent']
  const ownOf = (secret: string | undefined, traceparent?: string) =>
    Object.keys(headersOf(signed, { secret, traceparent })).filter((name) => !transport.includes(name))
  assert.deepEqual(described.map(({ name }: Body) => name).sort(), ownOf('secret', '00-…').sort())
  assert.deepEqual(
    described.flatMap(({ name, required }: Body) => (required ? name : [])).sort(),
    ownOf(undefined).sort(),
  )
})

test('calls with records, with ids alone, of custom tables, of a company’s own events and of tests are valid', async (t) => {
  const company = await service.company()
  const { call } = company
  const blind = await service.keyFor(company.id, ['create'])
  const { url, received } = await receiver(t)
  const hook = { triggerType: '*', triggerUrl: url, customTriggerName: 'All' }
  const { id } = succeeded(await call('POST', '/v1/automation-trigger', { ...hook, triggerId: 'zap-7' }), 201)
  succeeded(await blind.call('POST', '/v1/automation-trigger', hook), 201)
  const outlet = succeeded(await call('POST', '/v1/outlet', { name: 'Main' }), 201)
  const station = succeeded(
    await call('POST', '/v1/station', { name: 'Till', outletId: outlet.id, status: 'AVAILABLE' }),
    201,
  )
  const customer = succeeded(await call('POST', '/v1/customer', { email: 'ann@example.com' }), 201)
  succeeded(await call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'Ann' }))
  succeeded(await call('DELETE', `/v1/customer/${customer.id}`))
  const opened = { stationId: station.id, openTime: '2026-11-21T09:30:00Z' }
  const session = succeeded(await call('POST', '/v1/session', opened), 201)
  succeeded(await call('PATCH', `/v1/session/${session.id}`, { closeTime: '2026-11-21T18:00:00Z' }))
  const lineItems = [
    { productId: 'beans', name: 'Beans', price: '12.50', quantity: 1, subTotal: '12.50', total: '12.50' },
  ]
  const sold = {
    outletId: outlet.id,
    lineItems,
    status: 'completed',
    payments: [{ paymentMethod: 'cash', amount: '12.50' }],
  }
  succeeded(await call('POST', '/v1/sale', sold), 201)
  await makeTable(call, { tier: 'string' })
  succeeded(await call('POST', '/v1/events/custom', { name: 'shift.ended', data: { sales: 42 } }), 201)
  succeeded(await call('POST', `/v1/automation-trigger/${id}/test`, {}), 201)

  const calls = (): Body[] => received.map(({ text }) => JSON.parse(text))
  const wanted = [
    'custom.shift.ended',
    'automation-trigger.test',
    'order.completed',
    'customer.deleted',
    'session.closed',
  ]
  const types = () => calls().map(({ eventType }) => eventType)
  await until(
    'the calls come',
    () =>
      wanted.every((type) => types().includes(type)) &&
      types().filter((type) => type === 'custom.shift.ended').length === 2,
  )
  for (const type of [
    'session.opened',
    'customer.updated',
    'custom-table.created',
    'custom-table-field.created',
    'transaction.created',
  ])
    assert.ok(types().includes(type), type)
  for (const call of calls()) assert.deepEqual(errorsOf(call), [], call.eventType)
  const wrong = { ...calls().find(({ eventType }) => eventType === 'customer.created') }
  delete wrong.customer
  assert.notDeepEqual(errorsOf(wrong), [])
})
