// The secret that seals what the database must not show: made once, kept from other users, and the same for all servers of a database.
import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { markOf } from '../src/seal.ts'
import { agreeOnSecret, readSecret, replaceSecret } from '../src/secret.ts'
import type { Body } from './support/contract.ts'
import { copyDatabase } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { cashwrap, dataFolder, serve, urlOf } from './support/program.ts'

const one = 'the first secret, of thirty-two characters and more'
const two = 'the second secret, of thirty-two characters and more'

/** A keyed request whose answer holds a secret. */
const sendTrigger = (at: string, key: string) =>
  fetch(`${at}/v1/automation-trigger`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: '{"triggerType": "*", "triggerUrl": "https://hooks.example.com/x", "apiKey": "secret"}',
  })

test('without a setting the secret is made once, in a file that only its owner can read, whoever else starts at once', async (t) => {
  const dataDirectory = join(await dataFolder(t), 'not there yet')
  const read = () => readSecret({ secret: undefined, dataDirectory })
  const all = await Promise.all(Array.from({ length: 10 }, read))
  assert.equal(new Set([...all, await read()]).size, 1)
  assert.match(all[0] as string, /^[\w-]{43}$/)
  assert.deepEqual(await readdir(dataDirectory), ['secret'])
  assert.equal((await stat(join(dataDirectory, 'secret'))).mode & 0o777, 0o600)
  assert.equal(await readSecret({ secret: one, dataDirectory }), one)
})

test('a damaged file, a folder that cannot be written and a setting that is too short are refused with a sentence that says what to do', async (t) => {
  const dataDirectory = await dataFolder(t)
  await writeFile(join(dataDirectory, 'secret'), 'cut')
  await assert.rejects(readSecret({ secret: undefined, dataDirectory }), /secret is damaged.*backup/)
  const inFile = join(dataDirectory, 'secret')
  await assert.rejects(readSecret({ secret: undefined, dataDirectory: inFile }), /Set CASHWRAP_SECRET/)
  assert.throws(() => readConfig({ CASHWRAP_SECRET: 'x'.repeat(31) }), /at least 32 characters/)
  assert.equal(readConfig({ CASHWRAP_SECRET: one }).secret, one)
  for (const nothing of ['', ' ', '\n']) assert.equal(readConfig({ CASHWRAP_SECRET: nothing }).secret, undefined)
  assert.throws(() => readConfig({ CASHWRAP_SECRET: `x${' '.repeat(32)}` }), /at least 32 characters/)
})

test('the end of a line is no part of a secret, wherever it came from', async (t) => {
  const dataDirectory = await dataFolder(t)
  await writeFile(join(dataDirectory, 'secret'), `${one}\r\n`)
  assert.equal(await readSecret({ secret: undefined, dataDirectory }), one)
  assert.equal(readConfig({ CASHWRAP_SECRET: `${one}\n` }).secret, one)
})

test('a server with another secret than the database was begun with does not start; once it was replaced, it does', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const DATABASE_URL = urlOf(connection)
  const first = await serve(t, { DATABASE_URL, CASHWRAP_SECRET: one })
  const { url, companyKey } = first.said
  const send = (at: string) => sendTrigger(at, companyKey)
  const made = await (await send(url)).text()
  await first.stop()

  const refused = await cashwrap(['serve'], { DATABASE_URL, CASHWRAP_SECRET: two })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /begun with another secret.*replace-secret/s)
  const again = await serve(t, { DATABASE_URL, CASHWRAP_SECRET: one })
  assert.equal(await (await send(again.url)).text(), made)
  await again.stop()

  const replaced = await cashwrap(['replace-secret', '--json'], { DATABASE_URL, CASHWRAP_SECRET: two })
  assert.deepEqual(JSON.parse(replaced.stdout), { removed: 1 })
  const later = await serve(t, { DATABASE_URL, CASHWRAP_SECRET: two })
  const anew = await send(later.url)
  assert.deepEqual([anew.status, anew.headers.get('idempotent-replayed')], [201, null])
})

test('of two processes that begin a database at once, each with a secret of its own, one is refused', async (t) => {
  const { connection, drop } = await copyDatabase()
  const [a, b] = [connect(connection, { size: 1 }), connect(connection, { size: 1 })]
  t.after(() => Promise.all([a.close(), b.close()]).then(drop))
  const ended = await Promise.allSettled([agreeOnSecret(a, one), agreeOnSecret(b, two)])
  assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a server that still runs with the old secret after it was replaced does no harm but to its own replays, which say so', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const DATABASE_URL = urlOf(connection)
  const old = await serve(t, { DATABASE_URL, CASHWRAP_SECRET: one })
  const send = (at: string) => sendTrigger(at, old.said.companyKey)
  const replaced = await cashwrap(['replace-secret', '--json'], { DATABASE_URL, CASHWRAP_SECRET: two })
  assert.deepEqual(JSON.parse(replaced.stdout), { removed: 0 })
  assert.equal((await send(old.url)).status, 201)
  const fresh = await serve(t, { DATABASE_URL, CASHWRAP_SECRET: two })
  const refused = await send(fresh.url)
  const text = await refused.text()
  const { message } = assertProblem({ status: refused.status, headers: refused.headers, text }, 409, 'conflict')
  assert.match(message, /was done.*Look for what it made/)
  const list = await fetch(`${fresh.url}/v1/automation-triggers`, { headers: { 'x-api-key': old.said.companyKey } })
  assert.equal(((await list.json()) as Body).meta.count, 1)
  assert.equal((await send(old.url)).headers.get('idempotent-replayed'), 'true')
  await fresh.stop()
  assert.match(fresh.log(), /"level":"error".*sealed with another secret/)
})

test('replacing the secret removes all that is sealed, however much is kept, and nothing else', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().then(drop))
  await agreeOnSecret(database, one)
  await database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
     select 'owner ' || n % 3, 'key ' || n, 'x', now(), 200, case when n % 2 = 0 then 'sealed:abc' else '{"sealed:": 1}' end
     from generate_series(1, 3000) as n`,
  )
  assert.equal(await replaceSecret(database, two), 1500)
  const left = await database.query('select answer, count(*) from idempotency_keys group by answer')
  assert.deepEqual(left, [['{"sealed:": 1}', 1500]])
  await agreeOnSecret(database, two)
  await assert.rejects(agreeOnSecret(database, one), /begun with another secret/)
})

test('the embedded database’s secret lies beside it, and nothing that is in the database holds it', async (t) => {
  const folder = await dataFolder(t)
  const server = await serve(t, { CASHWRAP_DATA: folder })
  const { companyKey, companyId } = server.said
  assert.equal((await sendTrigger(server.url, companyKey)).status, 201)
  const secret = (await readFile(join(folder, 'secret'), 'utf8')).trim()
  assert.equal(await readSecret({ secret: undefined, dataDirectory: folder }), secret)
  const database = connect({ host: join(folder, 'postgres'), user: 'cashwrap', database: 'cashwrap' }, { size: 1 })
  t.after(() => database.close())
  const tables = await database.query("select quote_ident(tablename) from pg_tables where schemaname = 'public'")
  const holding = async (text: string) => {
    const found: string[] = []
    for (const [table] of tables) {
      const rows = await database.query(`select 1 from ${table} as one where position($1 in one::text) > 0 limit 1`, [
        text,
      ])
      if (rows.length > 0) found.push(table)
    }
    return found
  }
  // What is there is found.
  for (const table of ['idempotency_keys', 'automation_triggers', 'events'])
    assert.ok((await holding(companyId)).includes(table), table)
  assert.ok((await holding(markOf(secret))).includes('agreements'))
  assert.deepEqual(await holding(secret), [])
  assert.deepEqual(await holding(Buffer.from(secret).toString('hex')), [])
})
