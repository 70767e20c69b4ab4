// PostgreSQL keeps the plans of the lists that are asked for most, whatever their values are (decisions 72 and 73), and
// these plans walk the index made for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCursor } from '../src/engine/lists/list-cursor.ts'
import { countStatement, listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import { snakeCase } from '../src/engine/resource.ts'
import { customer } from '../src/resources/customer.ts'
import { resources } from '../src/resources/index.ts'
import { longList } from './support/long-list.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const filled = longList(service)

test('the plan of a page without filters is made once for each connection, whatever its limit', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await filled()
  const cursor = writeCursor(
    'createdAt',
    'asc',
    customer,
    JSON.stringify({ id: 'x', createdAt: '2026-01-01T02:00:00Z' }),
  )
  const pages = [{}, { cursor }, { skip: 40 }].flatMap((place) =>
    [1, 100, 101, 500, 1_000].map((limit) => listQuery(customer, companyId, { ...place, limit })),
  )
  await service.database.transaction(async (connection) => {
    for (const query of pages)
      for (let n = 0; n < 8; n++) await connection.query(pageStatement(customer, query), query.page.values)
    const plans = await connection.query(
      `select name, generic_plans > 0 from pg_prepared_statements where name like 'customers_page_%' order by name`,
    )
    const created = 'created_at_asc'
    const ways = [created, `${created}_cursor`, `${created}_skip`]
    const names = ways.flatMap((way) => [101, 501, 1001].map((most) => `${way}_${most}`))
    assert.deepEqual(
      plans,
      [...names, `${created}_skip_2001`]
        .map((name) => [`customers_page_${name}`, true])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
  })
})

test('a list with one filter has one plan for all values, which walks the index of its member in order, from a cursor on too, though others have none of its records', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await filled()
  await service.database.transaction(async (connection) => {
    for (const resource of resources)
      for (const member of resource.list.exact.filter((member) => !resource.list.selective.includes(member)))
        for (const sortOrder of ['asc', 'desc']) {
          const query = listQuery(resource, companyId, { [member]: 'none', sortOrder, limit: 100 })
          const cursor = writeCursor('createdAt', sortOrder, resource, JSON.stringify({ id: 'x', createdAt: '2026' }))
          const later = listQuery(resource, companyId, { [member]: 'none', sortOrder, limit: 100, cursor })
          const pages = [false, true].map((isCounted) => pageStatement(resource, query, isCounted))
          const next = pageStatement(resource, later)
          const count = countStatement(resource, query)
          for (let n = 0; n < 8; n++) {
            for (const page of pages) assert.deepEqual(await connection.query(page, query.page.values), [])
            assert.deepEqual(await connection.query(next, later.page.values), [])
            assert.deepEqual(await connection.query(count, query.filterValues), [[0]])
          }
          const column = snakeCase(member)
          const unseen = '\\(InitPlan \\d+\\)\\.col1'
          const [first, last] = ['>=', '<='].map((bound) => `\\(${column} ${bound} ${unseen}\\)`)
          const beyond = `\\(ROW\\(${column}, .*, id\\) . ROW\\(${unseen}, `
          for (const [own, values, walks] of [
            ...pages.map(({ name }) => [name, `'${companyId}', 'none', 101`, `${first} AND ${last}`]),
            [
              next.name,
              `'${companyId}', 'none', '2026', 'x', 101`,
              `${sortOrder === 'asc' ? last : first} AND ${beyond}`,
            ],
            [count.name, `'${companyId}', 'none'`, `${first} AND ${last}`],
          ]) {
            const rows = await connection.query(`explain (costs off) execute ${own}(${values})`)
            const plan = rows.map(([line]) => line).join('\n')
            assert.match(plan, new RegExp(`Index Cond: \\(\\(company_id = \\$1\\) AND ${walks}`), plan)
            assert.doesNotMatch(plan, /Sort/, plan)
          }
        }
    const planned = await connection.query(
      `select name from pg_prepared_statements where generic_plans = 0 and custom_plans > 7`,
    )
    assert.deepEqual(planned, [])
  })
})

test('a plan for few records looks no cheaper than the one for all values: PostgreSQL would make it each time', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await filled()
  const late = JSON.stringify({ id: 'x', createdAt: '2120-01-01T00:00:00.000Z' })
  const early = JSON.stringify({ id: 'x', createdAt: '1990-01-01T00:00:00.000Z' })
  const after = (text: string) => writeCursor('createdAt', 'asc', customer, text)
  for (const [few, many] of [
    [{ outletId: 'none' }, { outletId: 'outlet-7' }],
    [{ cursor: after(late) }, { cursor: after(early) }],
    [
      { outletId: 'outlet-7', cursor: after(late) },
      { outletId: 'outlet-7', cursor: after(early) },
    ],
    [{ createdAt: { gte: '2120-01-01' } }, { createdAt: { gte: '1990-01-01' } }],
    [
      { outletId: 'none', createdAt: { lt: '1990-01-01' } },
      { outletId: 'outlet-7', createdAt: { lt: '2120-01-01' } },
    ],
  ]) {
    const [one, another] = await Promise.all(
      [few, many].map(async (parameters) => {
        const query = listQuery(customer, companyId, { limit: 100, ...parameters })
        const statements = [[pageStatement(customer, query).text, query.page.values] as const]
        if (query.walked) statements.push([countStatement(customer, query).text, query.filterValues])
        return Promise.all(statements.map(([text, values]) => service.database.query(`explain ${text}`, [...values])))
      }),
    )
    assert.deepEqual(one, another, JSON.stringify(few))
  }
})

test('a list within bounds of the time by which it is sorted has one plan for all values, from its beginning and from a cursor, which walks only the range in the index', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await filled()
  await service.database.transaction(async (connection) => {
    for (const resource of resources) {
      const { exact, selective } = resource.list
      const members = [undefined, ...exact.filter((member) => !selective.includes(member))]
      for (const [sortBy, member] of [...members.map((member) => ['createdAt', member]), ['updatedAt', undefined]])
        for (const sortOrder of ['asc', 'desc']) {
          const filter = member === undefined ? {} : { [member]: 'none' }
          const request = { ...filter, sortBy, sortOrder, limit: 100 }
          const last = JSON.stringify({ id: 'x', createdAt: '2030', updatedAt: '2030' })
          const cursor = writeCursor(sortBy as string, sortOrder, resource, last)
          const ranges = [{ gte: '2030-01-01T00:00:00.000Z' }, { lt: '2020-01-01T00:00:00.000Z' }]
          const queries = [
            ...ranges.map((range) => ({ [sortBy as string]: range })),
            { [sortBy as string]: ranges[0], cursor },
          ].map((more) => listQuery(resource, companyId, { ...request, ...more }))
          for (let n = 0; n < 8; n++)
            for (const query of queries)
              assert.deepEqual(await connection.query(pageStatement(resource, query), query.page.values), [])
          const [name, another] = queries.map((query) => pageStatement(resource, query).name)
          assert.equal(name, another)
          const own = member === undefined ? '' : `${snakeCase(member)}, `
          const time = snakeCase(sortBy as string)
          const values = (queries[0]?.page.values ?? []).map((value) => `'${value}'`).join(', ')
          const rows = await connection.query(`explain (costs off) execute ${name}(${values})`)
          const plan = rows.map(([line]) => line).join('\n')
          const [beyond, upTo] = sortOrder === 'asc' ? ['>', '<='] : ['<', '>=']
          const end = own === '' ? `\\(${time} ${upTo} ` : `\\(ROW\\(${own}${time}\\) ${upTo} `
          const walks = `\\(ROW\\(${own}${time}, id\\) ${beyond} ROW\\(.*AND ${end}`
          assert.match(plan, new RegExp(`Index Cond: \\(\\(company_id = \\$1\\) AND ${walks}`), plan)
          assert.doesNotMatch(plan, /Sort|Filter/, plan)
        }
    }
    const planned = await connection.query(
      `select name from pg_prepared_statements where name like '%_range%' and generic_plans < custom_plans`,
    )
    assert.deepEqual(planned, [])
  })
})

test('a list with a second filter, or in another order, gets a plan for its values', () => {
  for (const more of [{ source: 'any' }, { sortBy: 'lastName' }, { searchByEmail: 'any' }]) {
    const query = listQuery(customer, 'any', { outletId: 'any', ...more })
    assert.deepEqual(
      [pageStatement(customer, query).name, countStatement(customer, query).name],
      [undefined, undefined],
    )
  }
})
