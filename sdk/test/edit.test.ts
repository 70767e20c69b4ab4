// Changes of a record that many make at once: none is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../server/test/support/service.ts'
import { NotFoundError } from '../src/index.ts'
import { clientOf } from './support.ts'

const service = sharedService()

test('of twelve edits of one record at once, each is kept', async () => {
  const client = clientOf(service, await service.company())
  const { id } = await client.customers.create({ firstName: 'Ann', totalSpent: '0.00' })
  let rounds = 0
  const add = (n: number) =>
    client.customers.edit(id, ({ tags = [] }) => {
      rounds++
      return { tags: [...tags, `t-${n}`] }
    })
  await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)))
  const { tags = [] } = await client.customers.get(id)
  assert.deepEqual(tags.toSorted(), Array.from({ length: 12 }, (_, n) => `t-${n}`).sort())
  assert.ok(rounds > 12, 'Some edits met a newer version.')
})

test('an edit without a change writes nothing, and one of nothing is 404', async () => {
  const client = clientOf(service, await service.company())
  const { id, updatedAt } = await client.outlets.create({ name: 'Shop' })
  const same = await client.outlets.edit(id, async () => undefined)
  assert.equal(same.updatedAt, updatedAt)
  const settings = await client.settings.edit(({ taxRounding }) => ({
    taxRounding: taxRounding === 'line' ? 'receipt' : 'line',
  }))
  assert.equal(settings.taxRounding, 'receipt')
  await assert.rejects(
    client.outlets.edit('6740a1f2c3d4e5f6a7b8c9d0', () => ({ name: 'x' })),
    NotFoundError,
  )
})
