// States what `cashwrap import` does in a shell: its exit codes, its files, and that the next run finishes one that was killed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { csvFiles, records, shirt, simple } from './support/catalog.ts'
import { testConnection } from './support/database.ts'
import { feed } from './support/feed.ts'
import { csvOf, sent } from './support/imports.ts'
import { cashwrap, cashwrapAlone, start, until, urlOf } from './support/program.ts'
import { type Company, testService } from './support/service.ts'

// No server runs imports here: the commands do.
const service = testService({ importing: { isWorking: false } })
const csvFile = csvFiles()

async function environment() {
  const [[database]] = (await service.database.query('select current_database()')) as [[string]]
  return { DATABASE_URL: urlOf({ ...testConnection(), database }) }
}

async function run(...words: string[]) {
  const { code, stdout, stderr } = await cashwrap(['import', ...words], await environment())
  return { code, out: stdout, error: stderr }
}

/** The statement that lets an import write its first products, and none of their variants. */
const lockVariants = 'lock table variants in share mode'

/** How many records of a kind a company has. */
async function count(table: 'products' | 'variants', { id }: Company): Promise<number> {
  const [row] = await service.database.query(`select count(*)::int from ${table} where company_id = $1`, [id])
  return row?.[0]
}

interface HalfWay {
  /** A statement whose lock stops the command half way, on every machine. */
  readonly lock: string
  /** Whether the command has done what it can do. */
  readonly isThere: () => Promise<boolean>
}

/** Runs a command until it is half way; then `work`, and lets it go on. */
async function stopHalfWay<T>({ child }: ReturnType<typeof start>, { lock, isThere }: HalfWay, work: () => Promise<T>) {
  return service.database.transaction(async (transaction) => {
    await transaction.query(lock)
    await until('the command is half way', async () => {
      assert.equal(child.exitCode, null, 'The command ended before it was half way.')
      return isThere()
    })
    return work()
  })
}

/** An import of 1,200 products half way: it has written 500 of them. */
const withProducts = (company: Company): HalfWay => ({
  lock: lockVariants,
  isThere: async () => (await count('products', company)) === 500,
})

/** Runs a command, and kills its process half way. */
async function killed(words: string[], halfWay: HalfWay) {
  const command = start(['import', ...words], await environment())
  await stopHalfWay(command, halfWay, async () => {
    command.child.kill('SIGKILL')
    await command.ended
  })
}

test('creates the first outlet, sets the stock there, and exits with 0; a second run changes nothing', async () => {
  const company = await service.company()
  const words = ['woocommerce', csvFile(shirt), '--company', company.id, '--json']
  const dry = await run(...words, '--dry-run')
  assert.deepEqual([dry.code, dry.error, await records(company, 'outlets')], [0, '', []])
  const first = await run(...words)
  const [outlet, ...more] = await records(company, 'outlets')
  assert.deepEqual([first.code, first.error, more], [0, '', []])
  const { outletId, file, importId, customers, orders, transactions, refunds, ...counts } = JSON.parse(first.out)
  assert.equal(outletId, outlet?.id)
  assert.deepEqual(counts, {
    kind: 'catalog',
    shop: 'woocommerce',
    companyId: company.id,
    dryRun: false,
    stockSet: 3,
    rowsRefused: 0,
    refused: [],
    products: { created: 2, updated: 0, unchanged: 0 },
    variants: { created: 3, updated: 0, unchanged: 0 },
    categories: { created: 3, updated: 0, unchanged: 0 },
  })
  assert.deepEqual((await records(company, 'variants'))[1]?.inventory, [{ outletId, stock: 3 }])
  const second = await run(...words.slice(0, -1))
  assert.equal(second.code, 0)
  assert.match(second.out, /products +0 +0 +2\nvariants +0 +0 +3\ncategories +0 +0 +3\n/)
  assert.ok(!existsSync(`${file}.refused.csv`))
})

test('exits with 1 if the plan allows no outlet for the stock, also in a dry run', async () => {
  const { id, call } = await service.company()
  const root = '/v1/organization-api'
  const plan = await call('POST', `${root}/plans`, { name: 'None', limits: { outlets: 0 } })
  assert.equal((await call('PATCH', `${root}/companies/${id}`, { planId: plan.body.id })).status, 200)
  for (const more of [['--dry-run'], []]) {
    const { code, error } = await run('woocommerce', csvFile(shirt), '--company', id, ...more)
    assert.deepEqual([code, error.includes('The plan allows no outlets, and there are 0.')], [1, true], error)
  }
})

test('writes refused lines to a file and exits with 3; a dry run reports them and writes no file', async () => {
  const company = await service.company()
  const path = csvFile([
    { ...simple, ID: 1 },
    { ...simple, ID: 2, 'Regular price': 'a "lot", truly' },
  ])
  const words = ['woocommerce', path, '--company', company.id]
  const dry = await run(...words, '--dry-run', '--json')
  const reason = 'Regular price "a "lot", truly" is not a number'
  assert.equal(dry.code, 3)
  assert.deepEqual(JSON.parse(dry.out).refused, [{ line: 3, reason, column: 'Regular price' }])
  assert.ok(!existsSync(`${path}.refused.csv`))
  const { code, error } = await run(...words)
  assert.equal(code, 3)
  assert.ok(error.includes(`line 3: ${reason}`) && error.includes(`${path}.refused.csv`))
  const quoted = reason.replaceAll('"', '""')
  assert.equal(readFileSync(`${path}.refused.csv`, 'utf8'), `line,column,reason\n3,Regular price,"${quoted}"\n`)
  const own = `${path}.own.csv`
  const ended = await cashwrapAlone(['import', ...words, '--refused', own], await environment())
  assert.equal(ended.code, 3, 'also of the whole process')
  assert.ok(existsSync(own))
  const unwritten = await run(...words, '--refused', `${path}.none/own.csv`)
  assert.match(unwritten.out, /Import \w+: "cashwrap import undo/, 'what was imported is said all the same')
  assert.match(unwritten.error, /The file of refused lines .+\/own\.csv cannot be written: there is no such folder\./)
  assert.match(unwritten.error, /Name a file with --refused/)
  assert.equal(unwritten.code, 1)
})

test('says in one sentence what is wrong: 1 for a file that cannot be used, 2 for wrong usage and unknown ids', async () => {
  const company = await service.company()
  const path = csvFile(shirt)
  const none = '000000000000000000000000'
  const other = csvFile([{ name: 'Mug', slug: 'mug', sku: 'M', stockOnHand: 1 }])
  const large = csvFile(shirt)
  truncateSync(large, 501 * 1024 * 1024)
  const failures: [number, RegExp, string[]][] = [
    [
      1,
      /none\.csv cannot be read: there is no such file/,
      ['woocommerce', `${path}.none.csv`, '--company', company.id],
    ],
    [1, /is not a file/, ['woocommerce', import.meta.dirname, '--company', company.id]],
    [1, /is larger than 500 MB. Split it/, ['woocommerce', large, '--company', company.id]],
    [1, /looks like an English product export of WooCommerce/, ['shopify', path, '--company', company.id]],
    [2, /--company: There is no company with id/, ['woocommerce', path, '--company', none]],
    [2, /--outlet: There is no outlet with id/, ['woocommerce', path, '--company', company.id, '--outlet', none]],
    [1, /has no column "Regular price"/, ['woocommerce', other, '--company', company.id]],
    [2, /There is no import with id/, ['undo', none]],
    [2, /24 characters/, ['undo', 'mine']],
    [2, /--company/, ['woocommerce', path]],
    [2, /24 characters/, ['woocommerce', path, '--company', 'mine']],
  ]
  for (const [expected, message, words] of failures) {
    const { code, error, out } = await run(...words)
    assert.equal(code, expected, error)
    assert.match(error, message)
    assert.equal(out + error.trim().split('\n').slice(1).join(), '')
  }
  assert.equal((await feed(service, company.id)).length, 0)
})

test('if it is killed half way, running it again finishes it, and nothing exists twice', async () => {
  const company = await service.company()
  const rows = Array.from({ length: 1_200 }, (_, n) => ({
    ...simple,
    ID: n + 1,
    SKU: `M${n}`,
    Stock: n,
    Categories: 'Home',
  }))
  const words = ['woocommerce', csvFile(rows), '--company', company.id, '--json']
  await killed(words, withProducts(company))
  assert.deepEqual([await count('products', company), await count('variants', company)], [500, 0])
  const { code, out } = await run(...words)
  const { products, variants } = JSON.parse(out)
  assert.deepEqual(
    [code, products.created + products.unchanged, variants.created + variants.unchanged],
    [0, 1_200, 1_200],
  )
  const doubles = await service.database.query(
    `select count(*)::int, count(distinct external_id)::int from products where company_id = $1
     union all select count(*)::int, count(distinct external_id)::int from variants where company_id = $1
     union all select count(*)::int, count(distinct variant_id)::int from inventories where company_id = $1`,
    [company.id],
  )
  assert.deepEqual(doubles, Array(3).fill([1_200, 1_200]))
})

const products = async ({ call }: Company): Promise<number> => (await call('GET', '/v1/products')).body.meta.count

/** Runs a command until the company has its first products, and presses Ctrl-C. */
async function interrupted(company: Company, words: string[]) {
  const command = start(words, await environment())
  await stopHalfWay(command, withProducts(company), async () => {
    command.child.kill('SIGINT')
    await until('the import is cancelled', async () => {
      const { body } = await company.call('GET', '/v1/imports')
      return body.data.some(({ state }: { state: string }) => state === 'cancelled')
    })
  })
  return command.ended
}

test('an import that is interrupted with Ctrl-C is cancelled, and what it wrote stays', async () => {
  const company = await service.company()
  const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...simple, ID: n + 1, SKU: `M${n}` }))
  const words = ['import', 'woocommerce', csvFile(rows), '--company', company.id]
  const { code, stderr } = await interrupted(company, words)
  assert.deepEqual([code, /The import was cancelled\. What it wrote before stays\./.test(stderr)], [1, true], stderr)
  const [job] = (await company.call('GET', '/v1/imports')).body.data
  assert.deepEqual([job.state, job.summary.products.created], ['cancelled', await products(company)])
})

test('Ctrl-C while the command is at an earlier import cancels its own, and leaves the earlier one to others at once', async () => {
  const company = await service.company()
  const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...simple, ID: n + 1, SKU: `M${n}` }))
  const { id: earlier } = await sent(company.call, csvOf(rows), 'run=true')
  const words = ['import', 'woocommerce', csvFile(shirt), '--company', company.id]
  const { code, stderr } = await interrupted(company, words)
  assert.deepEqual([code, /The import was cancelled\./.test(stderr)], [1, true], stderr)
  const left = await service.database.query(
    `select id = $2, state, leased_until is null from imports where company_id = $1 order by id <> $2`,
    [company.id, earlier],
  )
  assert.deepEqual(left, [
    [true, 'running', true],
    [false, 'cancelled', true],
  ])
})

test('an import comes after those of the company that wait, which the command carries out if no server does', async () => {
  const company = await service.company()
  const { id } = await sent(company.call, csvOf(shirt), 'run=true')
  const { code, out } = await run('woocommerce', csvFile(shirt), '--company', company.id, '--json')
  assert.deepEqual([code, JSON.parse(out).products], [0, { created: 0, updated: 0, unchanged: 2 }])
  const { body } = await company.call('GET', `/v1/imports/${id}`)
  assert.deepEqual([body.state, body.summary.products.created], ['done', 2])
})

test('an earlier import that ended each process that ran it is given up, and blocks no other', async () => {
  const company = await service.company()
  const { id } = await sent(company.call, csvOf(shirt), 'run=true')
  await service.database.query('update imports set tries = 5 where id = $1', [id])
  const { code, out } = await run('woocommerce', csvFile(shirt), '--company', company.id, '--json')
  assert.deepEqual([code, JSON.parse(out).products.created], [0, 2])
  const { body } = await company.call('GET', `/v1/imports/${id}`)
  assert.deepEqual([body.state, body.problem], ['failed', 'The import was started 5 times without progress.'])
})

test('an import that loses PostgreSQL says that it is continued, and the next command continues it', async (t) => {
  const company = await service.company()
  const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...simple, ID: n + 1, SKU: `M${n}` }))
  const words = ['woocommerce', csvFile(rows), '--company', company.id]
  const [[database]] = (await service.database.query('select current_database()')) as [[string]]
  const proxied = await socketProxy(t, testConnection().host as string)
  const command = start(['import', ...words], {
    DATABASE_URL: urlOf({ ...testConnection(), host: proxied.folder, database }),
  })
  const { code, stderr } = await stopHalfWay(command, withProducts(company), () => {
    proxied.cut()
    return command.ended
  })
  assert.equal(code, 1)
  assert.match(
    stderr,
    // A connection that was being made when PostgreSQL went away got no answer.
    /The rows already written are kept\. A running server continues the import; .*\nerror: PostgreSQL (cannot be reached|does not answer) at /,
  )
  await run(...words)
  const { body } = await company.call('GET', '/v1/imports')
  assert.deepEqual(
    body.data.map(({ state }: { state: string }) => state),
    ['done', 'done'],
  )
  assert.equal(await products(company), 1_200)
})

/** A socket of PostgreSQL in a folder of its own, which can be cut off. */
async function socketProxy(t: TestContext, host: string) {
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-proxy-'))
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(join(host, '.s.PGSQL.5432'))
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  server.listen(join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.after(() => {
    cut()
    return rm(folder, { recursive: true })
  })
  return { folder, cut }
}

test('leaves a record and prints its id; undo reverts it, once, and lists what it leaves', async () => {
  const company = await service.company()
  const words = ['woocommerce', csvFile(shirt), '--company', company.id]
  const { out: reported } = await run(...words)
  const [, id] = /Import (\w{24}): "cashwrap import undo \1" undoes it\./.exec(reported) ?? []
  const { body: job } = await company.call('GET', `/v1/imports/${id}`)
  assert.deepEqual(
    [job.state, job.progress, job.shop, job.summary.products.created, /\.csv$/.test(job.fileName)],
    ['done', 1, 'woocommerce', 2, true],
  )
  const { body: preview } = await company.call('GET', `/v1/imports/${id}/preview`)
  assert.equal(preview.preview.length, 2)
  const [product] = await records(company, 'products')
  await company.call('PATCH', `/v1/product/${product?.id}`, { name: 'Mine' })
  const undone = await run('undo', String(id))
  assert.deepEqual([undone.code, undone.error], [0, ''])
  assert.match(undone.out, /variants +3 +0 +0\nproducts +1 +0 +1\n/)
  assert.match(undone.out, /product Mine: It was changed since the import\./)
  assert.deepEqual(
    (await records(company, 'products')).map(({ name }) => name),
    ['Mine'],
  )
  const again = await run('undo', String(id))
  assert.deepEqual([again.code, again.out], [1, ''])
  assert.match(again.error, /The import was undone/)
  const { code, out } = await run(...words, '--json')
  const { importId } = JSON.parse(out)
  assert.deepEqual([code, JSON.parse((await run('undo', importId, '--json')).out).importId], [0, importId])
  const dry = await run(...words, '--dry-run', '--json')
  assert.equal(JSON.parse(dry.out).importId, undefined)
  assert.equal((await company.call('GET', '/v1/imports')).body.meta.count, 2)
})

test('an undo whose command was killed is finished by the next one', async () => {
  const company = await service.company()
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ ...simple, ID: n + 1, SKU: `M${n}`, Stock: n }))
  const { importId } = JSON.parse((await run('woocommerce', csvFile(rows), '--company', company.id, '--json')).out)
  // An undo begins with what was written last.
  await killed(['undo', importId], {
    lock: `select from variants where company_id = '${company.id}' order by id limit 1 for update`,
    isThere: async () => (await count('variants', company)) === 500,
  })
  const { code, out, error } = await run('undo', importId, '--json')
  assert.equal(code, 0, error)
  const { undo } = JSON.parse(out)
  assert.deepEqual([undo.products, undo.variants], Array(2).fill({ deleted: 1_000, restored: 0, left: 0 }))
  assert.deepEqual([await count('variants', company), (await records(company, 'products')).length], [0, 0])
  const deleted = (await feed(service, company.id)).filter(({ type }) => type === 'variant.deleted')
  assert.equal(deleted.length, 1_000)
})
