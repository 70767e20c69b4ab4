// The package as a newcomer installs it: packed, installed into an empty project. Its guide and the first programs run there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testService } from '../../server/test/support/service.ts'
import { check, project, root, run } from './project.ts'
import { clientOf } from './support.ts'

const service = testService({ webhookAllow: ['127.0.0.1'], webhooks: {} })
const guide = readFileSync(join(root, 'docs/guides/sdk.md'), 'utf8')
const tenMinutes = join(root, 'docs/guides/ten-minutes')
const blocks = Array.from(guide.matchAll(/^```js\n(.*?)^```$/gms), ([, block = '']) => block)

let folder = ''
before(async () => {
  folder = await project()
  await cp(join(tenMinutes, 'shop.ts'), join(folder, 'shop.ts'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('the packed SDK has no dependencies; the blocks of its guide run, and are typed', async () => {
  const packed = JSON.parse(await readFile(join(folder, 'node_modules/@cashwrap/sdk/package.json'), 'utf8'))
  assert.deepEqual([packed.dependencies, packed.sideEffects], [undefined, false])
  assert.deepEqual(await readdir(join(folder, 'node_modules')), ['.bin', '.package-lock.json', '@cashwrap'])

  const { id, key } = await service.company()
  await writeFile(join(folder, 'try.mjs'), blocks.join('\n'))
  const printed = await run(folder, process.execPath, ['try.mjs'], {
    URL: service.url,
    KEY: key,
    ORG: service.organizationKey,
  })
  assert.match(printed, /^10\.00 "/)
  assert.match(printed, /^Wall clock\nCorner Shop\n/m)
  assert.match(printed, /\/email must /)
  assert.match(await readFile(join(folder, 'company.ndjson'), 'utf8'), /ann@example\.com/)
  const client = clientOf(service, { key })
  const [ann] = await client.customers.list().toArray()
  assert.deepEqual([ann?.email, ann?.tags], ['ann@example.com', ['regular', 'vip']])
  assert.deepEqual([await client.categories.list().toArray(), (await client.orders.list().page()).count], [[], 1])

  // Columns of the company's own.
  const table = await client.customTables.create({ name: 'loyalty' })
  const field = { tableId: table._id, required: false }
  const link = { referenceLinkedCollection: 'customers', referenceLinkedField: 'id' }
  await client.customTableFields.create({ ...field, name: 'customer', type: 'string', ...link })
  await client.customTableFields.create({ ...field, name: 'points', type: 'number' })
  const types = ['--url', service.url, '--out', 'cashwrap.d.ts']
  await run(folder, 'node_modules/.bin/cashwrap-types', types, { CASHWRAP_API_KEY: key })
  const program = `import { Cashwrap } from '@cashwrap/sdk'
    const client = new Cashwrap({ baseUrl: '' })
    const { loyalty } = await client.customers.get('${id}')
    export const points: number | undefined = loyalty?.points
    await client.customers.create({ firstName: 'Ann', loyalty: { points: 3 } })
    // @ts-expect-error: it is a number.
    await client.customers.update('1', { loyalty: { points: 'three' } })
    // @ts-expect-error: no such column.
    await client.customers.update('1', { loyalty: { colour: 'red' } })`
  await writeFile(join(folder, 'columns.ts'), program)
  await writeFile(join(folder, 'common.cts'), `import { Cashwrap } from '@cashwrap/sdk'\nnew Cashwrap({ baseUrl: '' })`)
  await check(folder, 'try.mjs', 'shop.ts', 'columns.ts', 'cashwrap.d.ts', 'common.cts')
})

test('a CommonJS program can require the SDK', async () => {
  const program = "console.log(typeof require('@cashwrap/sdk').Cashwrap)"
  await writeFile(join(folder, 'common.cjs'), program)
  assert.equal(await run(folder, process.execPath, ['common.cjs']), 'function\n')
})

test('cashwrap-types says why it wrote nothing: a wrong key, another service, or none', async () => {
  const { key } = await service.company()
  const other = createServer((_, response) => response.end('<h1>Hello</h1>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  for (const [url, given, said] of [
    [service.url, 'posk_no', /openapi\.json answered 401: The key is not valid/],
    [`http://127.0.0.1:${port}`, key, /is not the document of Cashwrap.*is --url right\?/],
    ['http://127.0.0.1:1', key, /cannot be read: .*(ECONNREFUSED|bad port)/],
  ] as const) {
    const types = run(folder, 'node_modules/.bin/cashwrap-types', ['--url', url], { CASHWRAP_API_KEY: given })
    await assert.rejects(types, said)
  }
  await new Promise((resolve) => other.close(resolve))
})

const printed = `sold: 30.00, change 20.00, 38 bags left
webhook: verified
product: Espresso beans
product: Filter
product: Grinder
product: Kettle
product: Mug
`

/** A port that nothing listens at. */
async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

for (const [language, file, program, ...needed] of [
  ['TypeScript', 'shop.ts', process.execPath],
  ['Python', 'shop.py', 'python3'],
  ['bash', 'shop.sh', 'bash', 'curl', 'jq', 'openssl'],
] as const) {
  const missing = [program, ...needed].find((one) => spawnSync(one, ['--version']).error)
  const skip = missing && `No ${missing} is found: \`apt-get install ${missing}\`.`
  test(`the first program in ${language} makes a product, sells it, verifies a webhook, reads all pages, and says why it is refused`, {
    skip,
  }, async () => {
    const company = await service.company()
    const cwd = file === 'shop.ts' ? folder : tenMinutes
    const env = { URL: service.url, KEY: company.key, PORT: await freePort() }
    assert.equal(await run(cwd, program, [file], env), printed)
    const { data } = await clientOf(service, company).automationTriggers.list().page()
    assert.deepEqual(data, [], 'It leaves no trigger.')
    await assert.rejects(run(cwd, program, [file], { ...env, KEY: 'posk_no' }), /The key is not valid/)
  })
}

test('the guide shows the programs exactly as they are in their files', async () => {
  const guide = await readFile(join(root, 'docs/guides/ten-minutes.md'), 'utf8')
  const shown = Array.from(guide.matchAll(/^```\w+\n(.*?)^```$/gms), ([, block]) => block)
  const files = ['shop.ts', 'shop.py', 'shop.sh'].map((file) => readFile(join(tenMinutes, file), 'utf8'))
  assert.deepEqual(shown, await Promise.all(files))
})
