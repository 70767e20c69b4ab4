// Posts each payment and each repayment to the books exactly once, and takes back what was voided or corrected. Run it every hour; it may be killed at any moment.
import { DatabaseSync } from 'node:sqlite'
import { Cashwrap, type Transaction } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })

// The cursor is in the same database as the entries, and moves in the transaction that posts them.
const books = new DatabaseSync('books.sqlite')
books.exec(`create table if not exists entries (number integer primary key, transactionId text, day text, account text, currency text, amount text, isOpen integer);
  create index if not exists openEntries on entries (transactionId) where isOpen = 1;
  create table if not exists state (only integer primary key check (only = 1), cursor text, ranAt integer);
  insert or ignore into state values (1, '0', 0)`)
const posted = books.prepare(
  'select day, account, currency, amount from entries where transactionId = ? and isOpen = 1',
)
const enter = books.prepare('insert into entries values (null, ?, ?, ?, ?, ?, ?)')
const close = books.prepare('update entries set isOpen = 0 where transactionId = ?')

// Days and currency are those of the reports. Swedish dates are like 2026-11-21.
const { timezone = 'UTC', currency: usual = '' } = await client.company.get()
const days = new Intl.DateTimeFormat('sv', { timeZone: timezone })

/** A payment as the books have it: day, account, currency and amount. Nothing if it does not count. */
function entryOf({
  type = 'sale',
  amount,
  paymentMethod,
  currency = usual,
  occurredAt,
  createdAt,
}: Transaction): string[] {
  if (type !== 'sale' && type !== 'refund') return []
  const signed = type === 'sale' ? amount : `-${amount.replace('-', '')}`
  return [days.format(new Date(occurredAt ?? createdAt)), paymentMethod, currency, signed]
}

/** Posts a payment as it is now. An entry stays: if it is no longer right, another one with the opposite amount takes it back. */
function post(transactionId: string, entry: string[]): void {
  const before = Object.values(posted.get(transactionId) ?? {}).map(String)
  if (before.join() === entry.join()) return
  close.run(transactionId)
  const [day = '', account = '', currency = '', amount = ''] = before
  const opposite = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
  if (before.length > 0) enter.run(transactionId, day, account, currency, opposite, 0)
  if (entry.length > 0) enter.run(transactionId, ...entry, 1)
}

type Change = [id: string, entry: string[]]

/** Posts payments, and stores where the next run goes on: both, or neither. */
function write(entries: Change[], cursor?: string): void {
  books.exec('begin')
  for (const [id, entry] of entries) post(id, entry)
  if (cursor !== undefined) books.prepare('update state set cursor = ?, ranAt = ?').run(cursor, Date.now())
  books.exec('commit')
}

// Events are kept for 30 days. At the first run, and after a longer pause, the books get all payments from the list. The end of the
// feed is looked up before, so that what is paid meanwhile is in its events.
const { ranAt = 0 } = books.prepare('select ranAt from state').get() ?? {}
if (Date.now() - Number(ranAt) > 29 * 24 * 3600_000) {
  const latest = client.events.list({ since: new Date().toISOString() })
  await latest.toArray()
  const ids = new Set<unknown>()
  for await (const { data } of client.transactions.list({ limit: 200 }).pages()) {
    for (const { id } of data) ids.add(id)
    write(data.map((one) => [one.id, entryOf(one)]))
  }
  // What was deleted meanwhile is in no list.
  const open = books.prepare('select transactionId from entries where isOpen = 1').all()
  const gone = open.filter(({ transactionId }) => !ids.has(transactionId))
  write(
    gone.map(({ transactionId }) => [String(transactionId), []]),
    latest.cursor,
  )
}

// Payments since the last run.
const { cursor } = books.prepare('select cursor from state').get() ?? {}
const events = client.events.list({ after: String(cursor), type: 'transaction.*', limit: 200 })
for await (const { data } of events.pages()) {
  const changed = data.flatMap((event): Change[] => {
    if (event.type === 'transaction.deleted') return [[event.data.id, []]]
    const isPayment = event.type === 'transaction.created' || event.type === 'transaction.updated'
    return isPayment ? [[event.data.id, entryOf(event.data)]] : []
  })
  write(changed, String(data.at(-1)?.sequence ?? cursor))
}
// It moves on although nothing was paid: a cursor after which events are no longer kept is refused.
write([], events.cursor)
