// What is shipped is known: each package is in the bill of materials, with a licence that is allowed, and known vulnerabilities are found.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dataFolder } from './support/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs one of the programs as `npm run` does. */
const run = (name: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const program = join(root, 'server/dependencies', `${name}.ts`)
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
    const child = execFile(process.execPath, [program, ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })

const readLock = async () => JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))

test('every package that is shipped has an allowed licence, and one that has another, or none, is named and fails', async (t) => {
  const ours = await run('licences')
  assert.deepEqual([ours.code, ours.stderr], [0, ''])
  for (const name of ['fastify', 'pg', 'react', '@mantine/core', '@floating-ui/core'])
    assert.match(ours.stdout, new RegExp(`^${name} .* MIT `, 'm'))
  assert.doesNotMatch(ours.stdout, /^(typescript|vite|@biomejs\/biome) /m)
  const lock = await readLock()
  const file = join(await dataFolder(t), 'package-lock.json')
  for (const [name, license] of [
    ['fastify', 'GPL-3.0-only'],
    ['fastify', 'MIT AND GPL-3.0-only'],
    ['react', undefined],
  ] as const) {
    const path = `node_modules/${name}`
    const { license: _, ...entry } = lock.packages[path]
    await writeFile(file, JSON.stringify({ ...lock, packages: { ...lock.packages, [path]: { ...entry, license } } }))
    const other = await run('licences', [file])
    assert.equal(other.code, 1)
    assert.match(other.stderr, new RegExp(`^${name} ${entry.version} +${license ?? 'none'} `, 'm'))
  }
})

test('every installed package of the service is in the bill of materials, with the console’s libraries and the programs inside packages', async () => {
  const { code, stdout, stderr } = await run('sbom')
  assert.equal(code, 0, stderr)
  const bom = JSON.parse(stdout)
  assert.deepEqual([bom.bomFormat, bom.metadata.component.name], ['CycloneDX', 'cashwrap'])
  const refs: string[] = bom.components.map((component: any) => component['bom-ref'])
  assert.equal(new Set(refs).size, refs.length)
  // What Node finds on the disk, and not what the lock file says of itself.
  const { packages } = JSON.parse(await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8'))
  const installed = Object.entries<any>(packages).filter(([, { dev }]) => !dev)
  assert.ok(installed.length > 100)
  const missing = installed
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    .filter((ref) => !refs.includes(ref))
  assert.deepEqual(missing, [])
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const name of ['react', 'react-dom', '@mantine/core', '@tanstack/react-router', '@tabler/icons-react'])
    assert.ok(refs.includes(`${name}@${devDependencies[name]}`), name)
  assert.ok(!refs.some((ref) => /^(typescript|vite|playwright-core)@/.test(ref)))
  for (const name of ['postgresql', 'node'])
    assert.ok(
      refs.some((ref) => ref.startsWith(`${name}@`)),
      name,
    )
  for (const { ref, dependsOn } of bom.dependencies)
    for (const one of [ref, ...dependsOn])
      assert.ok(refs.includes(one) || one === bom.metadata.component['bom-ref'], one)
})

/** A registry that answers an audit with one advisory, or with a status of its own. */
async function registry(
  t: TestContext,
  answer: { status: number; severity?: string },
): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isAudit = request.url?.endsWith('/advisories/bulk')
      const advisory = {
        id: 1,
        url: 'https://advisories.example/1',
        title: 'Prototype pollution',
        vulnerable_versions: '*',
        severity: answer.severity,
      }
      response
        .writeHead(isAudit ? answer.status : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(isAudit && answer.severity ? { react: [advisory] } : {}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return {
    npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    npm_config_fetch_retries: '0',
    // npm keeps advisories by their ids.
    npm_config_cache: await dataFolder(t),
  }
}

test('the audit fails on a high finding, also in a library of the console, and not on a low one', async (t) => {
  const high = await run('audit', [], await registry(t, { status: 200, severity: 'high' }))
  assert.match(
    high.stdout,
    /^high: react: Prototype pollution \(https:\/\/advisories\.example\/1\)\nPackages: 1 vulnerable, 1 of them high or critical\.\n$/,
  )
  assert.equal(high.code, 1)
  const low = await run('audit', [], await registry(t, { status: 200, severity: 'low' }))
  assert.match(low.stdout, /^low: react: .*\nPackages: 1 vulnerable, 0 of them high or critical\.\n$/)
  assert.equal(low.code, 0)
})

test('where the registry has no audit service, the audit says that it was not run; where the service fails, it fails', async (t) => {
  const { code, stdout } = await run('audit', [], await registry(t, { status: 404 }))
  assert.equal(code, 0)
  assert.match(stdout, /^not run: the registry has no audit service/)
  const broken = await run('audit', [], await registry(t, { status: 500 }))
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /^The audit failed: /)
})
