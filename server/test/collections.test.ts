// `npm run collections` writes what HTTP clients can import: each request that a key can make, complete enough to be sent as it is.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { apiDocument } from '../src/app.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const script = fileURLToPath(new URL('../collections/write.ts', import.meta.url))
let folder: string
let postman: any
/** The Bruno files by path. */
const bruno: Record<string, string> = {}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cashwrap-collections-'))
  await promisify(execFile)(process.execPath, [script, folder])
  postman = JSON.parse(await readFile(join(folder, 'cashwrap.postman_collection.json'), 'utf8'))
  for (const path of await readdir(join(folder, 'bruno'), { recursive: true }))
    if (path.endsWith('.bru')) bruno[path] = await readFile(join(folder, 'bruno', path), 'utf8')
})
after(() => rm(folder, { recursive: true }))

const requests = () => postman.item.flatMap(({ item }: any) => item)

test('each operation that a key can call, or any caller, is in both collections', () => {
  const operations = Object.entries<any>(apiDocument().paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { security }]) =>
      security.length === 0 || JSON.stringify(security) !== '[{"signIn":[]}]' ? `${method.toUpperCase()} ${path}` : [],
    ),
  )
  const inBraces = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')
  const ofPostman = requests().map(({ request: { method, url } }: any) => `${method} /${inBraces(url.path.join('/'))}`)
  const ofBruno = Object.values(bruno).flatMap((text) => {
    const [, method = '', path = ''] =
      /^(get|post|put|patch|delete) \{\n {2}url: \{\{baseUrl\}\}(\S+)$/m.exec(text) ?? []
    return method === '' ? [] : `${method.toUpperCase()} ${inBraces(path)}`
  })
  assert.ok(operations.length > 300)
  assert.deepEqual(ofPostman.sort(), operations.toSorted())
  assert.deepEqual(ofBruno.sort(), operations.toSorted())
})

test('creates of both collections are accepted as they are, with a key as the only value that is filled in', async () => {
  const { key } = await service.company()
  const filled = (text: string) => text.replaceAll('{{apiKey}}', key).replaceAll('{{baseUrl}}', service.url)
  const send = async (method: string, url: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(filled(url), {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    assert.equal(response.status, 201, `${url}: ${await response.text()}`)
  }
  for (const name of ['Create a customer', 'Create a product', 'Create an order']) {
    const { method, url, header, body } = requests().find((one: any) => one.name === name).request
    const sent = header.filter(({ disabled }: any) => !disabled).map(({ key, value }: any) => [key, filled(value)])
    await send(method, url.raw, Object.fromEntries(sent), body.raw)

    const text = Object.entries(bruno).find(([path]) => path.endsWith(`/${name}.bru`))?.[1] ?? ''
    const blockOf = (block: string) => new RegExp(`^${block} \\{\\n([^]*?)\\n\\}$`, 'm').exec(text)?.[1] ?? ''
    assert.match(blockOf('headers'), /^ {2}x-api-key: \{\{apiKey\}\}$/m)
    assert.match(blockOf('headers'), /^ {2}~Idempotency-Key: /m)
    const [, path = ''] = /url: (\S+)/.exec(blockOf('post')) ?? []
    await send('POST', path, { 'x-api-key': key }, blockOf('body:json'))
  }
})
