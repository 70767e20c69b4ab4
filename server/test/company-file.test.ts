// A company as a file: exported from one database, imported into another as it was, and refused if the file is
// incomplete.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exportCompany } from '../src/features/company-file/export.ts'
import { readCompanyFile } from '../src/features/company-file/format.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { decryptSecrets, type EncryptedSecrets, type Keyring } from '../src/features/company-file/secrets.ts'
import { fileTables, leftOut } from '../src/features/company-file/tables.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { openTriggerSecret } from '../src/features/webhooks/trigger-secrets.ts'
import { sealOf } from '../src/seal.ts'
import { assertColumns } from './support/columns.ts'
import { makeTable } from './support/custom-tables.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { dataFolder } from './support/program.ts'
import { sharedService, testService, testSettings } from './support/service.ts'

const source = sharedService()
const target = testService()

test('every table of a company is in the file, or named as left out', async () => {
  const rows = await source.database.query(
    `select distinct relname from pg_attribute join pg_class on pg_class.oid = attrelid
     where attname = 'company_id' and relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  )
  const named = [...fileTables.map(({ name }) => name).filter((name) => name !== 'companies'), ...Object.keys(leftOut)]
  assert.deepEqual(rows.map(([name]) => name).toSorted(), named.toSorted())
})

test('a company is exported and imported, its key works, a second import does nothing, and incomplete files are refused', async (t) => {
  const { id, call, key } = await source.company()
  for (const firstName of ['Ada', 'Bea', 'Cleo'])
    assert.equal((await call('POST', '/v1/customer', { firstName })).status, 201)
  const table = await makeTable(call, { reason: 'string' }, 'visits')
  await table.row({ reason: 'A repair' })
  const wanted = { name: 'Kiosk', permissions: ['read'] as const, resources: ['product'] }
  const { value: kiosk } = await createKey(source.database, { companyId: id }, wanted)
  // Of three chunks.
  const picture = randomBytes(600_000)
  const { id: attachmentId } = (await call('POST', '/v1/attachment', { name: 'A picture' })).body
  const fileOf = async (url: string, request: RequestInit = {}) => {
    const headers = { 'x-api-key': key, ...(request.body && { 'content-type': 'image/png' }) }
    const response = await fetch(`${url}/v1/attachment/${attachmentId}/file`, { ...request, headers })
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }
  await fileOf(source.url, { method: 'PUT', body: picture })
  const folder = await dataFolder(t)
  const file = join(folder, 'shop.ndjson')
  await exportCompany(source.database, { companyId: id, file })
  const text = await readFile(file, 'utf8')
  const spoilt = async (name: string, content: string, expected: RegExp) => {
    const path = join(folder, name)
    await writeFile(path, content)
    await assert.rejects(importCompany(target.database, { file: path }), expected)
  }
  await spoilt('cut', text.slice(0, -40), /cut off/)
  await spoilt('changed', text.replace('Bea', 'Bee'), /changed or damaged/)
  await spoilt('newer', text.replace('"format":1', '"format":3'), /format 3 of an earlier version/)
  const tried = await importCompany(target.database, { file, isDryRun: true })
  assert.equal(tried.counts.customers, 3)
  const first = await importCompany(target.database, { file })
  assert.equal(first.wasThere, false)
  assert.equal((await importCompany(target.database, { file })).wasThere, true)
  const own = target.caller({ 'x-api-key': key })
  for (const path of ['/v1/customers', '/v1/api/custom-table-data/visits', '/v1/api/custom-table-values'])
    assert.equal((await own('GET', path)).text, (await call('GET', path)).text, path)
  assert.deepEqual(await fileOf(target.url), picture)
  const limited = target.caller({ 'x-api-key': kiosk })
  assert.equal((await limited('GET', '/v1/products')).status, 200)
  assertProblem(await limited('GET', '/v1/customers'), 403, 'permission_denied')
  await assertColumns({ database: target.database })
  const { body } = await own('GET', '/v1/events?limit=1000')
  assert.equal(body.data.at(-1).sequence, first.cursor)
  await own('POST', '/v1/customer', { firstName: 'Dora' })
  await assert.rejects(importCompany(target.database, { file }), /its content differs from the file/)
})

/** The file as a version before a column wrote it. */
function withoutColumn(text: string, table: string, column: RegExp): string {
  const lines = text.trimEnd().split('\n')
  const end = JSON.parse(lines.pop() as string)
  const begins = `{"table":"${table}","row":`
  const older = lines.map((line) => (line.startsWith(begins) ? line.replace(column, '') : line))
  const rows = older.filter((line) => line.startsWith(begins)).map((line) => `${line.slice(begins.length, -1)}\n`)
  const digest = (parts: string[]) => createHash('sha256').update(parts.join('')).digest('hex')
  const sha256 = digest(older.map((line) => `${line}\n`))
  const tables = { ...end.tables, [table]: digest(rows) }
  return `${older.join('\n')}\n${JSON.stringify({ ...end, tables, sha256 })}\n`
}

test('a file from a version that lacked a column is imported, and a second import does nothing', async (t) => {
  const { id, call } = await source.company()
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  const file = await exported(t, id)
  const text = await readFile(file, 'utf8')
  const older = withoutColumn(text, 'events', /,"actor":(null|\{[^}]*\})/)
  assert.ok(!older.includes('"actor"') && text.includes('"actor"'))
  await writeFile(file, older)
  assert.equal((await importCompany(target.database, { file })).wasThere, false)
  assert.equal((await importCompany(target.database, { file })).wasThere, true)
})

/** Exports a company of the source to a file of the test. */
async function exported(t: Pick<TestContext, 'after'>, companyId: string, keyring?: Keyring): Promise<string> {
  const file = join(await dataFolder(t), 'shop.ndjson')
  await exportCompany(source.database, { companyId, file, keyring })
  return file
}

const passphrase = 'Müller’s horse and battery'
const sourceKeyring = { passphrase, seal: sealOf(testSettings.secretKeys) }
const targetSeal = sealOf(['a secret key of the other server, of 32 characters'])

test('a trigger with a secret arrives switched off, with the reason, until its secret is set; one without a secret continues', async (t) => {
  const { id, call, key } = await source.company()
  const trigger = { triggerType: 'customer.*', triggerUrl: 'https://hooks.example.com/a' }
  const { body: secretive } = await call('POST', '/v1/automation-trigger', { ...trigger, apiKey: 'known to few' })
  const { body: plain } = await call('POST', '/v1/automation-trigger', trigger)
  const file = await exported(t, id)
  assert.equal((await importCompany(target.database, { file })).secretsLeftOut, 1)
  assert.equal((await importCompany(target.database, { file })).wasThere, true)
  assert.equal((await importCompany(source.database, { file })).wasThere, true)
  const own = target.caller({ 'x-api-key': key })
  const { body: there } = await own('GET', `/v1/automation-trigger/${secretive.id}`)
  assert.deepEqual([there.isActive, there.apiKey], [false, undefined])
  assert.match(there.inactiveReason, /Set apiKey, and isActive to true/)
  assert.ok(Date.parse(there.inactiveSince) >= Date.parse(secretive.createdAt))
  assert.equal((await own('GET', `/v1/automation-trigger/${plain.id}`)).text, JSON.stringify(plain))
  const change = { apiKey: 'known to few', isActive: true }
  const { body: on } = await own('PATCH', `/v1/automation-trigger/${secretive.id}`, change)
  assert.deepEqual([on.isActive, on.inactiveReason], [true, undefined])
})

test('with a passphrase, triggers arrive unchanged; their secrets are sealed for the new server, are in no file in plain text, and cannot be opened in the file of another company', async (t) => {
  const { id, call, key } = await source.company()
  const trigger = {
    triggerType: 'customer.*',
    triggerUrl: 'https://hooks.example.com/a',
    apiKey: 'known to few, 12345',
  }
  const { body: on } = await call('POST', '/v1/automation-trigger', trigger)
  const { body: off } = await call('POST', '/v1/automation-trigger', { ...trigger, isActive: false })
  const file = await exported(t, id, sourceKeyring)
  const text = await readFile(file, 'utf8')
  assert.ok(!text.includes(trigger.apiKey))
  const { kdf, N, r, p, cipher } = JSON.parse(text.slice(0, text.indexOf('\n'))).cashwrapCompany.secrets
  assert.deepEqual({ kdf, N, r, p, cipher }, { kdf: 'scrypt', N: 131_072, r: 8, p: 1, cipher: 'aes-256-gcm' })
  const wrong = { passphrase: `${passphrase}!`, seal: targetSeal }
  await assert.rejects(importCompany(target.database, { file, keyring: wrong }), /passphrase is not the one/)
  assert.deepEqual(await target.database.query('select 1 from companies where id = $1', [id]), [])
  // An import without the passphrase switches them off; one with it makes up for that, and leaves what it finds whole.
  assert.equal((await importCompany(target.database, { file })).secretsLeftOut, 2)
  // The letters of the passphrase, composed in another way.
  const keyring = { passphrase: passphrase.normalize('NFD'), seal: targetSeal }
  for (const times of [1, 2]) {
    const { wasThere, secretsLeftOut } = await importCompany(target.database, { file, keyring })
    assert.deepEqual([wasThere, secretsLeftOut], [true, 0], `${times}`)
  }
  const rows = await target.database.query('select id, secret from automation_triggers where company_id = $1', [id])
  for (const [trigger, sealed] of rows)
    assert.equal(openTriggerSecret(targetSeal, id, trigger, sealed), 'known to few, 12345')
  const own = target.caller({ 'x-api-key': key })
  for (const { id: trigger } of [on, off]) {
    const path = `/v1/automation-trigger/${trigger}`
    assert.equal((await own('GET', path)).text, (await call('GET', path)).text)
  }

  const { manifest } = await readCompanyFile(file)
  const secrets = manifest.secrets as EncryptedSecrets
  for (const other of [
    { ...manifest, company: { ...manifest.company, id: '0'.repeat(24) } },
    // Parameters that ask for much memory, and ones that mean nothing.
    { ...manifest, secrets: { ...secrets, N: 2 ** 30 } },
    { ...manifest, secrets: { ...secrets, salt: 7 as unknown as string } },
  ])
    await assert.rejects(decryptSecrets(other, passphrase), /passphrase is not the one/)
})

test('cursors of the former server are refused, also once there are events beyond them; the printed cursor continues', async (t) => {
  const { id, call, key } = await source.company()
  await source.database.query(`select setval('event_sequence', event_position() + 5000000)`)
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  const former = (await call('GET', '/v1/events')).body.data.at(-1).sequence
  const { cursor } = await importCompany(target.database, { file: await exported(t, id) })
  assert.ok(cursor > former)
  const own = target.caller({ 'x-api-key': key })
  await own('POST', '/v1/customer', { firstName: 'Bea' })
  for (const after of [1, former, former + 1]) {
    const { errors } = assertProblem(await own('GET', `/v1/events?after=${after}`), 400, 'validation_failed')
    assert.deepEqual([errors[0].pointer, errors[0].code], ['after', 'cursor'])
    assert.match(errors[0].message, /does not belong to this feed, as after a move/)
  }
  const { data } = (await own('GET', `/v1/events?after=${cursor}`)).body
  assert.deepEqual(
    data.map(({ type }: { type: string }) => type),
    ['customer.created'],
  )
})

test('events of past weeks are imported to the partitions of their weeks', { skip: skipOnCluster }, async (t) => {
  const { id, call } = await source.company()
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  await source.database.query(`update events set created_at = now() - interval '29 days' where company_id = $1`, [id])
  await importCompany(target.database, { file: await exported(t, id) })
  const rows = await target.database.query(
    `select distinct tableoid::regclass::text from events where company_id = $1`,
    [id],
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.[0], /^events_\d{8}$/)
})
