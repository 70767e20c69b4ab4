// A server that is started without CASHWRAP_FILES says so if files are in an object store.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { connect } from '../src/database/connect.ts'
import { warnOfStore } from '../src/features/files/object-store.ts'
import { copyDatabase } from './support/database.ts'
import { serve, until, urlOf } from './support/program.ts'

test('a server without CASHWRAP_FILES warns at the start if files are in an object store, and only then', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const database = connect(connection)
  t.after(() => database.close())
  const environment = { DATABASE_URL: urlOf(connection) }
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  await warnOfStore(undefined, database, log)
  assert.deepEqual(lines, [])
  await database.query(
    `insert into attachment_file_pieces (company_id, file_id, number, object) values ('c', 'f', 0, 'shop-files/pos/f')`,
  )
  const warned = await serve(t, environment)
  await until('the log says it', () => /CASHWRAP_FILES is not set, but files are in an object store/.test(warned.log()))
  assert.match(warned.log(), /"level":"warn".*"object":"shop-files\/pos\/f"/)
  await warned.stop()
})
