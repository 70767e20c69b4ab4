// Arrays reach PostgreSQL as they are, whatever characters their elements have: arrays of ids are sent without escapes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from './support/service.ts'

const service = testService()
const id = '6740a1f2c3d4e5f6a7b8c9d0'

test('arrays of ids, and of texts that look like some, keep their elements', async () => {
  const arrays: readonly (readonly (string | null)[])[] = [
    [],
    [id],
    [id, id.replace('6', 'f'), id],
    [id, null],
    [id, ''],
    [`${id.slice(0, 11)},${id.slice(0, 12)}`, id],
    [id, `${id.slice(0, 23)}"`, `${id.slice(0, 23)}\\`],
    [id, `${id},${id}`],
    ['null', 'NULL', '{}', ' '],
    [id.toUpperCase(), 'ü'.repeat(24)],
  ]
  for (const sent of arrays) {
    const [row] = await service.database.query('select to_json($1::text[])::text', [sent])
    assert.deepEqual(JSON.parse(row?.[0]), sent)
  }
})
