// How the console is served: its page at each of its addresses, its immutable files, and nothing else.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { putInPlace, removeRemains } from '../../console/made-of.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** A GET that follows no redirect and decodes nothing. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    // `path` unchanged: a URL would resolve its dots.
    const { hostname, port } = new URL(service.url)
    request({ hostname, port, path, headers, method }, async (answer) => {
      const body = Buffer.concat(await Array.fromAsync(answer))
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string>, body })
    })
      .on('error', reject)
      .end()
  })
}

const page = async () => (await get('/console/')).body.toString()

test('the root redirects to the console', async () => {
  const { status, headers } = await get('/')
  assert.deepEqual([status, headers.location], [302, '/console/'])
})

test('the licences of the console’s libraries and of its font are served as text, and the page names them', async () => {
  const path = /<link rel="license" href="([^"]+)">/.exec(await page())?.[1] ?? ''
  const { status, headers, body } = await get(path)
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  for (const name of ['react', 'react-dom', '@mantine/core', '@tanstack/react-router'])
    assert.match(body.toString(), new RegExp(`^## ${name} - [0-9.]+ \\(MIT\\)\\n\\nMIT License`, 'm'), name)
  assert.match(body.toString(), /SIL OPEN FONT LICENSE Version 1\.1/)
})

test('each address of the console is its page, whatever its path, and loads nothing from elsewhere', async () => {
  const expected = await page()
  for (const path of [
    '/console/c/6740a1f2c3d4e5f6a7b8c9d0/customers?q=a&f=%7B%7D',
    '/console/link',
    '/console/a/b/c/d',
  ]) {
    const { status, headers, body } = await get(path)
    assert.equal(status, 200)
    assert.equal(body.toString(), expected)
    const policy = headers['content-security-policy'] ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['set-cookie'], undefined)
  }
  assert.doesNotMatch(expected, /<script(?![^>]* src=)/, 'the page holds no inline script')
  assert.doesNotMatch(expected, /(src|href)="https?:/)
})

test('browsers cache its files permanently, and get them compressed if they accept that', async () => {
  const [path = ''] = /\/console\/assets\/index-[\w-]+\.js/.exec(await page()) ?? []
  const plain = await get(path)
  assert.equal(plain.status, 200)
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['content-encoding'], undefined)
  const br = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
  assert.equal(br.headers['content-encoding'], 'br')
  assert.equal(br.headers.vary, 'accept-encoding')
  assert.deepEqual(brotliDecompressSync(br.body), plain.body)
  const gzip = await get(path, { 'accept-encoding': 'br;q=0, gzip' })
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(gzip.body), plain.body)
  const head = await get(path, {}, 'HEAD')
  assert.deepEqual([head.status, head.body.length], [200, 0])
})

test('a file of an old build is 404, and no path leads out of the built folder', async () => {
  for (const path of [
    '/console/assets/index-old.js',
    '/console/assets/../../package.json',
    '/console/assets/%2e%2e/%2e%2e/package.json',
  ])
    assert.equal((await get(path)).status, 404, path)
  for (const path of ['/console/../package.json', '/console/%2e%2e/package.json', '/console/.made-of'])
    assert.doesNotMatch((await get(path)).body.toString(), /"dependencies"|^[0-9a-f]{64}$/, path)
})

test('the page can only be read', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.ok([404, 405].includes((await get('/console/', {}, method)).status))
})

test('the description of resources includes the columns of the company’s own tables', async () => {
  const plain = await service.company()
  const extended = await service.company()
  const { body: table } = await extended.call('POST', '/v1/api/custom-table', { name: 'loyalty' })
  const field = { tableId: table._id.$oid, type: 'string' }
  await extended.call('POST', '/v1/api/custom-table-field', {
    ...field,
    name: 'customer',
    referenceLinkedCollection: 'customers',
  })
  await extended.call('POST', '/v1/api/custom-table-field', { ...field, name: 'tier' })
  await extended.call('POST', '/v1/api/custom-table-field', {
    ...field,
    name: 'shop',
    referenceLinkedCollection: 'outlets',
  })
  const membersOf = async ({ call }: typeof plain) => {
    const { status, body } = await call('GET', '/v1/console/resources')
    assert.equal(status, 200)
    const customers = body.data.find(({ many }: { many: string }) => many === 'customers')
    return new Map<string, any>(customers.members.map((member: { name: string }) => [member.name, member]))
  }
  const own = await membersOf(extended)
  const other = await membersOf(plain)
  const { tier, shop, ...others } = own.get('loyalty').schema.properties
  assert.deepEqual([tier['x-refers-to'], shop['x-refers-to'], others], [undefined, 'outlets', {}])
  assert.equal(other.has('loyalty'), false)
  assert.equal(own.get('createdAt').isServerOwned, true)
  assert.equal((await service.caller()('GET', '/v1/console/resources')).status, 401)
})

test('a build removes what a killed one left, and neither the console nor a build that is under way', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-console-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const name of ['dist', 'dist-left', 'dist-going', 'src'])
    await mkdir(join(folder, name, 'assets'), { recursive: true })
  const long = new Date(Date.now() - 2 * 60 * 60 * 1000)
  for (const name of ['dist', 'dist-left', 'src']) await utimes(join(folder, name), long, long)
  await removeRemains(folder)
  assert.deepEqual((await readdir(folder)).toSorted(), ['dist', 'dist-going', 'src'])
})

test('of builds that end at the same time one is put in place, whole, and no other is left', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-console-'))
  t.after(() => rm(folder, { recursive: true }))
  const place = join(folder, 'dist')
  const files = ['index.html', 'a.js', 'b.js']
  for (let round = 0; round < 20; round++) {
    const builds = ['dist-1', 'dist-2', 'dist-3'].map((name) => join(folder, name))
    for (const build of builds) {
      await mkdir(build)
      for (const file of files) await writeFile(join(build, file), build)
    }
    await Promise.all(builds.map((build) => putInPlace(build, place)))
    assert.deepEqual(await readdir(folder), ['dist'])
    const texts = await Promise.all(files.map((file) => readFile(join(place, file), 'utf8')))
    assert.ok(builds.includes(texts[0] as string) && new Set(texts).size === 1, texts.join())
  }
})
