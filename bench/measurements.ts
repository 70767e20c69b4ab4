// The measurements: each line of the table with its load, its limit and its target.
import type { BareRun } from './bare-driver.ts'
import { besideACrowd } from './beside.ts'
import { extendedMeasurements } from './extended.ts'
import { type Request, sendEach, wrkLoad } from './load.ts'
import type { Measurement, Parts } from './measurement.ts'
import { idMark, numbered, numberMark, sampleBody } from './sample.ts'
import type { Company } from './started.ts'
import { type Caught, insertStatement, pageStatement, plainInsert, replaceStatement } from './statements.ts'
import { stockMeasurements } from './stock.ts'

const bulkRecords = 1_000
/** Connections of the bare driver that are tried; the best is used. */
const poolSizes = [2, 4, 8, 16, 32]
/** Bulk statements that each connection runs for that. */
const bulkTrials = 3

/** All measurements, in the order of the table. */
export async function measurements(parts: Parts): Promise<Measurement[]> {
  const { folder, service, bareUrl, driver, isQuick } = parts
  const [read, written, quiet] = service.companies as [Company, Company, Company]
  const updates = Math.floor(written.ids.length / 3)
  const updated = written.ids.slice(0, updates)
  const request = (method: string, path: string, { apiKey } = read, body?: object): Request => ({
    url: service.url,
    method,
    path,
    apiKey,
    ...(body && { body: JSON.stringify(body) }),
  })
  const http = (wanted: Request, ids?: readonly string[]) => wrkLoad(folder, wanted, ids)
  const widths = isQuick ? [32] : [1, 32, 256]
  const all: Measurement[] = []

  /** The bare driver on its best number of connections. */
  function bare(connections: number, caught: Caught, { times, ...rest }: Partial<BareRun> = {}) {
    const run = async (clients: number, seconds: number, count = times) => {
      const length = count === undefined ? { seconds } : { times: count }
      return (await driver.ask<{ perSecond: number }>({ ...caught, ...rest, clients, ...length })).perSecond
    }
    const state = { clients: 1 }
    return {
      limitName: 'bare driver',
      limit: (seconds: number) => run(state.clients, seconds),
      prepareLimit: async (seconds: number) => {
        if (connections === 1) return
        const speeds = new Map<number, number>()
        const most = times === undefined ? connections : 8
        for (const clients of isQuick ? [8, 16] : poolSizes.filter((size) => size <= most))
          speeds.set(await run(clients, seconds, times && clients * bulkTrials), clients)
        state.clients = speeds.get(Math.max(...speeds.keys())) as number
      },
    }
  }

  const readOne = await http(request('GET', `/v1/api/customer/${idMark}`), read.ids)
  const readBare = await http({ ...request('GET', `/v1/api/customer/${idMark}`), url: bareUrl }, read.ids)
  for (const connections of widths)
    all.push({
      name: 'read one',
      connections,
      records: 1,
      ...(connections === 32 && { target: 0.45 }),
      ours: (seconds) => readOne(connections, seconds),
      limitName: 'bare Fastify',
      limit: async (seconds) => (await readBare(connections, seconds)).perSecond,
    })

  const readAt = (url: string, countsRefusals = false) =>
    wrkLoad(folder, { ...request('GET', `/v1/api/customer/${idMark}`), url }, read.ids, countsRefusals)
  const readUnlimited = await readAt(parts.urls.unlimited)
  const readUntagged = await readAt(parts.urls.untagged)
  const readLimited = await readAt(parts.urls.limited)
  const readRefused = await readAt(parts.urls.refusing, true)
  all.push(
    {
      name: 'read one, with ETag',
      connections: 32,
      records: 1,
      target: 0.95,
      ours: (seconds) => readUnlimited(32, seconds),
      limitName: 'without it',
      limit: async (seconds) => (await readUntagged(32, seconds)).perSecond,
    },
    {
      name: 'read one, rate limit on',
      connections: 32,
      records: 1,
      target: 0.95,
      ours: (seconds) => readLimited(32, seconds),
      limitName: 'read one',
      limit: async (seconds) => (await readUnlimited(32, seconds)).perSecond,
    },
    {
      name: 'refused (429)',
      connections: 32,
      records: 1,
      target: 0.77,
      ours: (seconds) => readRefused(32, seconds),
      limitName: 'bare Fastify',
      limit: async (seconds) => (await readBare(32, seconds)).perSecond,
    },
  )

  const createOne = await http(request('POST', '/v1/api/customer', written, sampleBody))
  const insertOne = await insertStatement(written.companyId, 1)
  const idsOf = ({ values }: Caught) =>
    values.findIndex((value) => {
      const id = String(Array.isArray(value) ? value[0] : value).match(/^{?([0-9a-f]{24})(,|}|$)/)?.[1]
      return id !== undefined && id !== written.companyId
    })
  for (const connections of widths)
    all.push({
      name: 'create one',
      connections,
      records: 1,
      ...(connections === 32 && { target: 1.3 }),
      ours: (seconds) => createOne(connections, seconds),
      ...bare(connections, insertOne, { idsAt: idsOf(insertOne) }),
    })

  const createKeyed = await http({
    ...request('POST', '/v1/api/customer', written, sampleBody),
    idempotencyKey: `bench-${numberMark}`,
  })
  all.push({
    name: 'create one, keyed',
    connections: 32,
    records: 1,
    target: 0.8,
    ours: (seconds) => createKeyed(32, seconds),
    limitName: 'create one',
    limit: async (seconds) => (await createOne(32, seconds)).perSecond,
  })

  const plain = plainInsert(written.companyId)
  all.push({
    name: 'create one',
    connections: 32,
    records: 1,
    ours: (seconds) => createOne(32, seconds),
    ...bare(32, plain, { idsAt: idsOf(plain) }),
    limitName: 'bare, by hand',
  })

  const listPlain = await http(request('GET', '/v1/api/customers?limit=100'))
  const pagePlain = await pageStatement(read.companyId, { limit: 100 })
  for (const connections of widths)
    all.push({
      name: 'list of 100',
      connections,
      records: 1,
      ...(connections === 32 && { target: 0.6 }),
      ours: (seconds) => listPlain(connections, seconds),
      ...bare(connections, pagePlain),
    })
  const pageBare = await http({ ...request('GET', '/v1/api/customers'), url: bareUrl })
  all.push({
    name: 'list of 100',
    connections: 32,
    records: 1,
    ours: (seconds) => listPlain(32, seconds),
    limitName: 'bare Fastify',
    limit: async (seconds) => (await pageBare(32, seconds)).perSecond,
  })

  let sent = 0
  const createMany = request('POST', '/v1/customers', written)
  const createBodies = (count: number) =>
    Array.from({ length: count }, () => {
      const items = Array.from({ length: bulkRecords }, () => numbered(JSON.stringify(sampleBody), ++sent))
      return `{"items":[${items.join(',')}]}`
    })
  const insertMany = await insertStatement(written.companyId, bulkRecords)
  for (const connections of isQuick ? [32] : [1, 32]) {
    const times = connections === 1 ? 8 : 40
    all.push({
      name: 'bulk create 1,000',
      connections,
      records: bulkRecords,
      ...(connections === 32 && { target: 0.7 }),
      ours: () => sendEach(createMany, createBodies(times), connections),
      ...bare(connections, insertMany, { idsAt: idsOf(insertMany), times }),
    })
  }

  // Each concurrent one has records of its own: two that change the same ones would wait for each other.
  const portions = Array.from({ length: Math.floor(updated.length / bulkRecords) }, (_, n) =>
    updated.slice(n * bulkRecords, (n + 1) * bulkRecords),
  )
  const updateMany = request('PATCH', '/v1/customers', written)
  const updateBodies = () =>
    portions.slice(0, 16).map((ids) => {
      const totalSpent = `${++sent}.00`
      return JSON.stringify({ items: ids.map((id) => ({ id, totalSpent })) })
    })
  const replaceMany = await replaceStatement(written.companyId, portions[0] as string[])
  all.push({
    name: 'bulk update 1,000',
    connections: 8,
    records: bulkRecords,
    ours: () => sendEach(updateMany, updateBodies(), 8),
    ...bare(8, replaceMany, {
      idsAt: idsOf(replaceMany),
      versionsAt: replaceMany.values.findIndex((value) => /^{?1,1,/.test(String(value))),
      ownIds: portions,
      times: 16,
    }),
  })

  const only = async (name: string, wanted: Request, ids?: readonly string[], page?: Caught) => {
    const load = await http(wanted, ids)
    const ours = (seconds: number) => load(32, seconds)
    all.push({ name, connections: 32, records: 1, ours, ...(page && bare(32, page)) })
  }
  await only(
    'update one',
    request('PATCH', `/v1/customer/${idMark}`, written, { totalSpent: `${numberMark}.00` }),
    updated,
  )
  await only('delete one', request('DELETE', `/v1/customer/${idMark}`, written), written.ids.slice(updates))
  await only('list of 100 with count', request('GET', '/v1/customers?limit=100'))
  const cursor = await cursorBehind(request('GET', ''), Math.floor(read.ids.length * 0.9))
  const deep = `/v1/api/customers?limit=100&skip=${Math.floor(read.ids.length * 0.9)}`
  await only('page of 100 deep in, cursor', request('GET', `/v1/customers?limit=100&cursor=${cursor}`))
  await only('page of 100 deep in, skip', request('GET', deep))
  const search = { searchByLastName: 'KoDe' }
  await only(
    'search by 4 letters',
    request('GET', `/v1/customers?${new URLSearchParams(search)}`),
    undefined,
    await pageStatement(read.companyId, search),
  )
  all.push(...(await stockMeasurements(folder, parts, service.stocked as Company)))
  all.push(...(await extendedMeasurements(folder, parts, read, service.extended as Company)))
  all.push(...(await besideACrowd(folder, service.url, { quiet, busy: written })))
  return all
}

/** The cursor of the page after that many records. */
async function cursorBehind({ url, apiKey }: Request, records: number): Promise<string> {
  const answer = await fetch(`${url}/v1/customers?limit=1&skip=${records}`, { headers: { 'x-api-key': apiKey } })
  const { meta } = (await answer.json()) as { meta: { nextCursor: string } }
  return meta.nextCursor
}
