// Files in an object store: they come back byte by byte, no stored file is lost while the store is down, and no object
// without a row stays.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { deleteCompany } from '../src/features/company-file/delete.ts'
import { exportCompany } from '../src/features/company-file/export.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { keepRemovingObjects } from '../src/features/files/abandoned.ts'
import { objectStore } from '../src/features/files/object-store.ts'
import { objectStoreOf } from '../src/features/files/settings.ts'
import { keepClearingFiles } from '../src/features/files/stored.ts'
import type { Body } from './support/contract.ts'
import { exportDone } from './support/exports.ts'
import { objectServer } from './support/object-server.ts'
import { dataFolder, until } from './support/program.ts'
import { type Company, testService } from './support/service.ts'

const store = await objectServer()
const objects = objectStore(store.settings)
const service = testService({ files: store.settings })
const target = testService()
/** A store that accepts connections and never answers, and a service with it. */
const silent = createServer(() => {}).listen(0, '127.0.0.1')
await once(silent, 'listening')
const waiting = testService({
  files: { ...store.settings, endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
})
after(() => {
  silent.closeAllConnections()
  silent.close()
  return store.close()
})

/** Three objects. */
const picture = randomBytes(2_500_000)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const put = (key: string, id: string, bytes: Buffer | string, url = service.url) =>
  fetch(`${url}/v1/attachment/${id}/file`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'image/png' },
    body: bytes as Buffer<ArrayBuffer>,
  })
const get = (key: string, id: string, url = service.url) =>
  fetch(`${url}/v1/attachment/${id}/file`, { headers: { 'x-api-key': key } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

async function attachmentOf({ call }: Company): Promise<string> {
  const { body } = await call('POST', '/v1/attachment', { name: 'shelf.png', url: 'https://shop.example.com/a.png' })
  return body.id
}

/** A company with the file of an attachment. */
async function companyWithFile(bytes: Buffer | string = picture) {
  const company = await service.company()
  const id = await attachmentOf(company)
  assert.equal((await put(company.key, id, bytes)).status, 200)
  return { ...company, attachmentId: id }
}

const namesOf = async (companyId: string) =>
  (await store.names()).filter((name) => name.startsWith(`shops/${companyId}/`))

/** Removes all that is to be removed of a company, as if the leases and the day of an object had passed. */
async function removeAll(companyId: string): Promise<void> {
  await service.database.query('update attachment_files set leased_until = now() where company_id = $1 and not is_stored', [companyId]) // biome-ignore format: one thought
  const failed = (error: unknown) => assert.fail(String(error))
  const clearing = keepClearingFiles(service.database, failed)
  await until('no file is unused', async () => {
    const [row] = await service.database.query('select count(*)::int from attachment_files where company_id = $1 and not is_stored', [companyId]) // biome-ignore format: one thought
    return row?.[0] === 0
  })
  await clearing.stop()
  await removeObjects(companyId)
}

async function removeObjects(companyId: string): Promise<void> {
  const ofCompany = `files/shops/${companyId}/%`
  await service.database.query('update abandoned_objects set due_at = now() where name like $1', [ofCompany])
  const removing = keepRemovingObjects(service.database, objects, (error) => assert.fail(String(error)))
  await until('no object is abandoned', async () => {
    const rows = await service.database.query('select 1 from abandoned_objects where name like $1', [ofCompany])
    return rows.length === 0
  })
  await removing.stop()
}

test('a file is stored in objects of its company only, comes back as it was sent, and runs nothing in a browser', async () => {
  const company = await companyWithFile()
  const names = await namesOf(company.id)
  assert.equal(names.length, 3)
  for (const name of names) assert.match(name, new RegExp(`^shops/${company.id}/${company.attachmentId}/[0-9a-f]{32}$`))
  const [row] = await service.database.query('select count(*)::int, count(bytes)::int from attachment_file_pieces where company_id = $1', [company.id]) // biome-ignore format: one thought
  assert.deepEqual(row, [3, 0])
  const { body } = await company.call('GET', `/v1/attachment/${company.attachmentId}`)
  assert.deepEqual([body.file.bytes, body.file.sha256], [picture.length, sha256(picture)])

  const read = await get(company.key, company.attachmentId)
  assert.ok((await bytesOf(read)).equals(picture))
  assert.equal(read.headers.get('content-length'), String(picture.length))
  const { path } = (await company.call('GET', `/v1/attachment/${company.attachmentId}/file/link`)).body
  const linked = await fetch(service.url + path)
  assert.match(linked.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.equal(linked.headers.get('x-content-type-options'), 'nosniff')
  assert.ok((await bytesOf(linked)).equals(picture))
  const other = await service.company()
  assert.equal((await get(other.key, company.attachmentId)).status, 404)
})

test('while the store is down, reading and sending are 503 and the record is kept; afterwards both work', async () => {
  const company = await companyWithFile()
  const id = company.attachmentId
  const before = (await company.call('GET', `/v1/attachment/${id}`)).text
  await store.stop()
  try {
    const sent = await put(company.key, id, 'another')
    const read = await get(company.key, id)
    for (const answer of [sent, read]) {
      assert.equal(answer.status, 503)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.equal(((await answer.json()) as Body).reason, 'files_unreachable')
    }
    assert.equal((await company.call('GET', `/v1/attachment/${id}`)).text, before)
    const other = await attachmentOf(company)
    assert.equal((await company.call('DELETE', `/v1/attachment/${other}`)).status, 200)
  } finally {
    await store.start()
  }
  assert.ok((await bytesOf(await get(company.key, id))).equals(picture))
  assert.equal((await put(company.key, id, 'another')).status, 200)
  assert.equal(await (await get(company.key, id)).text(), 'another')
})

test('a store that does not answer delays only requests for files', async () => {
  const company = await waiting.company()
  const id = await attachmentOf(company)
  const writer = await waiting.second({ files: store.settings })
  assert.equal((await put(company.key, id, 'x', writer.url)).status, 200)
  let asked = 0
  let answered = 0
  silent.on('connection', () => asked++)
  const giveUp = new AbortController()
  const reads = Array.from({ length: 6 }, () =>
    fetch(`${waiting.url}/v1/attachment/${id}/file`, {
      headers: { 'x-api-key': company.key },
      signal: giveUp.signal,
    }).then(
      () => answered++,
      () => {},
    ),
  )
  await until('each waits for the store', async () => asked === reads.length)
  // A route that waits in the semaphore of all that have none of their own.
  const { status } = await company.call('GET', `/v1/attachment/${id}/file/link`)
  assert.deepEqual([status, answered], [200, 0])
  giveUp.abort()
  await Promise.all(reads)
})

test('a file that was changed or lost in the store is never served or exported as complete, and is not tried again', async (t) => {
  const company = await companyWithFile('as it was sent')
  const [name] = await namesOf(company.id)
  const file = `${await dataFolder(t)}/shop.ndjson`
  const refused = async () => {
    const read = await get(company.key, company.attachmentId)
    const { message } = (await read.json()) as Body
    assert.deepEqual([read.status, read.headers.get('retry-after')], [500, null])
    assert.match(message, /lost or damaged/)
    await assert.rejects(exportCompany(service.database, { companyId: company.id, file, objects }), /lost or damaged/)
  }
  await objects.write(`files/${name}`, Buffer.from('as it was hurt'))
  await refused()
  await objects.remove(`files/${name}`)
  await refused()
})

test('no object of a replaced file, of a deleted attachment or of an upload that broke off stays', async () => {
  const company = await companyWithFile('replaced')
  const deleted = await attachmentOf(company)
  const broken = await attachmentOf(company)
  await put(company.key, company.attachmentId, 'kept')
  await put(company.key, deleted, picture)
  const isSent = (count: number) => async () => (await namesOf(company.id)).length === count
  const sending = request(`${service.url}/v1/attachment/${broken}/file`, {
    method: 'PUT',
    headers: { 'x-api-key': company.key, 'content-type': 'image/png', 'content-length': 5_000_000 },
  })
  sending.on('error', () => {})
  sending.write(picture)
  await until('two of its objects are stored', isSent(7))
  sending.destroy()
  assert.equal((await company.call('DELETE', `/v1/attachment/${deleted}`)).status, 200)
  await until('the broken upload has ended', async () => {
    const rows = await service.database.query('select 1 from attachment_files where company_id = $1 and attachment_id = $2', [company.id, broken]) // biome-ignore format: one thought
    return rows.length === 0
  })
  await removeAll(company.id)
  assert.equal((await namesOf(company.id)).length, 1)
  assert.equal(await (await get(company.key, company.attachmentId)).text(), 'kept')
})

test('objects that cannot be removed are removed later, and an object is due only when no request can write it any more', async () => {
  const company = await companyWithFile('x')
  await company.call('DELETE', `/v1/attachment/${company.attachmentId}/file`)
  await service.database.query('update attachment_files set leased_until = now() where company_id = $1', [company.id])
  const clearing = keepClearingFiles(service.database, (error) => assert.fail(String(error)))
  const dueIn = async () => {
    const [row] = await service.database.query('select extract(epoch from due_at - now())::int from abandoned_objects where name like $1', [`files/shops/${company.id}/%`]) // biome-ignore format: one thought
    return row?.[0] as number | undefined
  }
  await until('its object is noted', async () => (await dueIn()) !== undefined)
  await clearing.stop()
  assert.ok(Number(await dueIn()) > 80_000)
  await service.database.query(`update abandoned_objects set due_at = now() where name like $1`, [`files/shops/${company.id}/%`]) // biome-ignore format: one thought
  // A store that cannot be used removes nothing, whatever it answers.
  const wrong = objectStore({ ...store.settings, bucket: 'other' })
  const failures: unknown[] = []
  const failing = keepRemovingObjects(service.database, wrong, (error) => failures.push(error))
  await until('it failed', async () => failures.length > 0)
  await failing.stop()
  assert.match(String(failures[0]), /NoSuchBucket/)
  await assert.rejects(wrong.remove(`other/${company.id}`), { reason: 'files_unreachable' })
  assert.ok(Number(await dueIn()) <= 0)
  // One that cannot be removed is put off, and newer ones are removed.
  const stuck = `files/shops/${company.id}/stuck`
  await service.database.query(`insert into abandoned_objects values ($1, now() - interval '1 hour')`, [stuck])
  const partly = {
    ...objects,
    remove: (name: string) => objects.remove(name === stuck ? `other/${company.id}` : name),
  }
  const removing = keepRemovingObjects(service.database, partly, (error) => failures.push(error))
  await until('it is removed', async () => (await namesOf(company.id)).length === 0)
  await removing.stop()
  assert.ok(Number(await dueIn()) > 300)
  assert.equal(failures.length, 2)
  await removeObjects(company.id)
  assert.deepEqual(await namesOf(company.id), [])
})

test('a server without the store answers 503 for files that are in it; with the store, files in the database stay readable', async () => {
  const company = await companyWithFile()
  const second = await service.second({ files: undefined })
  const read = await get(company.key, company.attachmentId, second.url)
  assert.equal(read.status, 503)
  await read.body?.cancel()
  const id = await attachmentOf(company)
  assert.equal((await put(company.key, id, 'in the database', second.url)).status, 200)
  assert.equal(await (await get(company.key, id)).text(), 'in the database')
})

test('files move with the company, are compared with its file, and their objects go with a deleted company', async (t) => {
  const company = await companyWithFile()
  const file = `${await dataFolder(t)}/shop.ndjson`
  await assert.rejects(exportCompany(service.database, { companyId: company.id, file }), /store of files/)
  await exportCompany(service.database, { companyId: company.id, file, objects })
  await importCompany(target.database, { file })
  assert.ok((await bytesOf(await get(company.key, company.attachmentId, target.url))).equals(picture))
  assert.equal((await importCompany(target.database, { file })).wasThere, true)
  assert.equal((await importCompany(service.database, { file, objects })).wasThere, true)

  await service.database.query(`update companies set status = 'suspended', updated_at = now() - interval '1 hour' where id = $1`, [company.id]) // biome-ignore format: one thought
  await deleteCompany(service.database, {
    companyId: company.id,
    confirmed: 'Shop',
    waits: () => assert.fail('It waited.'),
  })
  assert.equal((await namesOf(company.id)).length, 3)
  await removeObjects(company.id)
  assert.deepEqual(await namesOf(company.id), [])
})

test('files that are being sent or were replaced are in no export', async (t) => {
  const company = await companyWithFile('replaced')
  const file = `${await dataFolder(t)}/shop.ndjson`
  await put(company.key, company.attachmentId, 'kept')
  const id = await attachmentOf(company)
  const sending = request(`${service.url}/v1/attachment/${id}/file`, {
    method: 'PUT',
    headers: { 'x-api-key': company.key, 'content-type': 'image/png', 'content-length': picture.length },
  })
  sending.write(picture.subarray(0, 2_200_000))
  await until('two of its objects are stored', async () => (await namesOf(company.id)).length === 4)
  // A server that was killed between the row and its object leaves the same.
  const rename = (from: string, to: string) =>
    service.database.query(`update attachment_file_pieces set object = replace(object, $2, $3) where company_id = $1 and number = 1`, [company.id, from, to]) // biome-ignore format: one thought
  await rename('files/', 'nowhere/')
  const { counts } = await exportCompany(service.database, { companyId: company.id, file, objects })
  assert.deepEqual([counts.attachment_files, counts.attachment_file_pieces], [1, 1])
  await importCompany(target.database, { file })
  await rename('nowhere/', 'files/')
  sending.end(picture.subarray(2_200_000))
  const [answer] = await once(sending, 'response')
  assert.equal(answer.statusCode, 200)
  answer.resume()
  assert.equal(await (await get(company.key, company.attachmentId, target.url)).text(), 'kept')
})

test('a console’s export has the bytes of objects', async () => {
  const company = await companyWithFile('in the export')
  const { text } = await company.call('GET', `/v1/exports/${await exportDone(company.call)}/file`)
  assert.ok(text.includes(Buffer.from('in the export').toString('hex')))
})

test('a store that cannot be used is reported with the reason', async () => {
  assert.equal(await objects.findProblem(), undefined)
  const refused = objectStore({ ...store.settings, secretAccessKey: 'wrong' })
  assert.match((await refused.findProblem()) ?? '', /403.*SignatureDoesNotMatch/s)
  const nowhere = objectStore({ ...store.settings, endpoint: 'http://127.0.0.1:9' })
  assert.match((await nowhere.findProblem()) ?? '', /bad port|ECONNREFUSED/)
  assert.match((await objectStore({ ...store.settings, bucket: 'other' }).findProblem()) ?? '', /404.*NoSuchBucket/s)
})

test('a request is sent again after a broken connection and a 5xx, and an error shows nothing of what was sent but its name', async (t) => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.destroy(),
    (response) => response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
    (response) => response.end('the bytes'),
    (response) =>
      response
        .writeHead(400)
        .end('<Error><Code>InvalidToken</Code><Message>Not valid.</Message><Token-0>secret</Token-0></Error>'),
    (response) => response.writeHead(200, { 'content-length': 2 ** 30 }).write('x'),
  ]
  const unsteady = createServer((_, response) => answers.shift()?.(response)).listen(0, '127.0.0.1')
  t.after(() => unsteady.close())
  await once(unsteady, 'listening')
  const endpoint = `http://127.0.0.1:${(unsteady.address() as AddressInfo).port}`
  const own = objectStore({ ...store.settings, endpoint })
  assert.equal(String(await own.read('files/x')), 'the bytes')
  await assert.rejects(own.read('files/x'), (error: Error) => {
    assert.equal((error.cause as Error).message, 'GET files/x: 400 InvalidToken Not valid.')
    return true
  })
  await assert.rejects(own.read('files/x'), { reason: 'files_unreachable' })
  assert.equal(answers.length, 0)
})

test('CASHWRAP_FILES names a bucket, and a wrong value is explained without showing it', () => {
  const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const read = (text: string, others: NodeJS.ProcessEnv = key) => objectStoreOf({ CASHWRAP_FILES: text, ...others })
  assert.equal(read(''), undefined)
  const common = { bucket: 'shop-files', accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: undefined }
  assert.deepEqual(read('s3://shop-files'), { ...common, prefix: '', endpoint: undefined, region: 'us-east-1', isPathStyle: false }) // biome-ignore format: one thought
  assert.deepEqual(read('s3://shop-files/a/b/?endpoint=https://s3.example.com&region=eu-central-1'), {
    ...common,
    prefix: 'a/b/',
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    isPathStyle: true,
  })
  assert.equal(read('s3://shop-files?endpoint=https://s3.example.com&pathStyle=0')?.isPathStyle, false)
  assert.equal(read('s3://shop.files')?.isPathStyle, true)
  for (const wrong of [
    ...['shop-files', 'https://s3.example.com/shop-files', 's3://id:secret@shop-files', 's3://Shop_Files', 's3://ab'],
    ...['s3://shop-files/a b', 's3://shop-files/a//b', 's3://shop-files?endpoint=s3.example.com'],
    ...[
      's3://shop-files?endpoint=https://s3.example.com/path',
      's3://shop-files?pathStyle=yes',
      's3://shop-files?region=eu%20central',
      's3://shop-files?key=1',
    ],
  ])
    assert.throws(() => read(wrong), { name: 'OperatorError', message: /CASHWRAP_FILES/ }, wrong)
  for (const missing of Object.keys(key))
    assert.throws(() => read('s3://shop-files', { ...key, [missing]: '' }), new RegExp(missing))
})
