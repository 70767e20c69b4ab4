// Posts each payment and each repayment to the books exactly once, and takes back what was voided. Run it every hour; it may be killed at any moment.
import { DatabaseSync } from 'node:sqlite'
import { Cashwrap, type Transaction } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })

// The cursor is in the same database as the entries, and moves in the transaction that posts them.
const books = new DatabaseSync('books.sqlite')
books.exec(`create table if not exists entries (transactionId text primary key, day text, account text, currency text, amount text);
  create table if not exists state (only integer primary key check (only = 1), cursor text, ranAt integer);
  insert or ignore into state values (1, '0', 0)`)
const post = books.prepare('insert or ignore into entries values (?, ?, ?, ?, ?)')
// An entry stays. A payment that is void or deleted gets another one with the opposite amount.
const takeBack = books.prepare(`insert or ignore into entries select transactionId || '-void', day, account, currency,
  case when amount like '-%' then substr(amount, 2) else '-' || amount end from entries where transactionId = ?`)

// Days and currency are those of the reports. Swedish dates are like 2026-11-21.
const { timezone = 'UTC', currency: usual = '' } = await client.company.get()
const days = new Intl.DateTimeFormat('sv', { timeZone: timezone })

/** Posts payments, and stores where the next run goes on: both, or neither. */
function write(transactions: Transaction[], cursor?: string): void {
  books.exec('begin')
  for (const { id, type = 'sale', amount, paymentMethod, currency = usual, occurredAt, createdAt } of transactions) {
    const day = days.format(new Date(occurredAt ?? createdAt))
    if (type === 'sale') post.run(id, day, paymentMethod, currency, amount)
    if (type === 'refund') post.run(id, day, paymentMethod, currency, `-${amount}`)
    if (type === 'void') takeBack.run(id)
  }
  if (cursor !== undefined) books.prepare('update state set cursor = ?, ranAt = ?').run(cursor, Date.now())
  books.exec('commit')
}

// Events are kept for 30 days. At the first run, and after a longer pause, the books get all payments from the list. The end of the
// feed is looked up before, so that what is paid meanwhile is in its events.
const { ranAt = 0 } = books.prepare('select ranAt from state').get() ?? {}
if (Date.now() - Number(ranAt) > 29 * 24 * 3600_000) {
  const latest = client.events.list({ since: new Date().toISOString() })
  await latest.toArray()
  for await (const { data } of client.transactions.list({ limit: 200 }).pages()) write(data)
  write([], latest.cursor)
}

// Payments since the last run.
const { cursor } = books.prepare('select cursor from state').get() ?? {}
const events = client.events.list({ after: String(cursor), type: 'transaction.*', limit: 200 })
for await (const { data } of events.pages()) {
  const changed = data.flatMap((event): Transaction[] => {
    if (event.type === 'transaction.created' || event.type === 'transaction.updated') return [event.data]
    return event.type === 'transaction.deleted' ? [{ ...event.data, type: 'void' }] : []
  })
  write(changed, String(data.at(-1)?.sequence ?? cursor))
}
// It moves on although nothing was paid: a cursor after which events are no longer kept is refused.
write([], events.cursor)
