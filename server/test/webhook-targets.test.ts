// Webhooks reach public addresses only (decisions §9): by the text of a URL, by its name at write, and by each connection's own lookup.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { sender } from '../src/features/webhooks/call.ts'
import { targets } from '../src/features/webhooks/target.ts'
import { resolver } from '../src/http/public-addresses.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { receiver } from './support/receiver.ts'
import { refusedTargets } from './support/refused-targets.ts'
import { testService } from './support/service.ts'

const addresses: Record<string, string[]> = {
  'public.example.com': ['8.8.8.8', '2606:4700::1111'],
  'private.example.com': ['10.1.2.3'],
  'half.example.com': ['8.8.8.8', '127.0.0.1'],
  'half6.example.com': ['8.8.8.8', 'fd00::1'],
  'mapped.example.com': ['::ffff:192.168.7.8'],
  'metadata.example.com': ['169.254.169.254'],
  'zone.example.com': ['fe80::1%eth0'],
}
/** The looked-up names, and a callback before they are found. */
const asked: string[] = []
let before = async (_name: string) => {}
const resolve = async (name: string): Promise<string[]> => {
  asked.push(name)
  await before(name)
  return addresses[name] ?? []
}
const service = testService({ resolveTarget: resolve })

/** The table in the documentation: each URL, and how its message ends. */
const documented = readFileSync(new URL('../../docs/webhook-targets.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, end = '', urls = ''] = /^\| (.+) \| (`.+`) \|$/.exec(line) ?? []
    return [...urls.matchAll(/`(.+?)`/g)].map(([, url = '']) => ({ url, end }))
  })

test('each target that is not public is refused, in every spelling, with a message that says why', () => {
  const { refusal } = targets({ allowed: [] })
  for (const [url, message] of refusedTargets) assert.equal(refusal(url), message, url)
})

test('each target that the documentation lists as refused is refused with the message given there', () => {
  const { refusal } = targets({ allowed: [] })
  assert.ok(documented.length >= 30)
  for (const { url, end } of documented) assert.ok(refusal(url)?.endsWith(end), `${url}: ${refusal(url)}`)
})

test('public addresses, and names that only resemble this machine’s, are accepted', () => {
  const { refusal } = targets({ allowed: [] })
  for (const url of [
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:8443/',
    'http://hooks.example.com./',
    'https://localhost.example.com/',
    'https://mylocalhost/',
    'https://8.8.8.8/',
    'http://1.1/',
    'https://9.255.255.255/',
    'https://11.0.0.0/',
    'https://100.63.255.255/',
    'https://100.128.0.0/',
    'https://126.255.255.255/',
    'https://128.0.0.0/',
    'https://172.15.255.255/',
    'https://172.32.0.0/',
    'https://192.167.255.255/',
    'https://192.169.0.0/',
    'https://198.20.0.0/',
    'https://223.255.255.255/',
    'https://[2606:4700::1111]/',
    'https://[2000::1]/',
    'https://[2001:200::1]/',
    'https://[3ffe::1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[2002:808:808::1]/',
  ])
    assert.equal(refusal(url), undefined, url)
})

test('every address of a network is refused from its first to its last, and allowed ones in every form', () => {
  const none = targets({ allowed: [] })
  for (const [first, last] of [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['[::]', '[0:0:0:0:0:0:0:ffff]'],
    ['[64:ff9b:1::]', '[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]'],
    ['[2001::]', '[2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff]'],
    ['[4000::]', '[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]'],
  ] as const)
    for (const host of [first, last]) assert.match(none.refusal(`http://${host}/`) ?? '', /must lead to a public/, host)

  const some = targets({ allowed: ['127.0.0.0/8', '10.0.0.7', 'fd00:1::/32', '::/128'] })
  for (const host of [
    ...['127.0.0.1', '127.255.0.1', '0x7f.1', '[::ffff:127.0.0.1]', '[64:ff9b::127.0.0.1]', '10.0.0.7'],
    ...['localhost', 'a.localhost.', '[fd00:1::5]', '[::]'],
  ])
    assert.equal(some.refusal(`http://${host}/`), undefined, host)
  for (const host of ['10.0.0.8', '[fd00:2::5]', '[::1]', '0.0.0.0', '169.254.169.254', '192.168.1.1'])
    assert.match(some.refusal(`http://${host}/`) ?? '', /must lead to a public/, host)
})

test('a name is refused if any of its addresses is not public, without showing the address; an unknown name is accepted', async () => {
  const { resolvedRefusal } = targets({ allowed: [], resolve })
  const of = (name: string) => resolvedRefusal(`https://${name}/hook`)
  const reported = (name: string, what: string) => `must lead to a public address; an address of ${name} ${what}`
  assert.equal(await of('public.example.com'), undefined)
  assert.equal(await of('nowhere.example.com'), undefined)
  for (const [name, what] of [
    ['private.example.com', 'is in a private network'],
    ['half.example.com', 'is loopback, the machine itself'],
    ['half6.example.com', 'is in a private network (unique-local)'],
    ['metadata.example.com', 'is a cloud metadata address'],
    ['zone.example.com', 'is link-local'],
  ] as const)
    assert.equal(await of(name), reported(name, what))
  assert.match((await of('mapped.example.com')) ?? '', /must lead to a public address/)
  assert.equal(await of('PRIVATE.example.com.'), reported('private.example.com', 'is in a private network'))
  assert.equal(await of('localhost'), 'must lead to a public address; localhost is the machine itself')
  const failing = targets({ allowed: [], resolve: () => Promise.reject(new Error('The name server is away.')) })
  assert.equal(await failing.resolvedRefusal('https://public.example.com/'), undefined)
})

test('a name server that never answers delays a write only for a moment', async () => {
  const hanging = targets({ allowed: [], resolve: () => new Promise(() => {}), nameMs: 20 })
  assert.equal(await hanging.resolvedRefusal('https://slow.example.com/'), undefined)
})

for (const { create, update } of [
  { create: '/v1/automation-trigger', update: 'PATCH' },
  { create: '/v1/api/automation-triggers', update: 'PUT' },
])
  test(`POST ${create} and ${update} refuse a target that is not public, by URL and by name, say how it can be allowed, and write nothing`, async () => {
    const { id, call } = await service.company()
    const trigger = { triggerType: '*', triggerUrl: 'https://public.example.com/hook' }
    const written = succeeded(await call('POST', create, trigger), 201)
    const refused = [
      ['http://127.0.0.1:5432/', '127.0.0.1 is loopback, the machine itself'],
      ['https://private.example.com/', 'an address of private.example.com is in a private network'],
    ] as const
    for (const [triggerUrl, why] of refused) {
      const message = `must lead to a public address; ${why}; the operator can allow it with the setting CASHWRAP_WEBHOOK_ALLOW`
      for (const reply of [
        await call('POST', create, { ...trigger, triggerUrl }),
        await call('POST', create, { ...trigger, triggerUrl }, { 'idempotency-key': 'one' }),
        await call(update, `${create}/${written.id}`, { triggerUrl }),
      ]) {
        const { errors } = assertProblem(reply, 400, 'validation_failed')
        assert.deepEqual(errors, [{ in: 'body', pointer: '/triggerUrl', code: 'target', message }])
      }
    }
    const moved = { triggerUrl: 'https://nowhere.example.com/' }
    assert.equal(succeeded(await call(update, `${create}/${written.id}`, moved)).triggerUrl, moved.triggerUrl)
    const [count] = await service.database.query(
      'select count(*)::int from automation_triggers where company_id = $1',
      [id],
    )
    assert.deepEqual(count, [1])
    const types = await service.database.query('select type from events where company_id = $1 order by sequence', [id])
    assert.deepEqual(types.flat(), ['automation-trigger.created', 'automation-trigger.updated'])
  })

for (const isKeyed of [false, true])
  test(`a bulk request ${isKeyed ? 'under' : 'without'} an idempotency key refuses the items whose target is not public, each at its index, and carries out the others`, async () => {
    const { call } = await service.company()
    const bulk = async (method: string, items: object[]) =>
      succeeded(
        await call(method, '/v1/automation-triggers', { items }, isKeyed ? { 'idempotency-key': method } : undefined),
      )
    const url = (name: string) => ({ triggerType: '*', triggerUrl: `https://${name}.example.com/` })
    const items = [url('public'), url('private'), { triggerType: '*', triggerUrl: 7 }, url('half'), url('nowhere')]
    const made = await bulk('POST', items)
    const reported = ({ results }: typeof made) =>
      results.map(({ error }: any) => error?.errors.map(({ pointer, code }: any) => [pointer, code])[0])
    assert.deepEqual(reported(made), [
      undefined,
      ['/items/1/triggerUrl', 'target'],
      ['/items/2/triggerUrl', 'type'],
      ['/items/3/triggerUrl', 'target'],
      undefined,
    ])
    assert.deepEqual(made.summary, { total: 5, succeeded: 2, failed: 3 })
    const [first, , , , last] = made.results.map(({ data }: any) => data?.id)
    const changes = [
      { id: first, ...url('mapped') },
      { id: last, ...url('public'), customTriggerName: 'Moved' },
    ]
    const changed = await bulk('PATCH', changes)
    assert.deepEqual(reported(changed), [['/items/0/triggerUrl', 'target'], undefined])
    assert.equal(succeeded(await call('GET', `/v1/automation-trigger/${first}`)).triggerUrl, items[0]?.triggerUrl)
    assert.equal(succeeded(await call('GET', `/v1/automation-trigger/${last}`)).customTriggerName, 'Moved')
  })

test('a bulk request resolves each name once, and holds no database connection meanwhile', async () => {
  const { call } = await service.company()
  const name = 'shared.example.com'
  addresses[name] = ['8.8.8.8']
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  before = async (asked) => {
    if (asked !== name) return
    started.resolve()
    await release.promise
  }
  const items = Array.from({ length: 100 }, (_, n) => ({ triggerType: '*', triggerUrl: `https://${name}/${n}` }))
  const answer = call('POST', '/v1/automation-triggers', { items }, { 'idempotency-key': 'held' })
  try {
    await started.promise
    const held = await service.database.query(
      `select count(*)::int from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    assert.deepEqual(held, [[0]])
  } finally {
    release.resolve()
    before = async () => {}
  }
  assert.equal(succeeded(await answer).summary.succeeded, 100)
  assert.equal(asked.filter((one) => one === name).length, 1)
})

test('a name that resolved to a public address at write and resolves to this machine later is not connected to', async (t) => {
  const inside = await receiver(t)
  const answers = [['8.8.8.8'], ['127.0.0.1'], ['8.8.8.8', '127.0.0.1']]
  const rebinding = targets({ allowed: [], resolve: async () => answers.shift() ?? [] })
  const url = `http://rebinding.example.com:${inside.port}/`
  assert.equal(await rebinding.resolvedRefusal(url), undefined)
  const calls = sender({ targets: rebinding })
  t.after(calls.close)
  for (const _ of [1, 2]) {
    const { status, error } = await calls.call({ url, id: 'one', body: '{}' })
    assert.equal(status, undefined)
    assert.equal(
      error,
      'The URL must lead to a public address; an address of rebinding.example.com is loopback, the machine itself.',
    )
  }
  assert.equal(answers.length, 0)
  assert.equal(inside.connections(), 0)
})

test('a connection goes to the address that was checked, by one lookup', async (t) => {
  const outside = await receiver(t, undefined, { host: '127.0.0.2' })
  const names: string[] = []
  const pinned = targets({
    allowed: ['127.0.0.2'],
    resolve: async (name) => {
      names.push(name)
      return names.length === 1 ? ['127.0.0.2'] : ['127.0.0.1']
    },
  })
  const calls = sender({ targets: pinned })
  t.after(calls.close)
  const { status } = await calls.call({ url: `http://hooks.example.com:${outside.port}/`, id: 'one', body: '{}' })
  assert.deepEqual([status, names], [200, ['hooks.example.com']])
  assert.equal(outside.received[0]?.headers.host, `hooks.example.com:${outside.port}`)
})

test('an allowed localhost needs no name server, and resolves only to allowed addresses', async (t) => {
  const { port } = await receiver(t)
  const own = targets({ allowed: ['127.0.0.1'], resolve: () => Promise.reject(new Error('The name server is away.')) })
  const calls = sender({ targets: own })
  t.after(calls.close)
  for (const host of ['localhost', 'LOCALHOST.', 'n8n.localhost']) {
    const url = `http://${host}:${port}/`
    assert.equal(await own.resolvedRefusal(url), undefined)
    assert.equal((await calls.call({ url, id: 'one', body: '{}' })).status, 200)
  }
})

test('the hosts file comes before the name servers, and its addresses are checked like all others', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-hosts-'))
  t.after(() => rm(folder, { recursive: true }))
  const hosts = join(folder, 'hosts')
  await writeFile(hosts, '# Own names\n127.0.0.2  receiver.lan Alias.lan # n8n\n\n10.0.0.9\tother.lan\n')
  const own = targets({ allowed: ['127.0.0.2'], resolve: resolver({ hosts }) })
  const { port } = await receiver(t, undefined, { host: '127.0.0.2' })
  const calls = sender({ targets: own })
  t.after(calls.close)
  for (const host of ['receiver.lan', 'ALIAS.lan.'])
    assert.equal((await calls.call({ url: `http://${host}:${port}/`, id: 'one', body: '{}' })).status, 200)
  assert.equal(
    await own.resolvedRefusal('http://other.lan/'),
    'must lead to a public address; an address of other.lan is in a private network',
  )
})

test('addresses instead of names are checked at the call too: for older triggers, and for those that are no longer allowed', async (t) => {
  const inside = await receiver(t)
  const calls = sender({ targets: targets({ allowed: [] }) })
  t.after(calls.close)
  for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']) {
    const { status, error } = await calls.call({ url: `http://${host}:${inside.port}/`, id: 'one', body: '{}' })
    assert.equal(status, undefined)
    assert.match(error ?? '', /^The URL must lead to a public address; .*\.$/)
  }
  assert.equal(inside.connections(), 0)
})

test('CASHWRAP_WEBHOOK_ALLOW accepts addresses and networks, and a wrong one stops the start with a message', () => {
  const read = (text: string) => readConfig({ CASHWRAP_WEBHOOK_ALLOW: text }).webhookAllow
  assert.deepEqual(readConfig({}).webhookAllow, [])
  assert.deepEqual(read(''), [])
  assert.deepEqual(read(' 127.0.0.1, ::1,10.0.0.0/8 ,fd00::/8,0.0.0.0/0'), [
    ...['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', '0.0.0.0/0'],
  ])
  for (const text of ['localhost', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '*', 'fe80::1%eth0'])
    assert.throws(() => read(text), { message: /^CASHWRAP_WEBHOOK_ALLOW holds "/ }, text)
})
