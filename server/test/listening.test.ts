// LISTEN (database/listen.ts): a server hears all of its channels on one connection, and hears them again after that is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { listen, logOutages } from '../src/database/listen.ts'
import { connectedCopy } from './support/database.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const logged: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line).msg) })
const service = testService({ webhooks: { isSending: true }, log })

/** The processes of PostgreSQL that listen, each with the number of its channels. */
const listening = async (): Promise<[pid: number, channels: number][]> =>
  (await service.database.query(
    `select pid, count(*)::int from pg_locks where locktype = 'advisory' and objid = 7
       and database = (select oid from pg_database where datname = current_database()) group by pid order by pid`,
  )) as [number, number][]

/** Listens to a channel until the end of the test; `heard` has what was notified. */
async function listenTo(t: { after(stop: () => Promise<void>): void }, channel: string) {
  const heard: string[] = []
  let missed = 0
  const listener = listen(service.database, channel, {
    heard: (payload) => heard.push(payload),
    missed: () => missed++,
  })
  t.after(() => listener.close())
  await until('it is heard', () => listener.isAlive)
  return { listener, heard, missed: () => missed }
}

const notify = (channel: string, payload: string) =>
  service.database.query('select pg_notify($1, $2)', [channel, payload])

test('a server has one connection for its five channels, listens to all of them again after it is lost, and logs the loss and its end', async () => {
  await until('five channels are heard', async () => (await listening())[0]?.[1] === 5)
  const [[pid] = [], ...others] = await listening()
  assert.deepEqual(others, [])
  await service.database.query('select pg_terminate_backend($1)', [pid])
  await until('five channels are heard again', async () => {
    const [[again, channels] = [], ...others] = await listening()
    return again !== pid && channels === 5 && others.length === 0
  })
  const isOfOutage = (line: string) => line.includes('PostgreSQL')
  await until('the log says that it is over', () => logged.filter(isOfOutage).length === 2)
  assert.deepEqual(logged.filter(isOfOutage), [
    'the connection to PostgreSQL was lost; reconnecting',
    'PostgreSQL answers again',
  ])
})

test('when reconnecting fails, the log has the reason and what to do, not only that the connection was lost', async (t) => {
  const { connection, database } = await connectedCopy(t)
  const lines: { msg: string; reason?: string }[] = []
  const written = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  logOutages(database, { connectionString: 'postgres://u:hidden@db.example.com/shop' }, written)
  const listener = listen(database, 'one', { heard: () => {}, missed: () => {} })
  t.after(() => listener.close())
  await until('it is heard', () => listener.isAlive)
  const accept = (isAccepting: boolean) =>
    service.database.query(`alter database ${connection.database} with allow_connections ${isAccepting}`)
  await accept(false)
  await service.database.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    connection.database,
  ])
  await until('the reason is logged', () => lines.length === 2)
  await accept(true)
  await until('the log says that it is over', () => lines.length === 3)
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    [
      'the connection to PostgreSQL was lost; reconnecting',
      'reconnecting to PostgreSQL failed; retrying',
      'PostgreSQL answers again',
    ],
  )
  assert.equal(
    lines[1]?.reason,
    `The database db.example.com/shop cannot be used: database "${connection.database}" is not currently accepting connections.`,
  )
})

test('listeners of one channel hear each notice of it and none of another; the end of one leaves the others', async (t) => {
  const one = await listenTo(t, 'one')
  const other = await listenTo(t, 'one')
  const elsewhere = await listenTo(t, 'other')
  assert.equal((await listening()).length, 1)
  await notify('one', 'first')
  await one.listener.caughtUp()
  assert.deepEqual([one.heard, other.heard, elsewhere.heard], [['first'], ['first'], []])
  await one.listener.close()
  assert.equal(one.listener.isAlive, false)
  await notify('one', 'second')
  await other.listener.caughtUp()
  assert.deepEqual([one.heard, other.heard, elsewhere.heard], [['first'], ['first', 'second'], []])
})

test('all listeners of a lost connection learn that notices may be missed, and then hear again', async (t) => {
  const both = [await listenTo(t, 'one'), await listenTo(t, 'other')]
  const before = both.map(({ missed }) => missed())
  const [[pid] = []] = await listening()
  await service.database.query('select pg_terminate_backend($1)', [pid])
  await until('both notices of the loss', () => both.every(({ missed }, n) => missed() >= (before[n] as number) + 2))
  await until('all are heard', () => both.every(({ listener }) => listener.isAlive))
  for (const channel of ['one', 'other']) await notify(channel, 'again')
  for (const { listener } of both) await listener.caughtUp()
  assert.deepEqual(
    both.map(({ heard }) => heard),
    [['again'], ['again']],
  )
})

test('a deletion is answered once each server that listened has heard it, although one that begins to listen answers too', async (t) => {
  const { listener } = await listenTo(t, 'one')
  const slow = await service.database.connectAlone()
  const newcomer = await service.database.connectAlone()
  t.after(() => Promise.all([slow.end(), newcomer.end()]))
  await slow.query(`listen one; select pg_advisory_lock_shared(hashtext('one'), 7)`)
  // It listens, and does not hold its lock yet.
  await newcomer.query('listen one')
  const answer = (client: typeof slow, mark: string) => client.query(`select pg_notify('one', $1)`, [`heard ${mark}`])
  const marked = Promise.withResolvers<string>()
  const others = Promise.withResolvers<void>()
  let answers = 0
  slow.on('notification', ({ payload = '' }) => {
    const [word, mark = ''] = payload.split(' ')
    if (word === 'mark') marked.resolve(mark)
    else if (word === 'heard' && ++answers === 2) others.resolve()
  })
  newcomer.on('notification', ({ payload = '' }) => {
    const [word, mark = ''] = payload.split(' ')
    if (word === 'mark') answer(newcomer, mark)
  })
  const order: string[] = []
  const caughtUp = listener.caughtUp().then(() => order.push('caught up'))
  const mark = await marked.promise
  await others.promise
  // The server that asked hears notices in the order of their commits, so it has both answers once it hears another notice.
  const after = await listenTo(t, 'two')
  await notify('two', 'later')
  await until('it has both answers', () => after.heard.length === 1)
  order.push('the slow one answers')
  await answer(slow, mark)
  await caughtUp
  assert.deepEqual(order, ['the slow one answers', 'caught up'])
})
