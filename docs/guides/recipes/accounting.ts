// Posts each payment and each repayment to the books exactly once. Run it every hour; it may be killed at any moment.
import { DatabaseSync } from 'node:sqlite'
import { Cashwrap } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })

// The cursor is in the same database as the entries, and moves in the transaction that posts them.
const books = new DatabaseSync('books.sqlite')
books.exec(`create table if not exists entries (transactionId text primary key, day text, account text, amount text);
  create table if not exists cursor (only integer primary key check (only = 1), sequence integer);
  insert or ignore into cursor values (1, 0)`)
const post = books.prepare('insert into entries values (?, ?, ?, ?)')
const move = books.prepare('update cursor set sequence = ?')

const { sequence } = books.prepare('select sequence from cursor').get() as { sequence: number }
const events = client.events.list({ after: String(sequence), type: 'transaction.created', limit: 200 })
for await (const { data } of events.pages()) {
  books.exec('begin')
  for (const event of data) {
    if (event.type !== 'transaction.created') continue
    const { id, type = 'sale', amount, paymentMethod, occurredAt, createdAt } = event.data
    const day = (occurredAt ?? createdAt).slice(0, 10)
    if (type === 'sale') post.run(id, day, paymentMethod, amount)
    if (type === 'refund') post.run(id, day, paymentMethod, `-${amount}`)
    move.run(event.sequence)
  }
  books.exec('commit')
}
