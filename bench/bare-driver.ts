// The limit of every statement: the bare `pg` driver, alone in its process, repeats it on some connections.
import pg from 'pg'
import { newId } from '../server/src/core/ids.ts'
import { serveParent } from './child.ts'
import { numberedEach, numberMark } from './sample.ts'
import type { Caught } from './statements.ts'

/** What to run: for a number of seconds, or a number of times. */
export interface BareRun extends Caught {
  readonly clients: number
  readonly seconds?: number
  readonly times?: number
  /** The parameter that holds ids; each gets a new one if `ownIds` has none. */
  readonly idsAt?: number
  /** For updates: the ids of each client, and the parameter with their current versions. */
  readonly ownIds?: readonly (readonly string[])[]
  readonly versionsAt?: number
}

const open: pg.Client[] = []
let connection: pg.ClientConfig = {}

async function connectTo(clients: number): Promise<pg.Client[]> {
  while (open.length < clients) {
    const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig
    const client = new pg.Client({ ...connection, types })
    await client.connect()
    open.push(client)
  }
  return open.slice(0, clients)
}

async function run(task: BareRun): Promise<{ perSecond: number }> {
  const clients = await connectTo(task.clients)
  const works = await Promise.all(clients.map((client, index) => prepared(client, task, index)))
  const start = performance.now()
  const until = start + (task.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let left = task.times ?? Number.POSITIVE_INFINITY
  let done = 0
  let last = start
  await Promise.all(
    works.map(async (work) => {
      while (left-- > 0 && performance.now() < until) {
        await work()
        const now = performance.now()
        if (now > until) return
        done++
        last = now
      }
    }),
  )
  const elapsedMs = task.seconds === undefined ? last - start : task.seconds * 1000
  return { perSecond: (done * 1000) / elapsedMs }
}

let number = Math.floor(Math.random() * 1e8)

/** The statement on one connection, each time with values of its own. */
async function prepared(client: pg.Client, task: BareRun, index: number): Promise<() => Promise<unknown>> {
  const { statement, values, idsAt, ownIds, versionsAt } = task
  const ids = ownIds?.[index]
  const versions = ids && (await versionsOf(client, ids))
  const marked = values.map((value) => typeof value === 'string' && value.includes(numberMark))
  return () => {
    const next = values.map((value, at) => {
      if (at === idsAt) return inForm(value, ids ?? elements(value).map(() => newId()))
      if (at === versionsAt) return inForm(value, versions?.map((_, n) => versions[n]++) ?? [])
      return marked[at] ? numberedEach(value as string, () => ++number) : value
    })
    return client.query({ ...statement, values: next, rowMode: 'array' })
  }
}

/** The elements of an array as the engine may send it: as an array, in PostgreSQL's notation, `{a,b}`, or a single one alone. */
const elements = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : String(value).replace(/^{|}$/g, '').split(',')

const inForm = (value: unknown, list: readonly unknown[]) =>
  Array.isArray(value) ? list : String(value).startsWith('{') ? `{${list.join(',')}}` : list[0]

async function versionsOf(client: pg.Client, ids: readonly string[]): Promise<any[]> {
  const text =
    'select version from unnest($1::text[]) with ordinality as item(id, n) join customers using (id) order by n'
  const { rows } = await client.query({ text, values: [ids], rowMode: 'array' })
  return rows.map(([version]) => Number(version))
}

serveParent(
  async (message) => {
    if (message.statement) return run(message)
    connection = message.connection
  },
  () => Promise.all(open.map((client) => client.end())),
)
