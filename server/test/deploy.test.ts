// What deploy/ names exists: settings, files, commands, containers and ports. Nothing else would notice a wrong name before a deployment.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, readFile, stat } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { dist } from '../../console/made-of.ts'
import { settingNames } from '../src/settings.ts'
import { cashwrapEach } from './support/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string) => readFile(join(root, path), 'utf8')

interface ComposeService {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly command?: readonly string[]
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes?: Readonly<Record<string, unknown>>
  readonly networks?: Readonly<Record<string, unknown>>
}

async function composeFiles(): Promise<Map<string, ComposeFile>> {
  const files = await Array.fromAsync(glob('deploy/compose*.yml', { cwd: root }))
  return new Map(await Promise.all(files.map(async (file) => [file, parse(await textOf(file))] as const)))
}

/** Names that neither the settings have nor the image itself sets. */
const unknownSettings = (names: readonly string[]) =>
  names.filter((name) => ![...settingNames, 'CASHWRAP_COMMIT', 'NODE_ENV'].includes(name))

test('compose files name only settings, paths, volumes, networks and containers that exist', async () => {
  const files = await composeFiles()
  assert.deepEqual([...files.keys()].sort(), [
    'deploy/compose.caddy.yml',
    'deploy/compose.monitoring.yml',
    'deploy/compose.postgres.yml',
    'deploy/compose.yml',
  ])
  const base = files.get('deploy/compose.yml')
  for (const [file, { services, volumes, networks }] of files) {
    // An overlay is used with the base.
    const known = { ...base?.services, ...services }
    assert.deepEqual(unknownSettings(Object.keys(services.cashwrap?.environment ?? {})), [], file)
    for (const service of Object.values(services)) {
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) assert.ok(existsSync(join(root, 'deploy', source)), `${file}: ${source}`)
        else assert.ok(volumes && source in volumes, `${file}: ${source}`)
      }
      for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in known, `${file}: ${other}`)
      const joined = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {})
      for (const network of joined) assert.ok(network in { default: null, ...networks }, `${file}: ${network}`)
      if (service.image !== undefined) assert.match(service.image, /:v?\d/, 'a version, not the latest')
      if (service.build !== undefined)
        assert.ok(existsSync(join(root, 'deploy', service.build.context, service.build.dockerfile)))
    }
  }
})

test('each setting of the environment reaches the container, except those that the image sets', async () => {
  const { services } = (await composeFiles()).get('deploy/compose.yml') as ComposeFile
  const made = ['HOST', 'PORT', 'CASHWRAP_DATA']
  assert.deepEqual(
    services.cashwrap?.environment,
    Object.fromEntries(
      settingNames.filter((name) => !made.includes(name)).map((name) => [name, `\${${name}:-}`] as const),
    ),
  )
})

test('Prometheus, Grafana and Caddy find each other and the server where the compose files put them', async () => {
  const files = await composeFiles()
  const { prometheus, grafana, cashwrap } = files.get('deploy/compose.monitoring.yml')?.services ?? {}
  const [port] = /\d+$/.exec(cashwrap?.environment?.CASHWRAP_METRICS ?? '') ?? []
  const scraped = parse(await textOf('deploy/prometheus/prometheus.compose.yml'))
  assert.deepEqual(scraped.scrape_configs[0].static_configs[0].targets, [`cashwrap:${port}`])
  const alone = parse(await textOf('deploy/prometheus/prometheus.yml'))
  // Only the address differs.
  alone.scrape_configs[0].static_configs = scraped.scrape_configs[0].static_configs
  assert.deepEqual(scraped, alone)
  assert.ok(prometheus?.command?.includes('--config.file=/etc/prometheus/prometheus.compose.yml'))
  const { datasources } = parse(await textOf('deploy/grafana/provisioning/datasources/prometheus.yml'))
  assert.equal(datasources[0].url, 'http://prometheus:9090')
  const { providers } = parse(await textOf('deploy/grafana/provisioning/dashboards/cashwrap.yml'))
  assert.ok(grafana?.volumes?.some((volume) => volume.includes(`:${providers[0].options.path}/cashwrap.json:`)))

  const behind = files.get('deploy/compose.caddy.yml')?.services
  const trusted = behind?.cashwrap?.environment?.CASHWRAP_TRUST_PROXY
  assert.deepEqual(behind?.caddy?.networks, { edge: { ipv4_address: trusted } })
  const [, served] = /^ENV .*\bPORT=(\d+)/m.exec(await textOf('deploy/Dockerfile')) ?? []
  assert.match(await textOf('deploy/caddy/Caddyfile'), new RegExp(`reverse_proxy cashwrap:${served}\n`))
})

test('the chart is of this version, and names only settings, routes and ports that exist', async () => {
  const folder = 'deploy/helm/cashwrap'
  const { version } = JSON.parse(await textOf('package.json'))
  const chart = parse(await textOf(`${folder}/Chart.yaml`))
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
  const templates = await Array.fromAsync(glob(`${folder}/templates/*`, { cwd: root }))
  const text = (await Promise.all(templates.map(textOf))).join('\n')
  const named = [...text.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name)
  assert.deepEqual(named, ['DATABASE_URL', 'CASHWRAP_SECRET_KEY', 'CASHWRAP_METRICS'])
  assert.deepEqual(unknownSettings(named), [])
  // Settings that the chart or the image makes cannot be set twice.
  const schema = JSON.parse(await textOf(`${folder}/values.schema.json`))
  const reserved: string[] = schema.properties.env.propertyNames.not.enum
  assert.deepEqual(unknownSettings(reserved), [])
  assert.deepEqual(
    named.filter((name) => !reserved.includes(name)),
    [],
  )
  const { paths } = JSON.parse(await textOf('openapi.json'))
  const probed = [...text.matchAll(/path: (\/v1\S+)/g)].map(([, path = '']) => path)
  assert.equal(probed.length, 2)
  for (const path of probed) assert.ok(paths[path], path)
  const [, port] = /^ENV .*\bPORT=(\d+)/m.exec(await textOf('deploy/Dockerfile')) ?? []
  assert.match(text, new RegExp(`- name: http\n +containerPort: ${port}\n`))
  const [explained] = await cashwrapEach([[/args: \[(\w+)\]/.exec(text)?.[1] ?? '', '--help']], {})
  assert.equal(explained?.code, 0)
})

test('Patroni’s API, which can run programs, asks for a password before it changes something', async () => {
  const { restapi, postgresql } = parse(await textOf('deploy/patroni/patroni.yml'))
  const logins = [restapi.authentication, ...Object.values(postgresql.authentication)]
  assert.deepEqual(
    logins.map((login) => login?.password),
    ['REPLACE', 'REPLACE', 'REPLACE', 'REPLACE'],
  )
})

test('the alert rules name the job of every scrape configuration, including the chart’s ServiceMonitor', async () => {
  const rules = await textOf('deploy/prometheus/cashwrap.rules.yml')
  const named = new Set([...rules.matchAll(/\bjob="([^"]*)"/g)].map(([, job]) => job))
  const { scrape_configs: scraped } = parse(await textOf('deploy/prometheus/prometheus.yml'))
  assert.deepEqual([...named], [scraped[0].job_name])
  // The label of the Service from which Prometheus takes the job; by default the job is the name of the Service.
  const metrics = await textOf('deploy/helm/cashwrap/templates/metrics.yaml')
  const [, label] = /^ {2}jobLabel: (.+)$/m.exec(metrics) ?? []
  const parts = await textOf('deploy/helm/cashwrap/templates/_parts.tpl')
  assert.ok(label !== undefined && parts.includes(`${label}: {{ .Chart.Name }}\n`))
  const { name } = parse(await textOf('deploy/helm/cashwrap/Chart.yaml'))
  assert.deepEqual([...named], [name])
})

test('neither the image nor a commit gets the operator’s settings, dumps and company files', async () => {
  const written = ['deploy/.env', '.env', 'shops.dump.zst', 'backups/shop.ndjson', 'data/secret']
  const { stdout } = await promisify(execFile)('git', ['check-ignore', ...written], { cwd: root })
  assert.deepEqual(stdout.trim().split('\n'), written)
  const lines = (await textOf('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  // A pattern without **/ is about the root of the checkout alone.
  const isLeftOut = (path: string) => lines.some((line) => matchesGlob(path, line) || path.startsWith(`${line}/`))
  assert.deepEqual(
    written.filter((path) => !isLeftOut(path)),
    [],
  )
})

test('a console that root built is served by any user', async () => {
  const { mode } = await stat(dist)
  assert.equal(mode & 0o055, 0o055)
})

test('the image and the units set only settings that exist, and run commands that exist', async () => {
  const dockerfile = await textOf('deploy/Dockerfile')
  const units = await Promise.all(
    ['cashwrap', 'cashwrap-backup'].map((name) => textOf(`deploy/systemd/${name}.service`)),
  )
  const [, env = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? []
  const set = [
    env,
    ...units.flatMap((unit) => [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, value = '']) => value)),
  ]
  const names = set.flatMap((line) => [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name))
  assert.ok(names.includes('CASHWRAP_DATA') && names.includes('HOST'))
  assert.deepEqual(unknownSettings(names), [])

  const program = 'server/bin/cashwrap.js'
  assert.ok(existsSync(join(root, program)))
  const inBrackets = (instruction: RegExp): string[] => JSON.parse(instruction.exec(dockerfile)?.[1] ?? 'null')
  assert.deepEqual(inBrackets(/^ENTRYPOINT (.+)$/m), ['node', program])
  const [node, script, ...check] = inBrackets(/^HEALTHCHECK .*CMD (.+)$/m)
  assert.deepEqual([node, script], ['node', program])
  const started = units.map((unit) => (/^ExecStart=\S+\/node (.+)$/m.exec(unit)?.[1] ?? '').split(' '))
  assert.deepEqual(
    started.map(([path]) => path),
    [program, program],
  )
  const commands = [inBrackets(/^CMD (.+)$/m), check, ...started.map(([, ...words]) => words)]
  assert.deepEqual(
    commands.map(([name]) => name),
    ['serve', 'healthcheck', 'serve', 'backup'],
  )
  // Help is printed for a known command only.
  const explained = await cashwrapEach(
    commands.map(([name = '']) => [name, '--help']),
    {},
  )
  for (const [n, { code, stdout }] of explained.entries()) {
    assert.equal(code, 0)
    for (const option of commands[n]?.filter((word) => word.startsWith('--')) ?? []) assert.ok(stdout.includes(option))
  }
})
