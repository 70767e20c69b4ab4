// Imports survive any failure of servers: each belongs to one server at a time, is taken over from a dead one, and ends with the same result.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noTally } from '../../src/features/file-import/records.ts'
import { type LeasedImport, lease } from '../../src/features/imports/leases.ts'
import { executeLeased, type WorkParts } from '../../src/features/imports/work.ts'
import { scopeOf } from '../../src/features/tenants/tenants.ts'
import type { Body } from '../support/contract.ts'
import { hour, importServers, never } from '../support/import-servers.ts'
import { csvOf, mugs, reached, sent, shirt } from '../support/imports.ts'
import { until } from '../support/program.ts'
import { type Company, testService } from '../support/service.ts'

// No server runs imports here: each test acts as the servers.
const service = testService({ importing: { isWorking: false } })
const { parts, leased, waiting, runOut, expire } = importServers(service)

/** A company's records, with the number of each. */
const doubles = ({ id }: Company) =>
  service.database.query(
    `select count(*)::int, count(distinct external_id)::int from products where company_id = $1
     union all select count(*)::int, count(distinct external_id)::int from variants where company_id = $1
     union all select count(*)::int, count(distinct variant_id)::int from inventories where company_id = $1
     union all select count(*)::int, count(distinct name)::int from categories where company_id = $1`,
    [id],
  )
const each = (count: number) => [...Array(3).fill([count, count]), [2, 2]]

/** The summary of a file of new mugs. */
const summary = (count: number) => ({
  ...noTally(),
  products: { created: count, updated: 0, unchanged: 0 },
  variants: { created: count, updated: 0, unchanged: 0 },
  categories: { created: 2, updated: 0, unchanged: 0 },
  stockSet: count,
})

describe('a lease', () => {
  test('belongs to one server, and to another one after it expired', async () => {
    const company = await service.company()
    await sent(company.call, csvOf(shirt))
    const first = await leased(company, 'checking')
    assert.equal(await lease(service.database, ['checking'], hour), undefined)
    await expire(first)
    const second = await leased(company, 'checking')
    assert.deepEqual([second.lease, second.tries], [first.lease + 1, 2])
    await executeLeased(parts(), second, never)
    await reached(company.call, second.id, 'ready')
  })

  test('is granted for one import of a company at a time, and for companies in turn', async () => {
    const one = await service.company()
    const other = await service.company()
    for (const company of [one, one, one, other]) await sent(company.call, csvOf(shirt))
    const order: string[] = []
    for (let n = 0; n < 4; n++) {
      const found = (await lease(service.database, ['checking'], hour)) as LeasedImport
      const beside = await lease(service.database, ['checking'], 1)
      assert.notEqual(beside?.companyId, found.companyId)
      if (beside) await service.database.query('update imports set leased_until = null, turn_at = null where id = $1', [beside.id]) // biome-ignore format: as it was before
      await executeLeased(parts(), found, never)
      order.push(found.companyId)
    }
    assert.deepEqual(order, [one.id, other.id, one.id, one.id])
  })

  test('is not granted while the company is suspended, and again once it is active', async () => {
    const company = await service.company()
    const { id } = await sent(company.call, csvOf(shirt))
    const path = `/v1/organization-api/companies/${company.id}`
    await company.call('PATCH', path, { status: 'suspended' })
    assert.equal(await lease(service.database, ['checking'], hour), undefined)
    await company.call('PATCH', path, { status: 'active' })
    await executeLeased(parts(), await leased(company, 'checking'), never)
    await reached(company.call, id, 'ready')
  })
})

describe('a run that another server takes over', () => {
  test('from one that was only frozen and continues has nothing twice, since the first writes no further step', async () => {
    const company = await service.company()
    const { id } = await waiting(company)
    const first = await leased(company, 'running')
    let taken: Promise<void> | undefined
    const takeOver = async () => {
      await expire(first)
      // It waits for the company, which the first one holds until it finds its lease gone.
      const second = await leased(company, 'running')
      await executeLeased(parts(), second, never)
    }
    const wrote = () => {
      taken ??= takeOver()
    }
    await executeLeased(parts({ wrote }), first, never)
    await taken
    const job = await runOut(company, id)
    assert.deepEqual([job.summary, await doubles(company)], [summary(1_200), each(1_200)])
  })

  test('from one that stopped in order is free at once, and ends with the result of one server alone', async () => {
    const company = await service.company()
    const { id } = await waiting(company)
    const ending = new AbortController()
    const first = await leased(company, 'running')
    await executeLeased(parts({ wrote: () => ending.abort() }), first, ending.signal)
    const second = await leased(company, 'running')
    const [[done]] = (await doubles(company)) as [[number]]
    assert.ok(done > 0 && done < 1_200, String(done))
    assert.equal(second.tries, 1)
    await executeLeased(parts(), second, never)
    assert.deepEqual((await reached(company.call, id, 'done')).summary, summary(1_200))
    assert.deepEqual(await doubles(company), each(1_200))
  })
})

describe('an import that is cancelled', () => {
  test('during its run writes nothing after the response, and says what it wrote', async () => {
    const company = await service.company()
    const { id } = await waiting(company)
    let cancelled: Promise<Body> | undefined
    const cancel = async () => (await company.call('POST', `/v1/imports/${id}/cancel`)).body
    const before = await new Promise<Body>((resolve, reject) => {
      const wrote = () => {
        cancelled ??= cancel()
        cancelled.then(resolve, reject)
      }
      leased(company, 'running')
        .then((job) => executeLeased(parts({ wrote }), job, never))
        .catch(reject)
    })
    assert.equal(before.state, 'cancelled')
    const [[products]] = (await doubles(company)) as [[number]]
    // Work in progress has ended when another import can lock the company.
    const other = await waiting(company, mugs(1, { ID: 'x' }))
    await runOut(company, other.id)
    assert.deepEqual((await doubles(company))[0], [products + 1, products + 1])
    const { body } = await company.call('GET', `/v1/imports/${id}`)
    assert.deepEqual([body.state, body.summary.products.created], ['cancelled', products])
    assert.ok(products < 1_200)

    await company.call('POST', `/v1/imports/${id}/run`)
    await executeLeased(parts(), await leased(company, 'running'), never)
    const { products: all } = (await reached(company.call, id, 'done')).summary
    assert.deepEqual(all, { created: 1_200 - products, updated: 0, unchanged: products })
  })
})

describe('an undo that another server takes over', () => {
  /** An import of many records, which waits to be undone. */
  async function undoing(company: Company): Promise<Body> {
    const job = await waiting(company)
    await executeLeased(parts(), await leased(company, 'running'), never)
    return (await company.call('POST', `/v1/imports/${job.id}/undo`)).body
  }
  const deleted = { deleted: 1_200, restored: 0, left: 0 }

  test('from one that was only frozen and continues reverts nothing twice', async () => {
    const company = await service.company()
    const { id, state } = await undoing(company)
    assert.equal(state, 'undoing')
    const first = await leased(company, 'undoing')
    let taken: Promise<void> | undefined
    const takeOver = async () => {
      await expire(first)
      await executeLeased(parts(), await leased(company, 'undoing'), never)
    }
    const wrote = () => {
      taken ??= takeOver()
    }
    await executeLeased(parts({ wrote }), first, never)
    await taken
    await until('it is undone', async () => {
      const next = await lease(service.database, ['undoing'], hour)
      if (next) await executeLeased(parts(), next, never)
      return (await company.call('GET', `/v1/imports/${id}`)).body.state === 'undone'
    })
    const { undo } = (await company.call('GET', `/v1/imports/${id}`)).body
    assert.deepEqual([undo.products, undo.variants, undo.stock], [deleted, deleted, { restored: 1_200, left: 0 }])
    assert.deepEqual(await doubles(company), [...Array(2).fill([0, 0]), [1_200, 1_200], [0, 0]])
    const [[events]] = (await service.database.query(
      `select count(*)::int from events where company_id = $1 and type in ('product.deleted', 'variant.deleted', 'inventory.deleted')`,
      [company.id],
    )) as [[number]]
    assert.equal(events, 3 * 1_200)
  })

  test('from one that stopped in order continues at the same point', async () => {
    const company = await service.company()
    const { id } = await undoing(company)
    const ending = new AbortController()
    await executeLeased(parts({ wrote: () => ending.abort() }), await leased(company, 'undoing'), ending.signal)
    const { undo } = (await company.call('GET', `/v1/imports/${id}`)).body
    assert.ok(undo.variants.deleted > 0 && undo.variants.deleted < 1_200, JSON.stringify(undo))
    for (const verb of ['undo', 'run', 'cancel'])
      assert.equal((await company.call('POST', `/v1/imports/${id}/${verb}`)).status, 409)
    assert.equal((await company.call('DELETE', `/v1/imports/${id}`)).status, 409)
    await executeLeased(parts(), await leased(company, 'undoing'), never)
    assert.deepEqual((await reached(company.call, id, 'undone')).undo.variants, deleted)
  })
})

test('a run of records that were changed between two leases counts them as changed', async () => {
  const company = await service.company()
  const { id } = await waiting(company)
  const ending = new AbortController()
  const outlets: number[] = []
  await executeLeased(
    parts({ wrote: () => (outlets.push(1) > 3 ? ending.abort() : undefined) }),
    await leased(company, 'running'),
    ending.signal,
  )
  const { data } = (await company.call('GET', '/v1/products?limit=1')).body
  await company.call('PATCH', `/v1/product/${data[0].id}`, { name: 'Mine' })
  await executeLeased(parts(), await leased(company, 'running'), never)
  await company.call('POST', `/v1/imports/${id}/undo`)
  await executeLeased(parts(), await leased(company, 'undoing'), never)
  const { undo } = await reached(company.call, id, 'undone')
  assert.deepEqual(undo.products, { deleted: 1_199, restored: 0, left: 1 })
})

test('an import that is cancelled before its first step leaves no outlet behind', async () => {
  const company = await service.company()
  const { id } = await waiting(company, shirt)
  const cancelling: WorkParts['scopeOf'] = async (...about) => {
    assert.equal((await company.call('POST', `/v1/imports/${id}/cancel`)).status, 200)
    return scopeOf(...about)
  }
  await executeLeased(parts({ scopeOf: cancelling }), await leased(company, 'running'), never)
  assert.equal((await company.call('GET', '/v1/outlets')).body.meta.count, 0)
  assert.equal((await company.call('GET', `/v1/imports/${id}`)).body.state, 'cancelled')
})

test('an outlet that an import creates is recorded once, with it', async (t) => {
  const company = await service.company()
  const { id } = await waiting(company, shirt)
  const job = await leased(company, 'running')
  await service.database.query(`
    create table noted (import_id text);
    create function note() returns trigger language plpgsql as $$ begin insert into noted values (new.id); return new; end $$;
    create trigger noted before update of outlet_id on imports for each row execute function note()`)
  t.after(() => service.database.query('drop trigger noted on imports; drop function note; drop table noted'))
  await executeLeased(parts(), job, never)
  assert.equal(
    (await reached(company.call, id, 'done')).outletId,
    (await company.call('GET', '/v1/outlets')).body.data[0].id,
  )
  assert.deepEqual(await service.database.query('select import_id from noted'), [[id]])
})
