// Kill and restore: of ten thousand keyed writes under backup and archiving, each restore has exactly those that the feed had at its moment.
import assert from 'node:assert/strict'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cashwrap, clusterFolder, dataFolder, json, serve, until } from '../support/program.ts'

const WRITES = 10_000
const TILLS = 16

interface Event {
  readonly sequence: number
  readonly type: string
  readonly createdAt: string
  readonly recordId: string
  readonly data: any
}

/** A moment to restore to, and how many writes had been answered by then. */
interface Moment {
  readonly to: string
  readonly answered: number
}

/** Writes and reads of one server. As tills do, it sends a write again, under its key, while it is answered 503. */
function client(url: string, key: string) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<any> {
    for (;;) {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...more },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = await response.json()
      if (response.status < 300) return answer
      assert.equal(response.status, 503, JSON.stringify(answer))
    }
  }
  return {
    call,
    async feed(): Promise<Event[]> {
      const events: Event[] = []
      for (let after = '0', hasMore = true; hasMore; ) {
        const page = await call('GET', `/v1/events?limit=1000&after=${after}`)
        events.push(...page.data)
        after = page.meta.nextCursor
        hasMore = page.meta.hasMore
      }
      return events
    },
    async all(path: string): Promise<any[]> {
      const records: any[] = []
      for (let cursor = ''; ; ) {
        const page = await call('GET', `${path}?limit=1000&cursor=${cursor}`)
        records.push(...page.data)
        if (page.meta.nextCursor === undefined) return records
        cursor = page.meta.nextCursor
      }
    },
  }
}

/** Each record as the events say. */
function recordsOf(events: readonly Event[]): Map<string, any> {
  const records = new Map<string, any>()
  for (const { recordId, data } of events) records.set(recordId, data)
  return records
}

test('10,000 keyed writes, a kill of server and PostgreSQL, and restores to three moments', async (t) => {
  const data = await clusterFolder(t)
  const folder = await dataFolder(t)
  const backups = join(folder, 'backups')
  const archive = join(folder, 'archive')
  const environment = { CASHWRAP_DATA: data, CASHWRAP_ARCHIVE: archive, LOG_LEVEL: 'warn' }
  const first = await serve(t, environment)
  const key = first.said.companyKey
  const tills = client(first.url, key)

  // Each till creates a customer and then changes it. The backup begins after a tenth of the writes, and can be restored
  // to the moments after its end, however long it takes.
  let written = 0
  let next = WRITES / 2
  let isBackedUp = false
  const answered: string[] = []
  const moments: Moment[] = []
  let backup: Promise<any> | undefined
  async function till(number: number): Promise<void> {
    while (written < WRITES || moments.length < 2) {
      const n = written
      written += 2
      const write = async (method: string, path: string, body: unknown, key: string) => {
        const { id } = await tills.call(method, path, body, { 'idempotency-key': key })
        answered.push(`customer.${method === 'POST' ? 'created' : 'updated'} ${id}`)
        return id
      }
      const id = await write('POST', '/v1/customer', { firstName: `customer ${n}` }, `${number}-${n}`)
      await write('PATCH', `/v1/customer/${id}`, { lastName: `changed ${n}` }, `${number}-${n + 1}`)
      if (n >= WRITES / 10)
        backup ??= json(environment, 'backup', backups).finally(() => {
          isBackedUp = true
        })
      if (isBackedUp && n > next && moments.length < 2) {
        // The clock shows whole milliseconds: in the next one all of these are committed.
        moments.push({ to: new Date(Date.now() + 1).toISOString(), answered: answered.length })
        next = n + WRITES / 4
      }
    }
  }
  await Promise.all(Array.from({ length: TILLS }, (_, number) => till(number)))
  await backup
  const events = await tills.feed()
  // PostgreSQL's own process first, then the server, so that neither can finish anything.
  const [pid] = (await readFile(join(data, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await first.stop('SIGKILL')
  // What was not archived when they died is on the disk; the next start archives it.
  const second = await serve(t, environment)
  await until('all is archived', async () => (await readdir(archive, { recursive: true })).length > 1)
  assert.equal((await client(second.url, key).feed()).length, events.length)
  await second.stop()

  for (const { to, answered: count } of [...moments, { to: undefined, answered: answered.length }]) {
    const into = join(await dataFolder(t), 'restored')
    const before = performance.now()
    const { moment } = await json(
      environment,
      'restore',
      backups,
      '--into',
      into,
      ...(to === undefined ? [] : ['--to', to]),
    )
    t.diagnostic(`restored to ${moment} in ${((performance.now() - before) / 1000).toFixed(1)} s`)
    await copyFile(join(data, 'secret'), join(into, 'secret'))
    const server = await serve(t, { CASHWRAP_DATA: into, LOG_LEVEL: 'warn' })
    const restored = client(server.url, key)
    const feed = await restored.feed()
    // The feed of that moment is a part of the whole one; nothing that was answered before the moment is missing.
    const known = new Set(events.map(({ sequence }) => sequence))
    assert.ok(feed.every(({ sequence }) => known.has(sequence)))
    const has = new Set(feed.map(({ type, recordId }) => `${type} ${recordId}`))
    const missing = answered.slice(0, count).filter((write) => !has.has(write))
    assert.deepEqual(missing, [])
    if (to !== undefined) assert.ok(feed.every(({ createdAt }) => createdAt <= to))
    const expected = recordsOf(feed.filter(({ type }) => type.startsWith('customer.')))
    const found = await restored.all('/v1/customers')
    assert.equal(found.length, expected.size)
    for (const record of found) assert.deepEqual(record, expected.get(record.id))
    t.diagnostic(`${found.length} customers and ${feed.length} of ${events.length} events, as the feed says`)
    await server.stop()
  }
  assert.equal((await cashwrap(['backup', 'verify', backups], {})).code, 0)
})
