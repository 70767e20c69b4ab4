// A service of the comparison while it runs: installed, filled, started, and checked that it does each job.
import pg from 'pg'
import type { Connection } from '../../server/src/database/connect.ts'
import { idMark, numbered } from '../sample.ts'
import { install, nodeIn } from './install.ts'
import { bulkRecords, type Customer, newCustomers, outlets } from './records.ts'
import type { Place, Requests, Rival } from './rival.ts'
import { freePort, type Server, startServer } from './server.ts'

export interface Participant {
  readonly rival: Rival
  readonly server: Server
  readonly requests: Requests
  /** Ids of the records to begin with. */
  readonly ids: readonly string[]
  readonly restMB: number
}

/** The answers of the first request of each job. */
export type Answers = Map<string, { readonly method: 'GET' | 'POST'; readonly status: number; readonly text: string }>

/** What all participants of a run share. */
export interface Stage {
  /** The folder with a folder for each service. */
  readonly folder: string
  readonly connection: Connection & { readonly host: string }
  readonly records: readonly Customer[]
}

/** The time that a service has to come to rest after its start. */
const restMs = 3_000

/** Installs a service, fills it, starts it, and checks it. */
export async function enter(rival: Rival, stage: Stage): Promise<{ participant: Participant; answers: Answers }> {
  const folder = `${stage.folder}/${rival.name}`
  await install(rival, folder)
  const place = await placeOf(rival, stage, folder)
  const client = new pg.Client(place.connection)
  await client.connect()
  try {
    const query: Place['query'] = async (text, values = []) => (await client.query(text, values as unknown[])).rows
    const credential = await rival.prepare({ ...place, query })
    await query('vacuum analyze')
    const ids = (await query(`select id::text from ${rival.table}`)).map(({ id }) => id)
    if (ids.length !== stage.records.length) throw new Error(`it has ${ids.length} of ${stage.records.length} records`)
    const server = await startServer(rival.command({ ...place, query }), place, rival.readyPath)
    try {
      const requests = await rival.requests(server.url, credential)
      await new Promise((resolve) => setTimeout(resolve, restMs))
      const restMB = await server.memory()
      const participant = { rival, server, requests, ids, restMB }
      const count = async () => Number((await query(`select count(*) from ${rival.table}`))[0].count)
      return { participant, answers: await check(participant, stage.records, count) }
    } catch (error) {
      await server.stop()
      throw error
    }
  } finally {
    await client.end()
  }
}

/** Its place with an empty database. */
async function placeOf({ name }: Rival, { connection, records }: Stage, folder: string): Promise<Omit<Place, 'query'>> {
  const database = `rival_${name}`
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create database ${database}`).finally(() => client.end())
  return {
    folder,
    records,
    connection: { ...connection, database },
    databaseUrl: `postgres://cashwrap@localhost/${database}?host=${encodeURIComponent(connection.host)}`,
    port: await freePort(),
    node: nodeIn(folder),
  }
}

/** Does each job once, and checks by the number of e-mail addresses in its answer, and of rows, that it was done. */
async function check(
  { server, requests, ids }: Participant,
  records: readonly Customer[],
  count: () => Promise<number>,
): Promise<Answers> {
  const answers: Answers = new Map()
  const { headers, read, list, counted, search, create, bulk } = requests
  const send = async (job: string, found: number | undefined, path: string, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await fetch(server.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    const has = text.match(/"email":/g)?.length ?? 0
    if (!answer.ok || (found !== undefined && has !== found))
      throw new Error(
        `${job}: ${method} ${path} answered ${answer.status} with ${has} customers: ${text.slice(0, 300)}`,
      )
    answers.set(job, { method, status: answer.status, text })
    return text
  }
  await send('read', 1, read.replace(idMark, ids[0] as string))
  await send('list', Math.min(100, Math.floor(records.length / outlets)), list)
  const text = await send('counted', Math.min(100, Math.floor(records.length / outlets)), counted)
  if (!new RegExp(`count":"?${records.length / outlets}\\b`).test(text))
    throw new Error('counted: the count is not right')
  await send('search', Math.min(100, Math.ceil(records.length / 1000)), search)
  const before = await count()
  await send('create', 1, create.path, numbered(JSON.stringify(create.body), 99_999_999))
  if ((await count()) !== before + 1) throw new Error('create: there is not one record more')
  if (bulk) {
    await send('bulk', undefined, bulk.path, JSON.stringify(bulk.body(newCustomers(0))))
    if ((await count()) !== before + 1 + bulkRecords) throw new Error(`bulk: there are not ${bulkRecords} records more`)
  }
  return answers
}
