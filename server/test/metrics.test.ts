// Metrics: what Prometheus reads of a server and of its workers, that it is true, documented, and names no company.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { backupFamilies } from '../src/database/backup/metrics.ts'
import { webhookFamilies } from '../src/features/webhooks/metrics.ts'
import { DatabaseMetrics } from '../src/metrics-of-server.ts'
import { scrape } from './support/metrics.ts'
import { skipOnCluster } from './support/nodes.ts'
import { cashwrap, emptyDatabase, type Program, serve, until } from './support/program.ts'
import { raw } from './support/raw.ts'
import { testService } from './support/service.ts'

const duration = 'http_server_request_duration_seconds'
const anyPort = '127.0.0.1:0'

/** Calls with the first company's key; on a connection of its own, so that any worker may get it. */
const call = ({ url, said }: Program, method: string, path: string, body?: unknown, headers = {}) =>
  fetch(url + path, {
    method,
    headers: { 'x-api-key': said.companyKey, connection: 'close', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).then(async (response) => ({ status: response.status, text: await response.text() }))

const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The names that docs/operations.md does not have. */
async function undocumented(names: readonly string[]): Promise<string[]> {
  const documented = await textOf('docs/operations.md')
  return names.filter((name) => !documented.includes(`\`${name}\``))
}

/** Metrics that docs/operations.md explains, and that a server does not have. */
async function missing(names: readonly string[]): Promise<string[]> {
  const [, section = ''] = /^## Metrics\n(.*?)^## /ms.exec(await textOf('docs/operations.md')) ?? []
  const explained = [...section.matchAll(/(?<=^\| )`(\w+)`|`((?:process|nodejs)_\w+)`/gm)].map(
    ([, ours, nodes]) => ours ?? nodes ?? '',
  )
  assert.ok(explained.length > 60)
  return explained.filter((name) => !names.includes(name))
}

/** Dashboard and alert rules name only metrics that exist, and each alert has a test. */
async function assertDeployed(names: readonly string[]): Promise<void> {
  const rules = await textOf('deploy/prometheus/cashwrap.rules.yml')
  const tests = await textOf('deploy/prometheus/cashwrap.rules.test.yml')
  const dashboard: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
    await textOf('deploy/grafana/cashwrap.json'),
  )
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  assert.ok(queries.length > 40)
  // Before the first 5xx there is no series, so without `vector(0)` the share would be "No data" instead of 0.
  for (const query of queries.filter((query) => query.includes('"5.."'))) assert.match(query, / or vector\(0\)\)/)
  // Names as series have them, and no label that is called like one.
  const named = (text: string) =>
    [...text.matchAll(/\b(?:cashwrap|http_server|db_client|process|nodejs)_\w+(?=[{[ )]|$)/gm)].map(([name]) => name)
  const series = [...queries, rules].flatMap(named).filter((name) => name !== 'db_client_connection_pool_name')
  assert.ok(series.length > 60)
  const unknown = series.filter(
    (name) => !names.includes(name) && !names.includes(name.replace(/_(bucket|sum|count)$/, '')),
  )
  assert.deepEqual(unknown, [])
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, alert = '']) => alert)
  assert.deepEqual(
    alerts.filter((alert) => !tests.includes(`alertname: ${alert}\n        exp_alerts:`)),
    [],
  )
}

test('a server counts requests, replays and refusals as they are, documents each metric, and names no company', async (t) => {
  const server = await serve(t, {
    ...(await emptyDatabase(t)),
    CASHWRAP_METRICS: anyPort,
    CASHWRAP_RATE_LIMIT: '5',
  })
  const { metrics, companyId, companyKey, organizationId } = server.said
  const created = await call(server, 'POST', '/v1/customer', { firstName: 'Ada' }, { 'idempotency-key': 'once' })
  const { id } = JSON.parse(created.text)
  assert.equal(
    (await call(server, 'POST', '/v1/customer', { firstName: 'Ada' }, { 'idempotency-key': 'once' })).status,
    201,
  )
  assert.equal((await call(server, 'GET', `/v1/customer/${id}`)).status, 200)
  assert.equal((await call(server, 'GET', `/v1/customer/${'0'.repeat(24)}`)).status, 404)
  assert.equal((await call(server, 'GET', '/v1/nothing')).status, 404)
  let refused = 0
  for (; refused === 0; ) {
    const { status, text } = await call(server, 'GET', '/v1/outlets')
    if (status !== 429) continue
    refused++
    assert.equal(JSON.parse(text).reason, 'key_rate')
  }

  const one = { http_request_method: 'GET', http_route: '/v1/customer/{id}' }
  let found = await scrape(metrics)
  // A request is counted once its connection has the whole response, which its client may see first; and background work uses connections too.
  await until('all requests are counted, and no connection is in use', async () => {
    found = await scrape(metrics)
    const refusals = found.sum(`${duration}_count`, { http_route: '/v1/outlets', http_response_status_code: '429' })
    return refusals === 1 && found.sum('db_client_connection_count', { db_client_connection_state: 'used' }) === 0
  })
  assert.equal(found.sum(`${duration}_count`, { ...one, http_response_status_code: '200' }), 1)
  assert.equal(found.sum(`${duration}_count`, { ...one, http_response_status_code: '404' }), 1)
  assert.equal(found.sum(`${duration}_bucket`, { ...one, le: '+Inf' }), 2)
  assert.equal(found.sum(`${duration}_count`, { http_route: '/v1/customer', http_response_status_code: '201' }), 2)
  assert.equal(found.sum(`${duration}_count`, { http_route: '', http_response_status_code: '404' }), 1)
  assert.equal(found.sum('http_server_active_requests'), 0)
  assert.equal(found.sum('cashwrap_idempotent_replays_total'), 1)
  assert.equal(found.sum('cashwrap_refusals_total', { reason: 'key_rate' }), refused)
  assert.equal(found.sum('cashwrap_refusals_total', { http_response_status_code: '503' }), 0)
  assert.ok((found.sum('cashwrap_batch_items_count') ?? 0) >= 2)
  assert.ok((found.sum('db_client_operation_duration_seconds_count', { error_type: '' }) ?? 0) > 10)
  assert.equal(found.sum('cashwrap_queue_waiting'), 0)
  assert.equal(found.sum('cashwrap_memory_budget_used_bytes'), 0)
  assert.equal(found.sum('cashwrap_database_up'), 1)
  assert.equal(found.sum('cashwrap_partitions_ahead', { table: 'events' }), 7)
  assert.equal(found.sum('cashwrap_build_info'), 1)
  assert.ok((found.sum('process_resident_memory_bytes') ?? 0) > 0)

  for (const secret of [companyId, companyKey, organizationId, id]) assert.ok(!found.text.includes(secret))
  assert.deepEqual(await undocumented(found.names), [])
  assert.ok((found.sum('process_start_time_seconds') ?? 0) > 0)
  const foreign = 'GET /metrics HTTP/1.1\r\nhost: shop.example:9464\r\nconnection: close\r\n\r\n'
  assert.equal((await raw(new URL(metrics).origin, foreign)).status, 421)

  const second = await cashwrap(['serve'], { CASHWRAP_METRICS: new URL(metrics).host, CASHWRAP_DATA: '/proc/none' })
  assert.equal(second.code, 1)
  assert.match(
    second.stderr,
    /^error: CASHWRAP_METRICS: metrics cannot be served on 127\.0\.0\.1:\d+: the port is taken\. .*\n$/,
  )
  assert.equal((await fetch(new URL('/v1/customers', metrics))).status, 404)
  assert.equal((await fetch(metrics, { method: 'POST' })).status, 405)
  assert.equal((await server.stop()).code, 0)
})

const skip = process.platform === 'linux' ? false : 'finds the worker in /proc'

test('one listener adds up all workers, and what a killed worker counted is not lost', { skip }, async (t) => {
  const server = await serve(t, { ...(await emptyDatabase(t)), CASHWRAP_METRICS: anyPort, CASHWRAP_WORKERS: '2' })
  const { metrics } = server.said
  const requests = 10
  const counted = async () =>
    (await scrape(metrics)).sum(`${duration}_count`, { http_route: '/v1/outlets', http_response_status_code: '200' })
  for (let n = 0; n < requests; n++) assert.equal((await call(server, 'GET', '/v1/outlets')).status, 200)
  await until('all requests are counted', async () => (await counted()) === requests)
  const before = await scrape(metrics)
  assert.equal(before.sum('cashwrap_workers'), 2)
  assert.equal(before.sum('cashwrap_worker_restarts_total'), 0)

  assert.deepEqual(await undocumented(before.names), [])
  assert.deepEqual(await missing(before.names), [])
  // The start of the first process, not a sum.
  assert.ok((before.sum('process_start_time_seconds') ?? 0) < Date.now() / 1000)
  await assertDeployed(before.names)
  const { pid } = server.process
  const [victim] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')
  process.kill(Number(victim), 'SIGKILL')
  await until('the worker is replaced', async () => {
    const { sum } = await scrape(metrics)
    return sum('cashwrap_worker_restarts_total') === 1 && sum('cashwrap_workers') === 2
  })
  assert.equal(await counted(), requests)
  // The successor counts on.
  for (let n = 0; n < requests; n++)
    await until('it answers', () =>
      call(server, 'GET', '/v1/outlets').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  await until('both count', async () => ((await counted()) ?? 0) >= 2 * requests)
})

test('a wrong value of CASHWRAP_METRICS is refused by name', () => {
  for (const value of ['9464', ':9464', '127.0.0.1', '127.0.0.1:65536', '::1:9464', 'http://127.0.0.1:9464', 'on'])
    assert.throws(() => readConfig({ CASHWRAP_METRICS: value }), {
      message: `CASHWRAP_METRICS is ${JSON.stringify(value)}; it must be an address and a port, such as 127.0.0.1:9464.`,
    })
  assert.equal(readConfig({}).metrics, undefined)
  assert.deepEqual(readConfig({ CASHWRAP_METRICS: '[::1]:9464' }).metrics, { host: '::1', port: 9464 })
  assert.deepEqual(readConfig({ CASHWRAP_METRICS: 'metrics:0' }).metrics, { host: 'metrics', port: 0 })
})

test('metrics at the port of the service are refused before anything starts; at another address of this machine they are not', () => {
  const refused = (settings: Record<string, string>) =>
    assert.throws(() => readConfig(settings), {
      message: 'CASHWRAP_METRICS uses the port of the service, 8080. Set another port there, or change PORT.',
    })
  refused({ CASHWRAP_METRICS: '127.0.0.1:8080' })
  refused({ CASHWRAP_METRICS: '0.0.0.0:8080', PORT: '8080' })
  refused({ CASHWRAP_METRICS: '10.0.0.5:8080', HOST: '0.0.0.0' })
  readConfig({ CASHWRAP_METRICS: '10.0.0.5:8080', HOST: '10.0.0.6' })
  readConfig({ CASHWRAP_METRICS: '127.0.0.1:0', PORT: '0' })
})

const service = testService()

test('what waits for receivers, and triggers that the service switched off, are counted', async () => {
  const { call, id } = await service.company()
  const value = async (name: string, labels: Record<string, string> = {}) => {
    const families = await webhookFamilies(service.database)
    const own = families.find((family) => family.name === name)?.values ?? []
    return own.find((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))?.value
  }
  const trigger = { triggerType: 'customer.*', triggerUrl: 'https://example.com/hook' }
  const made = await call('POST', '/v1/automation-trigger', trigger)
  assert.equal(made.status, 201, made.text)
  assert.equal(await value('cashwrap_triggers', { state: 'active' }), 1)
  const before = (await value('cashwrap_webhook_backlog_events', { kind: 'new' })) ?? 0
  for (const firstName of ['Ada', 'Grace']) await call('POST', '/v1/customer', { firstName })
  assert.equal(await value('cashwrap_webhook_backlog_events', { kind: 'new' }), before + 2)
  assert.ok(((await value('cashwrap_webhook_oldest_undelivered_seconds', { kind: 'new' })) ?? 0) > 0)

  await service.database.query(
    `update automation_triggers set body = (left(body::text, -1) || $2)::json where company_id = $1`,
    [id, ',"isActive":false,"inactiveReason":"Every call failed for 5 days."}'],
  )
  assert.equal(await value('cashwrap_triggers', { state: 'switched_off' }), 1)
  assert.equal(await value('cashwrap_webhook_backlog_events', { kind: 'new' }), 0)
  assert.equal(await value('cashwrap_webhook_oldest_undelivered_seconds', { kind: 'new' }), 0)
})

test('events that wait for a receiver are counted beside thousands of triggers without events, whose cursors are older', {
  skip: skipOnCluster,
}, async () => {
  const { call, id } = await service.company()
  await call('POST', '/v1/automation-trigger', { triggerType: '*', triggerUrl: 'https://example.com/hook' })
  const added = `insert into automation_triggers (company_id, id, body, position)
    select n::text, n::text, (select body from automation_triggers where company_id = $1), 0 from generate_series(1, 6000) as n`
  await service.database.query(added, [id])
  await service.database.query(`update automation_triggers set leased_by = 'a server' where company_id = $1`, [id])
  await call('POST', '/v1/customer', { firstName: 'Ada' })
  await service.database.transaction(async (transaction) => {
    const scans = `select max(idx_scan)::int from pg_stat_xact_user_tables where relname ~ '^events'`
    const [before] = await transaction.query(scans)
    const families = await webhookFamilies(transaction)
    const waiting = families.find(({ name }) => name === 'cashwrap_webhook_backlog_events')
    assert.equal(waiting?.values.find(({ labels }) => labels.kind === 'new')?.value, 1)
    const [after] = await transaction.query(scans)
    // Once for each of 5,000 triggers, however many are as far behind as the last, and twice again for the one that is behind:
    // its events are counted, and the first is dated. Where tables are distributed by company, all of them are looked at.
    assert.ok(after?.[0] - before?.[0] <= (transaction.isSharded ? 6_003 : 5_002))
  })
})

test('ages of the last backup and archived segment are absent before the first, and silent webhooks are seen', async () => {
  const { database } = service
  const samples = async () => (await backupFamilies(database)).map(({ values }) => values.map(({ value }) => value))
  assert.deepEqual((await samples())[0], [])
  // Without a backup, the age counts from the creation of the embedded database: an operator who never made one gets the alert.
  const [embedded] = await backupFamilies(database, true)
  const [row] = await database.query('select extract(epoch from now() - min(applied_at))::float8 from migrations')
  assert.ok(Math.abs(Number(embedded?.values[0]?.value) - row?.[0]) < 60)
  assert.deepEqual((await samples()).slice(2), [[0], [0]])
  await database.query(`insert into backups values (now() - interval '1 hour', '/backups/one', 1)`)
  await database.query(`insert into archive_gaps (began_at, reason) values (now(), 'full')`)
  await database.query(`insert into restores (restored_at, moment) values (now(), now())`)
  try {
    const [backup, , gap, silent] = await samples()
    assert.ok((backup?.[0] ?? 0) >= 3_600)
    assert.deepEqual([gap, silent], [[1], [1]])
  } finally {
    for (const table of ['backups', 'archive_gaps', 'restores']) await database.query(`delete from ${table}`)
  }
})

test('while the database is down or too old, a scrape says so and contains everything else', async (t) => {
  const log = pino({ level: 'silent' })
  const away = new DatabaseMetrics({ host: '/nowhere', user: 'nobody', database: 'none' }, log)
  t.after(() => away.close())
  const [up, ...others] = await away.read()
  assert.deepEqual([up?.name, up?.values[0]?.value, others], ['cashwrap_database_up', 0, []])
})
