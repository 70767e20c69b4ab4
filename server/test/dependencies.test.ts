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
import { auditResult } from '../dependencies/audit-report.ts'
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
  const wrong = { fastify: 'GPL-3.0-only', pg: 'MIT AND GPL-3.0-only', react: undefined }
  for (const [name, license] of Object.entries(wrong)) lock.packages[`node_modules/${name}`].license = license
  const file = join(await dataFolder(t), 'package-lock.json')
  await writeFile(file, JSON.stringify(lock))
  const other = await run('licences', [file])
  assert.equal(other.code, 1)
  for (const [name, license = 'none'] of Object.entries(wrong)) {
    const { version } = lock.packages[`node_modules/${name}`]
    assert.match(other.stderr, new RegExp(`^${name} ${version} +${license} `, 'm'))
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

/** A registry that answers an audit with one high advisory. */
async function registry(t: TestContext): Promise<Record<string, string>> {
  const advisory = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Prototype pollution',
    vulnerable_versions: '*',
    severity: 'high',
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isAudit = request.url?.endsWith('/advisories/bulk')
      response
        .writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(isAudit ? { react: [advisory] } : {}))
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

test('the audit fails on a high finding, also in a library of the console', async (t) => {
  const { code, stdout } = await run('audit', [], await registry(t))
  assert.match(
    stdout,
    /^high: react: Prototype pollution \(https:\/\/advisories\.example\/1\)\nPackages: 1 vulnerable, 1 of them high or critical\.\n$/,
  )
  assert.equal(code, 1)
})

/** A report as npm 11 writes it: of a package with an advisory, and one that depends on it. */
const reportOf = (severity: string): string => {
  const advisory = {
    source: 1,
    name: 'react',
    dependency: 'react',
    title: 'Prototype pollution',
    url: 'https://advisories.example/1',
    severity,
    range: '*',
  }
  const found = { severity, isDirect: true, effects: [], fixAvailable: false }
  return JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      '@mantine/core': {
        name: '@mantine/core',
        ...found,
        via: ['react'],
        range: '',
        nodes: ['node_modules/@mantine/core'],
      },
      react: { name: 'react', ...found, via: [advisory], range: '*', nodes: ['node_modules/react'] },
    },
  })
}

/** What npm 11 writes if the registry answers with an error. */
const errorOf = (statusCode: number, reason: string): string => {
  const uri = 'http://127.0.0.1:1/-/npm/v1/security/advisories/bulk'
  return JSON.stringify({ message: `${statusCode} ${reason} - POST ${uri}`, method: 'POST', uri, statusCode, body: {} })
}

test('the audit fails on critical findings, passes on low ones or none, and lists only packages with an advisory of their own', () => {
  const line = (severity: string) => `${severity}: react: Prototype pollution (https://advisories.example/1)`
  assert.deepEqual(auditResult(reportOf('critical')), {
    code: 1,
    lines: [line('critical'), 'Packages: 1 vulnerable, 1 of them high or critical.'],
  })
  assert.deepEqual(auditResult(reportOf('low')), {
    code: 0,
    lines: [line('low'), 'Packages: 1 vulnerable, 0 of them high or critical.'],
  })
  assert.deepEqual(auditResult('{"auditReportVersion":2,"vulnerabilities":{}}'), {
    code: 0,
    lines: ['Packages: 0 vulnerable, 0 of them high or critical.'],
  })
})

test('without an audit service at the registry, the audit says that it was not run; if the service fails, the audit fails', () => {
  const { code, lines, failure } = auditResult(errorOf(404, 'Not Found'))
  assert.deepEqual([code, lines.length, failure], [0, 1, undefined])
  assert.match(lines[0] as string, /^not run: the registry has no audit service/)
  for (const [stdout, stderr, reason] of [
    [errorOf(500, 'Internal Server Error'), '', /^The audit failed: 500 Internal Server Error/],
    ['', 'npm error code EUSAGE', /^The audit failed: npm error code EUSAGE$/],
  ] as const) {
    const broken = auditResult(stdout, stderr)
    assert.deepEqual([broken.code, broken.lines], [1, []])
    assert.match(broken.failure ?? '', reason)
  }
})
