// Files of attachments: they arrive completely or not at all, come back byte by byte, are hidden from other companies,
// and run nothing in a browser.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { exportCompany } from '../src/features/company-file/export.ts'
import { importCompany } from '../src/features/company-file/import.ts'
import { keepClearingFiles } from '../src/features/files/stored.ts'
import { deleteKey } from '../src/features/keys/key-store.ts'
import type { Body } from './support/contract.ts'
import { testMode } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { dataFolder, until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService()
const target = testService()
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(700_000)])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Sends bytes as the file of an attachment. */
function put(key: string, id: string, bytes: Buffer | string, headers: Record<string, string> = {}) {
  return fetch(`${service.url}/v1/attachment/${id}/file`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'image/png', ...headers },
    body: bytes as Buffer<ArrayBuffer>,
  })
}
const get = (key: string, id: string, headers: Record<string, string> = {}, url = service.url) =>
  fetch(`${url}/v1/attachment/${id}/file`, { headers: { 'x-api-key': key, ...headers } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

async function attachmentOf({ call }: { call: ReturnType<typeof service.caller> }, name = 'shelf.png'): Promise<Body> {
  const { body, status } = await call('POST', '/v1/attachment', { name, url: 'https://shop.example.com/a.png' })
  assert.equal(status, 201)
  return body
}

const filesOf = async (companyId: string) =>
  (
    await service.database.query(
      `select (select count(*)::int from attachment_files where company_id = $1),
         (select count(*)::int from attachment_file_pieces where company_id = $1)`,
      [companyId],
    )
  )[0]

test('a file comes back as it was sent; the attachment and its event describe it', async () => {
  const company = await service.company()
  const { id, url } = await attachmentOf(company)
  assertProblem(await company.call('GET', `/v1/attachment/${id}/file`), 404, 'not_found')
  const answer = await put(company.key, id, png)
  assert.equal(answer.status, 200)
  const record = (await answer.json()) as Body
  const { uploadedAt, ...file } = record.file
  assert.deepEqual(file, { bytes: png.length, contentType: 'image/png', sha256: sha256(png) })
  assert.equal(uploadedAt, record.updatedAt)
  assert.equal(record.url, url)
  assert.deepEqual((await company.call('GET', `/v1/attachment/${id}`)).body, record)
  assert.equal(answer.headers.get('etag'), (await company.call('GET', `/v1/attachment/${id}`)).headers.get('etag'))

  const read = await get(company.key, id)
  assert.deepEqual([read.status, read.headers.get('content-type'), read.headers.get('content-length')], [200, 'image/png', String(png.length)]) // biome-ignore format: one thought
  assert.ok((await bytesOf(read)).equals(png))
  const etag = read.headers.get('etag') ?? ''
  assert.equal((await get(company.key, id, { 'if-none-match': etag })).status, 304)

  const { body } = await company.call('GET', '/v1/events?limit=100&type=attachment.updated')
  const [event] = body.data
  assert.deepEqual([event.data.file, event.previous], [record.file, { file: null }])
  // A client that repeats itself changes nothing.
  assert.deepEqual(await (await put(company.key, id, png)).json(), record)
  assert.deepEqual(await filesOf(company.id), [1, 3])
})

test('another file replaces it, a removed one is gone, and the member file is ignored if a caller sends it', async () => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  await put(company.key, id, png)
  const other = Buffer.from('another')
  const answer = await put(company.key, id, other, { 'content-type': 'Text/Plain; charset=utf-8' })
  assert.equal(((await answer.json()) as Body).file.contentType, 'text/plain; charset=utf-8')
  const read = await get(company.key, id)
  assert.equal(read.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(read.headers.get('content-disposition') ?? '', /^attachment; /)
  assert.ok((await bytesOf(read)).equals(other))
  const { body } = await company.call('PATCH', `/v1/attachment/${id}`, { name: 'new', file: { bytes: 1 } })
  assert.deepEqual([body.name, body.file.bytes], ['new', other.length])
  const removed = await company.call('DELETE', `/v1/attachment/${id}/file`)
  assert.deepEqual([removed.status, removed.body.file, removed.body.name], [200, undefined, 'new'])
  assertProblem(await company.call('DELETE', `/v1/attachment/${id}/file`), 404, 'not_found')
  assert.equal((await get(company.key, id)).status, 404)
})

test('a text keeps its charset and no other parameter, other types keep none, and none of them runs', async () => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  for (const [sent, kept] of [
    ['text/plain; format=flowed; Charset="ISO-8859-1"', 'text/plain; charset=iso-8859-1'],
    ['text/html;charset=utf-8; a=b', 'text/html; charset=utf-8'],
    ['text/csv; charset="utf 8"', 'text/csv'],
    ['text/csv; charset=', 'text/csv'],
    ['text/csv; charset=<b>', 'text/csv'],
    [`text/csv; charset=${'x'.repeat(41)}`, 'text/csv'],
    ['text/csv; acharset=x', 'text/csv'],
    ['image/png; charset=utf-8', 'image/png'],
  ] as const) {
    const answer = await put(company.key, id, 'Grüße', { 'content-type': sent })
    assert.equal(((await answer.json()) as Body).file.contentType, kept)
    const { headers } = await get(company.key, id)
    assert.equal(headers.get('content-type'), kept)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';.*sandbox$/)
    assert.match(headers.get('content-disposition') ?? '', kept === 'image/png' ? /^inline; / : /^attachment; /)
  }
})

test('files without an attachment are removed: replaced ones once nobody reads them, those of deleted attachments, uploads that broke off', async () => {
  const company = await service.company()
  const kept = await attachmentOf(company)
  const deleted = await attachmentOf(company)
  const broken = await attachmentOf(company)
  await put(company.key, kept.id, png)
  await put(company.key, kept.id, 'kept')
  await put(company.key, deleted.id, png)
  await new Promise<void>((resolve) => {
    const sending = request(`${service.url}/v1/attachment/${broken.id}/file`, {
      method: 'PUT',
      headers: { 'x-api-key': company.key, 'content-type': 'image/png', 'content-length': 5_000_000 },
    })
    sending.on('error', () => resolve())
    sending.write(png, () => setImmediate(() => sending.destroy()))
  })
  assert.equal((await company.call('DELETE', `/v1/attachment/${deleted.id}`)).status, 200)
  assert.equal((await company.call('GET', `/v1/attachment/${broken.id}`)).body.file, undefined)
  await service.database.query(`update attachment_files set leased_until = now() where company_id = $1 and not is_stored`, [company.id]) // biome-ignore format: one thought
  const clearing = keepClearingFiles(service.database, (error) => assert.fail(String(error)))
  await until('only the file that is kept is there', async () => {
    const [files, chunks] = (await filesOf(company.id)) as [number, number]
    return files === 1 && chunks === 1
  })
  await clearing.stop()
  assert.equal(await (await get(company.key, kept.id)).text(), 'kept')
})

test('the search for files without an attachment reads no other attachments', {
  skip: testMode() === 'citus',
}, async () => {
  const company = await service.company()
  await put(company.key, (await attachmentOf(company)).id, png)
  await service.database.query(
    `insert into attachments (company_id, id, body, created_at, updated_at, name, account_id)
     select $1, lpad(to_hex(n), 24, '0'), '{}', '2026', '2026', 'x', '' from generate_series(1, 20000) as n`,
    [company.id],
  )
  await service.database.query('analyze attachments, attachment_files')
  const plan = Promise.withResolvers<string>()
  const database = Object.assign(Object.create(service.database), {
    query: async (text: string) => {
      plan.resolve((await service.database.query(`explain ${text}`)).join('\n'))
      return []
    },
  })
  const clearing = keepClearingFiles(database, plan.reject)
  await plan.promise.finally(() => clearing.stop())
  assert.doesNotMatch(await plan.promise, /Scan on attachments\b/)
})

test('a file that is too long, empty, of no type or of JSON is refused, and nothing of it stays', async () => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  const refused = async (bytes: Buffer | string, headers: Record<string, string>, status: number) => {
    const answer = await put(company.key, id, bytes, headers)
    assert.equal(answer.status, status, JSON.stringify(headers))
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  }
  await refused(Buffer.alloc(26 * 1024 * 1024), {}, 413)
  await refused('', {}, 400)
  await refused('{}', { 'content-type': 'application/json' }, 415)
  await refused('x', { 'content-type': 'picture' }, 415)
  await refused('x', { 'content-encoding': 'gzip' }, 415)
  // A form would be stored with its boundaries, and come back as something that no program opens.
  await refused('--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }, 415)
  assertProblem(await company.call('PUT', '/v1/attachment/6740a1f2c3d4e5f6a7b8c9d0/file', {}), 415)
  assert.equal((await put(company.key, '6740a1f2c3d4e5f6a7b8c9d0', 'x')).status, 404)
  assert.equal((await put(company.key, 'x', 'x')).status, 404)
  assert.deepEqual(await filesOf(company.id), [0, 0])
  assert.equal((await put(company.key, id, 'x', { 'if-match': '"other"' })).status, 412)
  assert.deepEqual(await filesOf(company.id), [0, 0])
})

test('a key without update sends no file, one without read gets none, and another company’s file is not found', async () => {
  const own = await service.company()
  const other = await service.company()
  const { id } = await attachmentOf(own)
  await put(own.key, id, png)
  const reader = await service.keyFor(own.id, ['read'])
  const writer = await service.keyFor(own.id, ['update'])
  assert.equal((await put(reader.value, id, 'x')).status, 403)
  assertProblem(await reader.call('DELETE', `/v1/attachment/${id}/file`), 403)
  assert.equal((await get(writer.value, id)).status, 403)
  assert.equal((await put(other.key, id, 'x')).status, 404)
  for (const path of [`/v1/attachment/${id}/file`, `/v1/attachment/${id}/file/link`])
    assertProblem(await other.call('GET', path), 404, 'not_found')
  assertProblem(await other.call('DELETE', `/v1/attachment/${id}/file`), 404, 'not_found')
  assert.ok((await bytesOf(await get(own.key, id))).equals(png))
})

test('of two files that arrive at once, one is stored completely; a key that is deleted during an upload stores nothing', async () => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  const files = Array.from({ length: 6 }, () => randomBytes(600_000))
  const answers = await Promise.all(files.map((bytes) => put(company.key, id, bytes)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const left = await bytesOf(await get(company.key, id))
  assert.ok(files.some((bytes) => bytes.equals(left)))

  const { value, id: keyId } = await service.keyFor(company.id, ['update'])
  const sending = request(`${service.url}/v1/attachment/${id}/file`, {
    method: 'PUT',
    headers: { 'x-api-key': value, 'content-type': 'image/png', 'content-length': 1_000_000 },
  })
  sending.on('error', () => {})
  const answered = new Promise<number | undefined>((resolve) => sending.on('response', ({ statusCode }) => resolve(statusCode))) // biome-ignore format: one thought
  sending.write(Buffer.alloc(400_000))
  await until('the first chunk is stored', async () => {
    const rows = await service.database.query('select 1 from attachment_file_pieces join attachment_files as file on file.id = file_id where file.company_id = $1 and file.bytes = 1000000', [company.id]) // biome-ignore format: one thought
    return rows.length > 0
  })
  await deleteKey(service.database, keyId)
  await until('the server has heard of it', async () => (await get(value, id)).status === 401)
  sending.end(Buffer.alloc(600_000))
  assert.equal(await answered, 401)
  assert.ok((await bytesOf(await get(company.key, id))).equals(left))
})

test('a repetition under an idempotency key is done once, and the key is bound to the bytes', async () => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  const headers = { 'idempotency-key': 'picture 1' }
  const first = await put(company.key, id, png, headers)
  const again = await put(company.key, id, png, headers)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(await again.text(), await first.text())
  assert.equal((await put(company.key, id, 'other', headers)).status, 422)
})

test('a repetition gets the same response if the first request has changed the version or the attachment is gone', async () => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  const { headers: read } = await company.call('GET', `/v1/attachment/${id}`)
  const headers = { 'idempotency-key': 'picture 1', 'if-match': String(read.get('etag')) }
  const first = await (await put(company.key, id, png, headers)).text()
  const again = async (headers: Record<string, string>, file = png) => {
    const reply = await put(company.key, id, file, headers)
    return [reply.status, reply.headers.get('idempotent-replayed'), await reply.text()]
  }
  assert.deepEqual(await again(headers), [200, 'true', first])
  assert.equal((await again({ ...headers, 'idempotency-key': 'picture 2' }))[0], 412)
  await company.call('DELETE', `/v1/attachment/${id}`)
  assert.deepEqual(await again(headers), [200, 'true', first])
  assert.equal((await again(headers, Buffer.from('other')))[0], 422)
})

test('a link works without a key until it expires; a wrong one, and one for what was removed, does not', async (t) => {
  const company = await service.company()
  const { id } = await attachmentOf(company, 'Größe 1".svg')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await put(company.key, id, svg, { 'content-type': 'image/svg+xml' })
  const { path, expiresAt } = (await company.call('GET', `/v1/attachment/${id}/file/link`)).body
  assert.ok(Date.parse(expiresAt) > Date.now())
  const read = await fetch(service.url + path)
  assert.ok((await bytesOf(read)).equals(svg))
  // Opened as a page, it would run in the origin of the console.
  assert.match(read.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.equal(read.headers.get('x-content-type-options'), 'nosniff')
  const known = await fetch(service.url + path, { headers: { 'if-none-match': String(read.headers.get('etag')) } })
  assert.equal(known.status, 304)
  // A shared cache would serve it beyond the link's end.
  for (const { headers } of [read, known]) assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.equal(read.headers.get('content-disposition'), `attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201%22.svg`)
  for (const wrong of ['x', `${path.slice(17)}x`, path.slice(17, -3)])
    assert.equal((await fetch(`${service.url}/v1/public/file/${wrong}`)).status, 404, wrong)
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(expiresAt) + 1 })
  assert.equal((await fetch(service.url + path)).status, 404)
  t.mock.timers.reset()
  await company.call('DELETE', `/v1/attachment/${id}/file`)
  assert.equal((await fetch(service.url + path)).status, 404)
})

test('files move with the company', async (t) => {
  const company = await service.company()
  const { id } = await attachmentOf(company)
  await put(company.key, id, png)
  const file = `${await dataFolder(t)}/shop.ndjson`
  await exportCompany(service.database, { companyId: company.id, file })
  await importCompany(target.database, { file })
  const read = await get(company.key, id, {}, target.url)
  assert.ok((await bytesOf(read)).equals(png))
})
