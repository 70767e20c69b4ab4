// Malicious files: each ends with an error message, in time, and the next import gets its turn.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withAdditions } from '../src/features/file-import/catalog/catalog.ts'
import { faultOf, type Worker, worker } from '../src/features/imports/worker.ts'
import { csvOf, imported, mugs, reached, refusedLines, sent } from './support/imports.ts'
import { until } from './support/program.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

/** The lines that a check would refuse. */
async function refusedOf(file: string): Promise<string> {
  const { call } = await service.company()
  const { id } = await sent(call, file)
  await reached(call, id, 'ready')
  return refusedLines(call, id)
}

describe('categories', () => {
  test('with more levels than any shop has cost their row, and not the time of all others', async () => {
    const deep = Array(60_000).fill('a').join(' > ')
    assert.equal(
      await refusedOf(csvOf([...mugs(1), ...mugs(1, { ID: 2, Categories: deep })])),
      `line,column,reason\n3,Categories,"Categories ""${'a > '.repeat(15)}…"" is 60000 levels deep; the maximum is 32"\n`,
    )
    const row = { Handle: 'cap', Title: 'Cap', 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant Price': 9 }
    assert.match(
      await refusedOf(csvOf([{ ...row, 'Product Category': Array(40).fill('a').join('>') }])),
      /\n2,Product Category,.* is 40 levels deep; the maximum is 32/,
    )
  })

  test('with more paths in one row than any shop has cost that row', async () => {
    const wide = Array.from({ length: 201 }, (_, n) => n).join()
    assert.match(
      await refusedOf(csvOf(mugs(1, { Categories: wide }))),
      /\n2,Categories,.* names 201 categories; the maximum is 200/,
    )
  })

  test('with an absurd number of spaces refuse only their own row, and do not slow down the others', async () => {
    const Categories = `Books${' '.repeat(1_000_000)}(A)`
    assert.match(
      await refusedOf(csvOf([{ Token: 'A', 'Item Name': 'Mug', Price: 5, Categories }])),
      /\n2,Categories,.* is 1000008 characters long/,
    )
  })

  test('of a file have a maximum number, and a file beyond it is refused before anything is written', async () => {
    const { call } = await service.company()
    const rows = mugs(101).map((row, at) => ({
      ...row,
      Categories: Array.from({ length: 200 }, (_, n) => `${at} ${n}`).join(),
    }))
    const { id } = await sent(call, csvOf(rows), 'run=true')
    const job = await reached(call, id, 'failed')
    assert.match(job.problem, /more than 20,000 categories/)
    assert.equal((await call('GET', '/v1/categories')).body.meta.count, 0)
  })
})

test('a column is kept whatever its name', async () => {
  const { call } = await service.company()
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  await imported(call, csvOf(mugs(1, Object.fromEntries(names.map((name) => [name, 'a'])))))
  const [product] = (await call('GET', '/v1/products')).body.data
  assert.deepEqual(
    product.metadata.map(({ key }: { key: string }) => key),
    names,
  )
})

test('a product has its lowest and highest price for any number of variants', () => {
  const prices = Array.from({ length: 300_000 }, (_, n) => n + 1)
  assert.deepEqual(withAdditions({}, [undefined, ...prices], []), { minPrice: 1, maxPrice: 300_000 })
  assert.deepEqual(withAdditions({}, [undefined], []), {})
})

test('a preview is no longer than one response can be, and says how much it leaves out', async () => {
  const { call } = await service.company()
  const notes = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`note ${n}`, 'x'.repeat(1_000)]))
  const parent = { ID: 1, Type: 'variable', SKU: 'P', Name: 'P', 'Regular price': '' }
  const variations = Array.from({ length: 50 }, (_, n) => ({
    ID: n + 2,
    Type: 'variation',
    SKU: `V${n}`,
    Name: 'V',
    'Regular price': 1,
    Parent: 'id:1',
    ...notes,
  }))
  const { id } = await sent(call, csvOf([parent, ...variations]))
  await reached(call, id, 'ready')
  const { body, text } = await call('GET', `/v1/imports/${id}/preview`)
  assert.ok(text.length < 2 * 1024 * 1024, String(text.length))
  const [shown] = body.preview
  assert.equal(shown.variantsCount, 50)
  assert.ok(shown.variants.length > 0 && shown.variants.length < 50, String(shown.variants.length))
})

describe('the thread of imports', () => {
  const program = (body: string) =>
    new URL(
      `data:text/javascript,import { parentPort, workerData } from 'node:worker_threads';${encodeURIComponent(body)}`,
    )
  const job = {} as Parameters<Worker['work']>[0]
  const never = new AbortController().signal
  const quiet = { wrote: () => {}, failed: () => {} }

  test('that fails while it is idle ends no server', async () => {
    const gone = new Int32Array(new SharedArrayBuffer(4))
    const failing = worker(
      program(`process.on('exit', () => Atomics.store(workerData, 0, 1))
        parentPort.on('message', () => { parentPort.postMessage('done'); setTimeout(() => { throw new Error('late') }, 20) })`),
      gone as object,
      quiet,
    )
    await failing.work(job, never)
    await until('it failed', () => Atomics.load(gone, 0) === 1)
    await failing.stop()
  })

  test('that is being stopped accepts nothing: the next import gets another one', async () => {
    const ready = worker(program(`parentPort.on('message', () => parentPort.postMessage('done'))`), {}, quiet)
    await ready.work(job, never)
    const ending = ready.stop()
    await ready.work(job, never)
    await Promise.all([ending, ready.stop()])
  })

  test('logs the kind of an error, without anything that it quotes', async () => {
    const errors: unknown[] = []
    const fault = faultOf(Object.assign(new Error('of a row: secret'), { code: '22P02' }))
    const importWorker = worker(
      program(`parentPort.on('message', () => {
        parentPort.postMessage({ failed: ${JSON.stringify(fault)} })
        parentPort.postMessage('done')
      })`),
      {},
      { ...quiet, failed: (error) => errors.push(error) },
    )
    await importWorker.work(job, never)
    await importWorker.stop()
    const [error] = errors as NodeJS.ErrnoException[]
    assert.deepEqual([error?.code, error?.message, error?.stack], ['22P02', 'of a row: secret', fault.stack])
  })
})
