// The packed SDK outside of Node: in a page of another origin, and in Deno and Bun where they are installed. One program runs in each.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { browserTest, testBrowser } from '../../server/test/support/browser.ts'
import { testService } from '../../server/test/support/service.ts'
import { project, run } from './project.ts'

let folder = ''
/** Pages of a web shop, at two origins; only the first may call the service. */
const pages = [servedPages(), servedPages()]
const [listed = '', other = ''] = await Promise.all(
  pages.map(async (server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }),
)
const service = testService({ corsOrigins: [listed] })
const browser = testBrowser(service)

/** Creates, lists, edits, follows and fails, and returns what it saw. */
const program = `import { Cashwrap } from '@cashwrap/sdk'
export default async function (baseUrl, apiKey) {
  const client = new Cashwrap({ baseUrl, apiKey })
  const { id } = await client.customers.create({ firstName: 'Ann', tags: ['regular'] })
  await client.customers.edit(id, ({ tags }) => ({ tags: [...tags, 'vip'] }))
  await client.customers.createMany([{ firstName: 'Bea' }, { firstName: 'Cem' }])
  const names = []
  for await (const { firstName } of client.customers.list({ limit: 2 })) names.push(firstName)
  const { data, etag } = await client.customers.get(id).withResponse()
  const refused = await client.customers.create({ email: 'no address' }).catch((error) => error)
  const types = []
  for await (const { type } of client.events.follow(0)) if (types.push(type) === 4) break
  return {
    ...{ names, tags: data.tags, hasEtag: etag !== undefined, types, code: refused.code },
    ...{ pointer: refused.errors[0].pointer, hasRequestId: refused.requestId !== undefined },
  }
}
`
const seen = {
  names: ['Ann', 'Bea', 'Cem'],
  tags: ['regular', 'vip'],
  hasEtag: true,
  types: ['customer.created', 'customer.updated', 'customer.created', 'customer.created'],
  code: 'validation_failed',
  pointer: '/email',
  hasRequestId: true,
}

before(async () => {
  folder = await project()
  await writeFile(join(folder, 'program.js'), program)
  const main = `import tryOut from './program.js'
    console.log(JSON.stringify(await tryOut(process.env.URL, process.env.KEY)))`
  await writeFile(join(folder, 'main.mjs'), `import process from 'node:process'\n${main}`)
})
after(async () => {
  for (const server of pages) server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A server of an empty page that knows the SDK by its name, of the program, and of the SDK's files. */
function servedPages() {
  const imports = { '@cashwrap/sdk': '/node_modules/@cashwrap/sdk/dist/index.js' }
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`
  return createServer(async ({ url = '/' }, response) => {
    response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
    response.end(url === '/' ? page : await readFile(join(folder, url)))
  })
}

browserTest(
  'in a page of an origin that the service lists, the SDK does what it does elsewhere; in others, nothing',
  async () => {
    const { key } = await service.company()
    const { page } = await browser.open()
    const outcome = `import('/program.js').then(({ default: tryOut }) => tryOut(${JSON.stringify(service.url)}, ${JSON.stringify(key)}))`
    await page.goto(listed)
    assert.deepEqual(await page.evaluate(outcome), seen)
    await page.goto(other)
    const client = `new Cashwrap({ baseUrl: ${JSON.stringify(service.url)}, apiKey: ${JSON.stringify(key)}, maxRetries: 0 })`
    const refused = await page.evaluate(
      `import('@cashwrap/sdk').then(({ Cashwrap }) => ${client}.customers.list().page()).catch(({ name }) => name)`,
    )
    assert.equal(refused, 'ConnectionError')
  },
)

for (const [runtime, ...args] of [['deno', 'run', '--allow-all'], ['bun']] as const)
  test(`in ${runtime}, the SDK does what it does elsewhere`, {
    skip: spawnSync(runtime, ['--version']).status !== 0 && `${runtime} is not installed`,
  }, async () => {
    const { key } = await service.company()
    const printed = await run(folder, runtime, [...args, 'main.mjs'], { URL: service.url, KEY: key })
    assert.deepEqual(JSON.parse(printed), seen)
  })
