// The statements of lists that PostgreSQL keeps: a name has one text, also in the 63 characters by which PostgreSQL tells names apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCursor } from '../src/engine/lists/list-cursor.ts'
import { canCount, countStatement, listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import type { Resource } from '../src/engine/resource.ts'
import { exportJob } from '../src/features/exports/export.ts'
import { importJob } from '../src/features/imports/import.ts'
import { resources } from '../src/resources/index.ts'
import { inventoryHistory } from '../src/resources/inventory-history.ts'
import { webhookDelivery } from '../src/resources/webhook-delivery.ts'
import { testService } from './support/service.ts'

const service = testService()

/** The parameters that can change the text of statements whose plans are kept, in every combination. */
function* requests(resource: Resource): Generator<Record<string, unknown>> {
  const { list, remove } = resource
  const last = JSON.stringify({ id: 'any', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }) // biome-ignore format: one thought
  for (const member of [undefined, ...list.exact])
    for (const sortBy of ['createdAt', 'updatedAt', ...(list.sort ?? [])])
      for (const sortOrder of ['asc', 'desc'])
        for (const deleted of remove === 'soft' ? [{}, { includeDeleted: false }, { includeDeleted: true }] : [{}])
          for (const limit of [1, 100, 500, 1_000]) {
            const listed = { ...(member !== undefined && { [member]: 'any' }), ...deleted, sortBy, sortOrder, limit }
            const isByTime = sortBy === 'createdAt' || sortBy === 'updatedAt'
            const ranges = isByTime ? [{ gte: '2026-01-01' }, { gt: '2026-01-01', lt: '2026-02-01' }] : []
            for (const bounds of [undefined, ...ranges]) {
              const request = bounds === undefined ? listed : { ...listed, [sortBy]: bounds }
              for (const skip of [0, 1, 999, 1_000]) yield { ...request, skip }
              yield { ...request, cursor: writeCursor(sortBy, sortOrder, resource, last) }
            }
          }
}

test('each name of a list’s statements has one text, whatever the parameters, and is no longer than PostgreSQL reads', () => {
  const texts = new Map<string, string>()
  for (const resource of [...resources, webhookDelivery, inventoryHistory, importJob, exportJob] as Resource[])
    for (const parameters of requests(resource)) {
      const query = listQuery(resource, 'any', parameters)
      const statements = [pageStatement(resource, query), countStatement(resource, query)]
      if (canCount(resource, query)) statements.push(pageStatement(resource, query, true))
      for (const { name, text } of statements) {
        if (name === undefined) continue
        assert.ok(name.length <= 63, name)
        assert.equal(text, texts.get(name) ?? text, name)
        texts.set(name, text)
      }
    }
  assert.ok(texts.size > 1_000)
})

test('pages of a filtered list of any length and order are answered, one after the other', async () => {
  const { call } = await service.company()
  for (const filter of ['inventories?productId=p&includeDeleted=true', 'catalog-visibilities?productId=p'])
    for (const sortOrder of ['asc', 'desc'])
      for (const limit of [1, 200, 600, 1_000]) {
        const { status, body } = await call('GET', `/v1/${filter}&sortOrder=${sortOrder}&skip=1&limit=${limit}`)
        assert.deepEqual([status, body.data, body.meta?.count], [200, [], 0])
      }
})
