// The secret that seals what the database must not show: made once, kept from other users, and the same for all servers of a database.
import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { agreeOnSecret, readSecret } from '../src/secret.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrap, dataFolder, serve, urlOf } from './support/program.ts'

const one = 'the first secret, of thirty-two characters and more'
const two = 'the second secret, of thirty-two characters and more'

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
  assert.equal(readConfig({ CASHWRAP_SECRET: '' }).secret, undefined)
})

test('a server with another secret than the database was begun with does not start; once it was replaced, it does', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const DATABASE_URL = urlOf(connection)
  const first = await serve(t, { DATABASE_URL, CASHWRAP_SECRET: one })
  const { url, companyKey } = first.said
  const send = (at: string) =>
    fetch(`${at}/v1/automation-trigger`, {
      method: 'POST',
      headers: { 'x-api-key': companyKey, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: '{"triggerType": "*", "triggerUrl": "https://hooks.example.com/x", "apiKey": "secret"}',
    })
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

test('the embedded database’s secret lies beside it and not in it', async (t) => {
  const folder = await dataFolder(t)
  const server = await serve(t, { CASHWRAP_DATA: folder })
  await server.stop()
  const secret = (await readFile(join(folder, 'secret'), 'utf8')).trim()
  assert.equal(await readSecret({ secret: undefined, dataDirectory: folder }), secret)
})
