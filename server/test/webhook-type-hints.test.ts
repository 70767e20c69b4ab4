// Triggers whose type no event has: they are stored, since any type may be, and their records say that they never fire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('a trigger whose type no event has is stored, and says so with the type that was probably meant; a hint that is sent is ignored', async () => {
  const { call } = await service.company()
  const made = async (triggerType: string) => {
    const body = { triggerType, triggerUrl: 'https://hooks.example.com/x', typeHint: 'mine' }
    return succeeded(await call('POST', '/v1/automation-trigger', body), 201)
  }
  const never = 'No event has this type, so the trigger never fires; '
  for (const [sent, hint] of [
    ['sale.completed', 'did you mean order.completed?'],
    ['payments.*', 'did you mean transaction.*?'],
    ['order.complete', 'did you mean order.completed?'],
    ['newOrder', 'did you mean order.created?'],
    ['customer', 'did you mean customer.*?'],
    ['closing.created', 'did you mean session.closed?'],
    ['order.paid', 'did you mean order.*?'],
    ['tax-table.changed', 'did you mean tax-table.*?'],
    ['custom-table-data.created', 'did you mean custom-table-row.created?'],
    ['custom-table-row.restored', 'did you mean custom-table-row.*?'],
    ['order.completed,refund.created', 'a trigger has one type or pattern: create one for each'],
    ['sale.*, customer.*', 'a trigger has one type or pattern: create one for each'],
    ['new_order, stock_changed', 'a trigger has one type or pattern: create one for each'],
  ] as const)
    assert.equal((await made(sent)).typeHint, never + hint, sent)
  for (const sent of [
    'new_order',
    'order.completed',
    'custom.shift.ended',
    'order.*',
    '*',
    'parcel.sent',
    'parcel',
    'constructor.created',
    'a b',
  ])
    assert.equal((await made(sent)).typeHint, undefined, sent)
  const path = `/v1/automation-trigger/${(await made('sale.completed')).id}`
  assert.equal(succeeded(await call('PATCH', path, { triggerType: 'order.completed' })).typeHint, undefined)
  assert.equal(
    succeeded(await call('PATCH', path, { triggerType: 'sale.*' })).typeHint,
    `${never}did you mean order.*?`,
  )
})
