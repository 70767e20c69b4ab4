// The measurements: each line of the table with its load, its limit and its target.
import { bareLimit } from './bare-limit.ts'
import { besideACrowd } from './beside.ts'
import { extendedMeasurements } from './extended.ts'
import { type Load, type Request, sendEach, wrkLoad } from './load.ts'
import type { Measurement, Parts } from './measurement.ts'
import { idMark, lengthMark, numbered, numberMark, refusedBody, sampleBody } from './sample.ts'
import type { Company } from './started.ts'
import { type Caught, insertStatement, pageStatement, plainInsert, replaceStatement } from './statements.ts'
import { stockMeasurements } from './stock.ts'

const bulkRecords = 1_000

/** What the measurements of single resources share. */
interface Bench {
  readonly parts: Parts
  /** Companies to be read, written, and with little load. */
  readonly read: Company
  readonly written: Company
  readonly quiet: Company
  /** The records of the second one that are updated, and those that are deleted. */
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  /** Connections of the loads. */
  readonly widths: readonly number[]
}

/** All measurements, in the order of the table. */
export async function measurements(parts: Parts): Promise<Measurement[]> {
  const { folder, service, isQuick } = parts
  const [read, written, quiet] = service.companies as [Company, Company, Company]
  const updates = Math.floor(written.ids.length / 3)
  const bench: Bench = {
    parts,
    read,
    written,
    quiet,
    updated: written.ids.slice(0, updates),
    deleted: written.ids.slice(updates),
    widths: isQuick ? [32] : [1, 32, 256],
  }
  return [
    ...(await readMeasurements(bench)),
    ...(await createMeasurements(bench)),
    ...(await listMeasurements(bench)),
    ...(await bulkCreateMeasurements(bench)),
    await bulkUpdateMeasurement(bench),
    ...(await unlimitedMeasurements(bench)),
    ...(await stockMeasurements(folder, parts, service.stocked as Company)),
    ...(await extendedMeasurements(folder, parts, read, service.extended as Company)),
    ...(await besideACrowd(folder, service.url, { quiet, busy: written })),
  ]
}

const request = ({ parts }: Bench, method: string, path: string, { apiKey }: Company, body?: object): Request => ({
  url: parts.service.url,
  method,
  path,
  apiKey,
  ...(body && { body: JSON.stringify(body) }),
})
const http = ({ parts }: Bench, wanted: Request, ids?: readonly string[]): Promise<Load> =>
  wrkLoad(parts.folder, wanted, ids)

async function readMeasurements(bench: Bench): Promise<Measurement[]> {
  const { parts, read, widths } = bench
  const wanted = request(bench, 'GET', `/v1/api/customer/${idMark}`, read)
  const one = await http(bench, wanted, read.ids)
  const bare = await http(bench, { ...wanted, url: parts.bareUrl }, read.ids)
  const at = (url: string, countsRefusals = false) =>
    wrkLoad(parts.folder, { ...wanted, url }, read.ids, countsRefusals)
  const unlimited = await at(parts.urls.unlimited)
  const untagged = await at(parts.urls.untagged)
  const limited = await at(parts.urls.limited)
  const refused = await at(parts.urls.refusing, true)
  const wrong = (url: string) =>
    wrkLoad(parts.folder, { ...request(bench, 'POST', '/v1/customer', read, refusedBody), url }, [], true)
  /** At 32 connections, compared with another load. */
  const compared = (name: string, target: number, ours: Load, limitName: string, limit: Load): Measurement => ({
    name,
    connections: 32,
    records: 1,
    target,
    ours: (seconds) => ours(32, seconds),
    limitName,
    limit: async (seconds) => (await limit(32, seconds)).perSecond,
  })
  return [
    ...widths.map(
      (connections): Measurement => ({
        name: 'read one',
        connections,
        records: 1,
        ...(connections === 32 && { target: 0.45 }),
        ours: (seconds) => one(connections, seconds),
        limitName: 'bare Fastify',
        limit: async (seconds) => (await bare(connections, seconds)).perSecond,
      }),
    ),
    compared('read one, with ETag', 0.95, unlimited, 'without it', untagged),
    compared('read one, rate limit on', 0.95, limited, 'read one', unlimited),
    compared('refused (429)', 0.77, refused, 'bare Fastify', bare),
    compared('refused (400)', 0.85, await wrong(parts.service.url), 'bare Fastify', await wrong(parts.bareUrl)),
  ]
}

async function createMeasurements(bench: Bench): Promise<Measurement[]> {
  const { parts, written, widths } = bench
  const wanted = request(bench, 'POST', '/v1/api/customer', written, sampleBody)
  const one = await http(bench, wanted)
  const insert = await insertStatement(written.companyId, 1)
  const keyed = await http(bench, { ...wanted, idempotencyKey: `bench-${numberMark}` })
  const plain = plainInsert(written.companyId)
  return [
    ...widths.map(
      (connections): Measurement => ({
        name: 'create one',
        connections,
        records: 1,
        ...(connections === 32 && { target: 1.3 }),
        ours: (seconds) => one(connections, seconds),
        ...bareLimit(parts, connections, insert, { idsAt: idsAt(insert, written) }),
      }),
    ),
    {
      name: 'create one, keyed',
      connections: 32,
      records: 1,
      target: 0.8,
      ours: (seconds) => keyed(32, seconds),
      limitName: 'create one',
      limit: async (seconds) => (await one(32, seconds)).perSecond,
    },
    {
      name: 'create one',
      connections: 32,
      records: 1,
      ours: (seconds) => one(32, seconds),
      ...bareLimit(parts, 32, plain, { idsAt: idsAt(plain, written) }),
      limitName: 'bare, by hand',
    },
  ]
}

/** The parameter of a statement that holds the ids of the records. */
const idsAt = ({ values }: Caught, { companyId }: Company): number =>
  values.findIndex((value) => {
    const id = String(Array.isArray(value) ? value[0] : value).match(/^{?([0-9a-f]{24})(,|}|$)/)?.[1]
    return id !== undefined && id !== companyId
  })

async function listMeasurements(bench: Bench): Promise<Measurement[]> {
  const { parts, read, widths } = bench
  const plain = await http(bench, request(bench, 'GET', `/v1/api/customers?limit=${lengthMark}`, read))
  const page = await pageStatement(read.companyId, { limit: 100 })
  const same = await http(bench, request(bench, 'GET', '/v1/api/customers?limit=100', read))
  const bare = await http(bench, { ...request(bench, 'GET', '/v1/api/customers', read), url: parts.bareUrl })
  return [
    ...widths.map(
      (connections): Measurement => ({
        name: 'list of 100',
        connections,
        records: 1,
        ...(connections === 32 && { target: 0.6 }),
        ours: (seconds) => plain(connections, seconds),
        ...bareLimit(parts, connections, page),
      }),
    ),
    {
      name: 'list of 100',
      connections: 32,
      records: 1,
      ours: (seconds) => plain(32, seconds),
      limitName: 'bare Fastify',
      limit: async (seconds) => (await bare(32, seconds)).perSecond,
    },
    ...widths.map(
      (connections): Measurement => ({
        name: 'same list of 100',
        connections,
        records: 1,
        ours: (seconds) => same(connections, seconds),
        limitName: 'different lists',
        limit: async (seconds) => (await plain(connections, seconds)).perSecond,
      }),
    ),
  ]
}

/** Numbers the records and changes that bulk requests send, so that each differs. */
let sent = 0

async function bulkCreateMeasurements(bench: Bench): Promise<Measurement[]> {
  const { parts, written } = bench
  const createMany = request(bench, 'POST', '/v1/customers', written)
  const createBodies = (count: number) =>
    Array.from({ length: count }, () => {
      const items = Array.from({ length: bulkRecords }, () => numbered(JSON.stringify(sampleBody), ++sent))
      return `{"items":[${items.join(',')}]}`
    })
  const insertMany = await insertStatement(written.companyId, bulkRecords)
  return (parts.isQuick ? [32] : [1, 32]).map((connections): Measurement => {
    const times = connections === 1 ? 8 : 40
    return {
      name: 'bulk create 1,000',
      connections,
      records: bulkRecords,
      ...(connections === 32 && { target: 0.7 }),
      ours: () => sendEach(createMany, createBodies(times), connections),
      ...bareLimit(parts, connections, insertMany, { idsAt: idsAt(insertMany, written), times }),
    }
  })
}

async function bulkUpdateMeasurement(bench: Bench): Promise<Measurement> {
  const { parts, written, updated } = bench
  // Each concurrent one has records of its own: two that change the same ones would wait for each other.
  const portions = Array.from({ length: Math.floor(updated.length / bulkRecords) }, (_, n) =>
    updated.slice(n * bulkRecords, (n + 1) * bulkRecords),
  )
  const updateMany = request(bench, 'PATCH', '/v1/customers', written)
  const updateBodies = () =>
    portions.slice(0, 16).map((ids) => {
      const totalSpent = `${++sent}.00`
      return JSON.stringify({ items: ids.map((id) => ({ id, totalSpent })) })
    })
  const replaceMany = await replaceStatement(written.companyId, portions[0] as string[])
  return {
    name: 'bulk update 1,000',
    connections: 8,
    records: bulkRecords,
    ours: () => sendEach(updateMany, updateBodies(), 8),
    ...bareLimit(parts, 8, replaceMany, {
      idsAt: idsAt(replaceMany, written),
      versionsAt: replaceMany.values.findIndex((value) => /^{?1,1,/.test(String(value))),
      ownIds: portions,
      times: 16,
    }),
  }
}

/** Measurements at 32 connections that have no target. */
async function unlimitedMeasurements(bench: Bench): Promise<Measurement[]> {
  const { parts, read, written, updated, deleted } = bench
  const only = async (name: string, wanted: Request, ids?: readonly string[], page?: Caught): Promise<Measurement> => {
    const load = await http(bench, wanted, ids)
    const ours = (seconds: number) => load(32, seconds)
    return { name, connections: 32, records: 1, ours, ...(page && bareLimit(parts, 32, page)) }
  }
  const get = (path: string) => request(bench, 'GET', path, read)
  const depth = Math.floor(read.ids.length * 0.9)
  const cursor = await cursorBehind(get(''), depth)
  const search = { searchByLastName: 'KoDe' }
  const change = { totalSpent: `${numberMark}.00` }
  return [
    await only('update one', request(bench, 'PATCH', `/v1/customer/${idMark}`, written, change), updated),
    await only('delete one', request(bench, 'DELETE', `/v1/customer/${idMark}`, written), deleted),
    await only('look up by externalId', get(`/v1/customers?externalId=shop-${numberMark}`)),
    await only('list of 100 with count', get(`/v1/customers?limit=${lengthMark}`)),
    await only('page of 100 deep in, cursor', get(`/v1/customers?limit=${lengthMark}&cursor=${cursor}`)),
    await only('page of 100 deep in, skip', get(`/v1/api/customers?limit=${lengthMark}&skip=${depth}`)),
    await only(
      'search by 4 letters',
      get(`/v1/customers?${new URLSearchParams(search)}&limit=${lengthMark}`),
      undefined,
      await pageStatement(read.companyId, { ...search, limit: 100 }),
    ),
  ]
}

/** The cursor of the page after that many records. */
async function cursorBehind({ url, apiKey }: Request, records: number): Promise<string> {
  const answer = await fetch(`${url}/v1/customers?limit=1&skip=${records}`, { headers: { 'x-api-key': apiKey } })
  const { meta } = (await answer.json()) as { meta: { nextCursor: string } }
  return meta.nextCursor
}
