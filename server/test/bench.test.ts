// The benches compare the service with its own statements: they are still caught on their way to the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertStatement, pageStatement, replaceStatement } from '../../bench/statements.ts'
import { newId } from '../src/core/ids.ts'

test('the statements that the benches compare with are those of the engine', async () => {
  const companyId = newId()
  const caught = await Promise.all([
    insertStatement(companyId, 3),
    replaceStatement(companyId, [newId(), newId()]),
    pageStatement(companyId, { limit: 100 }),
    pageStatement(companyId, { limit: 100, searchByLastName: 'KoDe' }),
  ])
  for (const { statement, values } of caught) {
    assert.match(statement.text, /\bcustomers\b/)
    assert.ok(JSON.stringify(values).includes(companyId))
  }
})
