// The secret key, which encrypts secrets in the database: created once, protected from other users, and the same for all servers of a database.
import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { connect, type Database } from '../src/database/connect.ts'
import { clearKept } from '../src/engine/idempotency-removal.ts'
import { leaseMails, outboxOf } from '../src/features/mail/outbox.ts'
import {
  beginSecondFactor,
  codeAt,
  confirmSecondFactor,
  spendCode,
  stepAt,
} from '../src/features/people/second-factor.ts'
import { createUser } from '../src/features/people/users.ts'
import { formerSecretsIn, openTriggerSecret, sealTriggerSecret } from '../src/features/webhooks/trigger-secrets.ts'
import { markOf, sealOf } from '../src/seal.ts'
import { agreeOnSecret, readSecretKeys, replaceSecret } from '../src/secret.ts'
import type { Body } from './support/contract.ts'
import { copyDatabase } from './support/database.ts'
import { mailSettings } from './support/mail-server.ts'
import { assertProblem } from './support/problem.ts'
import { cashwrap, dataFolder, urlOf } from './support/program.ts'
import { serveHere } from './support/served.ts'

const one = 'the first secret of thirty-two characters and more'
const two = 'the second secret of thirty-two characters and more'

const unset = { secretKeys: [], databaseUrl: undefined }

/** A keyed request whose response contains a secret. */
const sendTrigger = (at: string, key: string, idempotencyKey = 'k') =>
  fetch(`${at}/v1/automation-trigger`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: '{"triggerType": "*", "triggerUrl": "https://hooks.example.com/x", "apiKey": "secret"}',
  })

test('without a setting the secret is created once, in a file that only its owner can read, also under concurrent starts', async (t) => {
  const dataDirectory = join(await dataFolder(t), 'not there yet')
  const read = async () => (await readSecretKeys({ ...unset, dataDirectory })).join()
  const all = await Promise.all(Array.from({ length: 10 }, read))
  assert.equal(new Set([...all, await read()]).size, 1)
  assert.match(all[0] as string, /^[\w-]{43}$/)
  assert.deepEqual(await readdir(dataDirectory), ['secret'])
  assert.equal((await stat(join(dataDirectory, 'secret'))).mode & 0o777, 0o600)
  assert.deepEqual(await readSecretKeys({ ...unset, secretKeys: [one], dataDirectory }), [one])
})

test('a damaged file, a folder without write permission and a setting that is too short are refused with a message that says what to do', async (t) => {
  const dataDirectory = await dataFolder(t)
  await writeFile(join(dataDirectory, 'secret'), 'cut')
  await assert.rejects(readSecretKeys({ ...unset, dataDirectory }), /secret is damaged.*backup/)
  const inFile = join(dataDirectory, 'secret')
  await assert.rejects(readSecretKeys({ ...unset, dataDirectory: inFile }), /set CASHWRAP_SECRET_KEY/)
  assert.throws(() => readConfig({ CASHWRAP_SECRET_KEY: 'x'.repeat(31) }), /at least 32 characters/)
  assert.deepEqual(readConfig({ CASHWRAP_SECRET_KEY: one }).secretKeys, [one])
  for (const nothing of ['', ' ', '\n']) assert.deepEqual(readConfig({ CASHWRAP_SECRET_KEY: nothing }).secretKeys, [])
  assert.throws(() => readConfig({ CASHWRAP_SECRET_KEY: `x${' '.repeat(32)}` }), /at least 32 characters/)
  assert.deepEqual(readConfig({ CASHWRAP_SECRET_KEY: ` ${one} , ${two}\n` }).secretKeys, [one, two])
  for (const wrong of [`${one},${two},${one}`, `${one},${one}`, `${one},`, `${one},short`])
    assert.throws(
      () => readConfig({ CASHWRAP_SECRET_KEY: wrong }),
      ({ message }: Error) => /^CASHWRAP_SECRET_KEY must /.test(message) && !message.includes(one),
    )
})

test('a server on another PostgreSQL does not start without a secret key, and says so in one sentence', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const { code, stderr } = await cashwrap(['serve'], { DATABASE_URL: urlOf(connection), CASHWRAP_SECRET_KEY: '' })
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^error: With DATABASE_URL, CASHWRAP_SECRET_KEY must be set .*`cashwrap secret` prints a new one\.\n$/,
  )
})

test('cashwrap secret prints another key each time, and servers accept it', async () => {
  const [plain, again, json] = await Promise.all([[], [], ['--json']].map((more) => cashwrap(['secret', ...more], {})))
  const keys = [plain?.stdout.trim(), again?.stdout.trim(), JSON.parse(String(json?.stdout)).secretKey]
  assert.equal(new Set(keys).size, 3)
  for (const key of keys) {
    assert.match(key, /^[\w-]{43}$/)
    assert.deepEqual(readConfig({ CASHWRAP_SECRET_KEY: key }).secretKeys, [key])
  }
})

test('a newline at the end is not part of a secret, wherever it came from', async (t) => {
  const dataDirectory = await dataFolder(t)
  await writeFile(join(dataDirectory, 'secret'), `${one}\r\n`)
  assert.deepEqual(await readSecretKeys({ ...unset, dataDirectory }), [one])
  assert.deepEqual(readConfig({ CASHWRAP_SECRET_KEY: `${one}\n` }).secretKeys, [one])
})

test('a server with a secret other than the database’s does not start; after replacing the secret, it does', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const DATABASE_URL = urlOf(connection)
  const first = await serveHere(t, connection, { secretKeys: [one] })
  const { url } = first
  const { companyKey } = first.first
  const send = (at: string) => sendTrigger(at, companyKey)
  const made = await (await send(url)).text()
  await first.stop()

  const refused = await cashwrap(['serve'], { DATABASE_URL, CASHWRAP_SECRET_KEY: two })
  assert.equal(refused.code, 1)
  const fingerprints = [one, two].map(markOf).join('; that of the present key is ')
  assert.ok(
    refused.stderr.startsWith(`error: This database has another secret key, with the fingerprint ${fingerprints}. `),
  )
  assert.match(refused.stderr, /^[^\n]*replace-secret.*\n$/)
  const again = await serveHere(t, connection, { secretKeys: [one] })
  assert.equal(await (await send(again.url)).text(), made)
  // A server that runs would go on with the old key.
  const early = await cashwrap(['replace-secret'], { DATABASE_URL, CASHWRAP_SECRET_KEY: two })
  assert.deepEqual([early.code, early.stdout], [1, ''])
  assert.match(early.stderr, /^error: Other sessions are at work in the database: \d+\. Stop all servers .*\n$/)
  assert.equal(await (await send(again.url)).text(), made)
  await again.stop()

  const replaced = await cashwrap(['replace-secret', '--json'], { DATABASE_URL, CASHWRAP_SECRET_KEY: two })
  assert.deepEqual(JSON.parse(replaced.stdout), { replaced: true, removed: 1, triggers: 1, secondFactors: 0, mails: 0 })
  const later = await serveHere(t, connection, { secretKeys: [two] })
  const resent = await send(later.url)
  assert.deepEqual([resent.status, resent.headers.get('idempotent-replayed')], [201, null])
  const { id } = JSON.parse(made)
  const left = await fetch(`${later.url}/v1/automation-trigger/${id}`, { headers: { 'x-api-key': companyKey } })
  assert.equal(((await left.json()) as Body).apiKey, undefined)
})

/** The encrypted values of a database, each decrypted with only one key; undefined if that key does not fit. */
async function opened(database: Database, key: string) {
  const answers = await database.query(
    'select owner_id, key, answer, fingerprint from idempotency_keys order by owner_id, key',
  )
  const triggers = await database.query(
    'select company_id, id, secret from automation_triggers order by company_id, id',
  )
  const seal = sealOf([key])
  const tried = (open: () => string) => {
    try {
      return open()
    } catch {
      return undefined
    }
  }
  return {
    answers: answers.map(([owner, key, answer]) => tried(() => seal.open(answer, `${owner} ${key}`))),
    fingerprints: answers.map(([owner, key, , text]) => tried(() => seal.open(text, `${owner} ${key}`)) !== undefined),
    triggers: triggers.map(([company, id, secret]) => tried(() => openTriggerSecret(seal, company, id, secret))),
  }
}

test('a key is replaced while servers run: each decrypts what the others encrypted, and once stored responses of the old one have expired, it is not needed', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().then(drop))
  const DATABASE_URL = urlOf(connection)
  const run = (...keys: string[]) => serveHere(t, connection, { secretKeys: keys })
  let sent = 0
  const { companyKey, ...first } = await run(one).then(({ first, stop }) => ({ companyKey: first.companyKey, stop }))
  const made = new Map<string, string>()
  const make = async (at: string) => {
    const key = `k${sent++}`
    const reply = await sendTrigger(at, companyKey, key)
    assert.equal(reply.status, 201)
    made.set(key, await reply.text())
  }
  const replayed = async (at: string) => {
    for (const [key, text] of made) {
      const reply = await sendTrigger(at, companyKey, key)
      assert.deepEqual([reply.headers.get('idempotent-replayed'), await reply.text()], ['true', text])
    }
  }
  await first.stop()
  const a = await run(one, two)
  const b = await run(one, two)
  await make(a.url)
  // The first one continues with the new key, while the second one still encrypts with the old.
  await a.stop()
  const c = await run(two, one)
  await make(c.url)
  await make(b.url)
  for (const { url } of [b, c]) await replayed(url)
  const refused = await cashwrap(['serve'], { DATABASE_URL, CASHWRAP_SECRET_KEY: one })
  assert.match(refused.stderr, /has another secret key/)
  await b.stop()
  const d = await run(two, one)
  assert.match(d.log(), /"triggers":1/)
  for (const { url } of [c, d]) await replayed(url)
  for (const server of [c, d]) await server.stop()
  // Stored responses stay as they are, and expire; secrets of triggers are encrypted with the new key.
  const [of0, of1, of2] = [...made.values()]
  assert.deepEqual(await opened(database, two), {
    answers: [undefined, of1, undefined],
    fingerprints: [false, true, false],
    triggers: ['secret', 'secret', 'secret'],
  })
  assert.deepEqual(await opened(database, one), {
    answers: [of0, undefined, of2],
    fingerprints: [true, false, true],
    triggers: [undefined, undefined, undefined],
  })
  await database.query(`update idempotency_keys set created_at = now() - interval '1 day' where key <> 'k1'`)
  await clearKept(database)
  const end = await run(two)
  for (const key of made.keys()) if (key !== 'k1') made.delete(key)
  await replayed(end.url)
})

test('an interrupted re-encryption of triggers’ secrets is started again; two servers may do it at once', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 4 })
  t.after(() => database.close().then(drop))
  await agreeOnSecret(database, [one])
  const many = 1_200
  const old = sealOf([one])
  const both = sealOf([two])
  const ids = Array.from({ length: many }, (_, n) => n.toString(16).padStart(24, '0'))
  // Some are done already, as after a server died in the middle; some store no secret.
  const isOld = (n: number) => n % 5 !== 0 && n % 3 !== 0
  const sealFor = (n: number) => (n % 3 === 0 ? both : old)
  await database.query(
    `insert into automation_triggers (company_id, id, body, secret, former_secret)
     select 'o', id, '{"updatedAt": "x", "createdAt": "x"}', secret, former
     from unnest($1::text[], $2::text[], $3::text[]) as item(id, secret, former)`,
    [
      ids,
      ids.map((id, n) => (n % 5 === 0 ? null : sealTriggerSecret(sealFor(n), 'o', id, id))),
      // Of some, the secret was changed while servers had either key.
      ids.map((id, n) =>
        isOld(n) && n % 7 === 1
          ? [both, old].map((seal) => sealTriggerSecret(seal, 'o', id, `before ${id}`)).join(' ')
          : null,
      ),
    ],
  )
  const wanted = ids.filter((_, n) => isOld(n)).length
  const done = await Promise.all([agreeOnSecret(database, [two, one]), agreeOnSecret(database, [two, one])])
  assert.equal(done[0].triggers + done[1].triggers, wanted)
  const seal = sealOf([two])
  const triggers = await database.query('select id, secret, former_secret from automation_triggers order by id')
  const openedBy = (id: string) => (sealed: string) => openTriggerSecret(seal, 'o', id, sealed)
  assert.deepEqual(
    triggers.map(([id, secret, former]) => [secret && openedBy(id)(secret), formerSecretsIn(former).map(openedBy(id))]),
    ids.map((id, n) => [n % 5 === 0 ? null : id, isOld(n) && n % 7 === 1 ? [`before ${id}`, `before ${id}`] : []]),
  )
  assert.deepEqual(await agreeOnSecret(database, [two, one]), { triggers: 0, secondFactors: 0, mails: 0 })
  await agreeOnSecret(database, [two])
  await assert.rejects(agreeOnSecret(database, [one]), /has another secret key/)
})

test('second factors are re-encrypted with a new key; if the old key is lost, sign-ins still require them, and recovery codes work', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 4 })
  t.after(() => database.close().then(drop))
  await agreeOnSecret(database, [one])
  const userId = await database.transaction(async (transaction) => {
    const { id } = await createUser(transaction, { email: 'ann@example.com' })
    return id
  })
  const secret = await beginSecondFactor(database, sealOf([one]), userId)
  const code = () => codeAt(secret, stepAt(Date.now()))
  const recovery = await confirmSecondFactor(database, sealOf([one]), userId, code())
  const isRight = async (key: string, typed: string) => {
    await database.query('update second_factors set last_step = 0')
    return spendCode(database, sealOf([key]), userId, typed)
  }
  assert.deepEqual(
    await Promise.all([agreeOnSecret(database, [two, one]), agreeOnSecret(database, [two, one])]).then((done) =>
      done.map(({ secondFactors }) => secondFactors).sort(),
    ),
    [0, 1],
  )
  assert.deepEqual([await isRight(two, code()), await isRight(one, code())], [true, false])
  assert.deepEqual(await replaceSecret(database, [one]), {
    replaced: true,
    removed: 0,
    triggers: 0,
    secondFactors: 1,
    mails: 0,
  })
  assert.deepEqual(
    [await isRight(one, code()), await isRight(one, ''), await isRight(one, recovery?.[0] as string)],
    [false, false, true],
  )
})

test('waiting mails are re-encrypted with a new key, and removed if the old key is lost', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 4 })
  t.after(() => database.close().then(drop))
  await agreeOnSecret(database, [one])
  const content = { email: 'ann@example.com' }
  await outboxOf(mailSettings(1), sealOf([one])).put(database, [{ kind: 'password-reset', content, keptMs: 60_000 }])
  assert.equal((await agreeOnSecret(database, [two, one])).mails, 1)
  const lease = { most: 1, leaseMs: 0, but: [] }
  assert.deepEqual((await leaseMails(database, sealOf([two]), lease))[0]?.content, content)
  assert.equal((await replaceSecret(database, [one])).mails, 1)
  assert.deepEqual(await leaseMails(database, sealOf([one]), lease), [])
})

test('of two processes that create a database at once, each with its own secret, one is refused', async (t) => {
  const { connection, drop } = await copyDatabase()
  const a = connect(connection, { size: 1 })
  const b = connect(connection, { size: 1 })
  t.after(() => Promise.all([a.close(), b.close()]).then(drop))
  const ended = await Promise.allSettled([agreeOnSecret(a, [one]), agreeOnSecret(b, [two])])
  assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a server that still runs with a secret that the database no longer has affects only its own replays, which report it', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().then(drop))
  const old = await serveHere(t, connection, { secretKeys: [one] })
  const send = (at: string) => sendTrigger(at, old.first.companyKey)
  // As after a replacement that did not see the server, since its connections were just broken.
  await database.query(`update agreements set value = $1 where name = 'secret'`, [markOf(two)])
  assert.equal((await send(old.url)).status, 201)
  const fresh = await serveHere(t, connection, { secretKeys: [two] })
  const refused = await send(fresh.url)
  const text = await refused.text()
  const { message } = assertProblem({ status: refused.status, headers: refused.headers, text }, 409, 'conflict')
  assert.match(message, /was carried out.*Look up what it created/)
  const list = await fetch(`${fresh.url}/v1/automation-triggers`, { headers: { 'x-api-key': old.first.companyKey } })
  assert.equal(((await list.json()) as Body).meta.count, 1)
  assert.equal((await send(old.url)).headers.get('idempotent-replayed'), 'true')
  await fresh.stop()
  assert.match(fresh.log(), /"level":50.*encrypted with another secret/)
})

test('replacing the secret removes everything encrypted, however much is stored, and nothing else', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().then(drop))
  await agreeOnSecret(database, [one])
  await database.query(
    `insert into automation_triggers (company_id, id, body, secret, former_secret, former_secret_until)
     values ('o', 't', '{"updatedAt": "x", "createdAt": "x"}', 'sealed:a', 'sealed:b', now() + interval '1 day')`,
  )
  await database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer)
     select 'owner ' || n % 3, 'key ' || n, 'x', now(), 200, case when n % 2 = 0 then 'sealed:abc' else '{"sealed:": 1}' end
     from generate_series(1, 3000) as n`,
  )
  assert.deepEqual(await replaceSecret(database, [two]), {
    replaced: true,
    removed: 1500,
    triggers: 1,
    secondFactors: 0,
    mails: 0,
  })
  assert.deepEqual(await database.query('select secret, former_secret from automation_triggers'), [[null, null]])
  await database.query(
    `insert into idempotency_keys (owner_id, key, fingerprint, created_at, status, answer) values ('o', 'k', 'x', now(), 200, 'sealed:new')`,
  )
  // The key that the database has loses nothing, alone or beside another one.
  for (const keys of [[two], [one, two]])
    assert.deepEqual(await replaceSecret(database, keys), {
      replaced: false,
      removed: 0,
      triggers: 0,
      secondFactors: 0,
      mails: 0,
    })
  await database.query(`delete from idempotency_keys where answer = 'sealed:new'`)
  const left = await database.query('select answer, count(*) from idempotency_keys group by answer')
  assert.deepEqual(left, [['{"sealed:": 1}', 1500]])
  await agreeOnSecret(database, [two])
  await assert.rejects(agreeOnSecret(database, [one]), /has another secret key/)
})
