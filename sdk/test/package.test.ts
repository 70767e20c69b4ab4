// The package as a newcomer installs it: packed, installed into an empty project, the guide's blocks run and type-checked.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testService } from '../../server/test/support/service.ts'
import { clientOf } from './support.ts'

const service = testService()
const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(root, 'docs/guides/sdk.md'), 'utf8')
const blocks = Array.from(guide.matchAll(/^```js\n(.*?)^```$/gms), ([, block = '']) => block)

/** Runs a program; fails with what it printed. */
async function run(cwd: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  // npm hands settings of the outer project to what it runs.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const ran = promisify(execFile)(program, args, { cwd, env: { ...Object.fromEntries(own), ...env } })
  const { stdout } = await ran.catch(({ stdout, stderr }) =>
    assert.fail(`${program} ${args.join(' ')}\n${stdout}${stderr}`),
  )
  return stdout
}

/** An empty project with the packed SDK. */
async function project(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-sdk-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await run(join(root, 'sdk'), 'npm', ['pack', '--pack-destination', folder])
  const [archive = ''] = await readdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "till", "type": "module", "private": true }')
  await run(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`])
  return folder
}

/** Type-checks files of a project as strictly as it can be, declarations of the SDK included. */
const check = (folder: string, ...files: string[]) =>
  run(folder, process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--allowJs', '--checkJs'],
    ...['--noImplicitAny', 'false', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable'],
    ...['--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), ...files],
  ])

test('the packed SDK has no dependencies; the blocks of its guide run, and are typed', async (t) => {
  const folder = await project(t)
  const packed = JSON.parse(await readFile(join(folder, 'node_modules/@cashwrap/sdk/package.json'), 'utf8'))
  assert.deepEqual([packed.dependencies, packed.sideEffects], [undefined, false])
  assert.deepEqual(await readdir(join(folder, 'node_modules')), ['.bin', '.package-lock.json', '@cashwrap'])

  const { id, key } = await service.company()
  await writeFile(join(folder, 'try.mjs'), blocks.join('\n'))
  const printed = await run(folder, process.execPath, ['try.mjs'], { URL: service.url, KEY: key })
  assert.match(printed, /^10\.00 "/)
  assert.match(printed, /\/email must /)
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
  await check(folder, 'try.mjs', 'columns.ts', 'cashwrap.d.ts')
})
