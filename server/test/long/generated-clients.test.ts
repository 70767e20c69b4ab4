// Clients can be generated from the document: two generators read it without an error, and TypeScript compiles what they write.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = (script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root })

const compilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  skipLibCheck: false,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
}

/** A program that uses what was generated; the lines marked must not compile. */
const usage = {
  'openapi-typescript': `
    import type { paths, webhooks } from './types.js'
    type Created = paths['/v1/customer']['post']['responses']['201']['content']['application/json']
    export const idOf = ({ id }: Created): string => id
    type Call = webhooks['customer.created']['post']['requestBody']['content']['application/json']
    export const typeOf = ({ eventType }: Call): 'customer.created' => eventType
    // @ts-expect-error It has no such member.
    export const wrong = ({ colour }: Created) => colour
    type Changes = paths['/v1/customer/{id}']['patch']['requestBody']['content']['application/json']
    export const changes: Changes[] = [{ lastAction: '2026-11-20' }, { lastAction: null }]
    // @ts-expect-error A time is a text.
    export const wrongTime: Changes = { lastAction: 5 }`,
  'openapi-ts': `
    import { type CustomerCreateBulk, type CustomerCreatedWebhook, createCustomer } from './client/index.js'
    export const items: CustomerCreateBulk = { items: [{ email: 'ann@example.com', clientRef: 'row-1' }] }
    export const created = async (): Promise<string | undefined> =>
      (await createCustomer({ body: { email: 'ann@example.com' } })).data?.id
    export const typeOf = ({ eventType }: CustomerCreatedWebhook): 'customer.created' => eventType
    // @ts-expect-error It has no such member.
    export const wrong: CustomerCreateBulk = { items: [{ colour: 'red' }] }`,
}

for (const [name, generate] of [
  [
    'openapi-typescript',
    (folder: string) => run('openapi-typescript/bin/cli.js', 'openapi.json', '-o', `${folder}/types.d.ts`),
  ],
  [
    'openapi-ts',
    (folder: string) =>
      run('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', `${folder}/client`, '--silent'),
  ],
] as const)
  test(`a client that ${name} generates compiles, with the types of requests, responses and webhooks`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cashwrap-client-'))
    t.after(() => rm(folder, { recursive: true }))
    await generate(folder)
    await writeFile(join(folder, 'usage.ts'), usage[name])
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*'] }))
    const { stdout } = await run('@typescript/native/bin/tsc', '-p', folder).catch((error) => error)
    assert.equal(stdout, '')
  })
