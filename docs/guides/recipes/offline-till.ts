// A till that sells without a network: `sell` queues a sale on its own disk, `send` sends what is queued, each sale once.
import { DatabaseSync } from 'node:sqlite'
import { Cashwrap } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '', TILL: source = 'till-1' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })
const queue = new DatabaseSync('queue.sqlite')
queue.exec('create table if not exists sales (receipt text primary key, body text, problem text)')

/** Queues a sale: its number, when it was made, and that its goods have left the shop, whatever the stock says. */
function sell(receiptId: string, sale: object): void {
  const body = {
    ...sale,
    source,
    externalId: receiptId,
    receiptId,
    occurredAt: new Date().toISOString(),
    oversell: true,
  }
  queue.prepare('insert into sales (receipt, body) values (?, ?)').run(receiptId, JSON.stringify(body))
}

/** Sends the queue. A sale that an earlier run sent is not made again, also if this till never got the answer. */
async function send(): Promise<void> {
  const sales = queue.prepare('select receipt, body from sales where problem is null order by receipt').all()
  const items = sales.map(({ body }) => JSON.parse(String(body)))
  const { results } = await client.sales.createMany(items, { mode: 'once' })
  queue.exec('begin')
  for (const result of results) {
    const { receipt = null } = sales[result.index] ?? {}
    if (result.status === 'success') queue.prepare('delete from sales where receipt = ?').run(receipt)
    // What the service refuses is kept for a person to look at.
    else queue.prepare('update sales set problem = ? where receipt = ?').run(result.error.message, receipt)
  }
  queue.exec('commit')
}

const [command, receipt = '', sale = ''] = process.argv.slice(2)
if (command === 'sell') sell(receipt, JSON.parse(sale))
else await send()
for (const { receipt, problem } of queue.prepare('select * from sales where problem is not null').all())
  console.log(`${receipt}: ${problem}`)
