// A till that sells without a network: `sell` queues a sale on its own disk, `send` sends what is queued, each sale once.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Cashwrap } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })
const queue = new DatabaseSync('queue.sqlite')
queue.exec('create table if not exists sales (receipt text primary key, body text, batch text, problem text)')

/** Queues a sale: when it was made, and that its goods have left the shop, whatever the stock says. */
function sell(receiptId: string, sale: object): void {
  const body = { ...sale, receiptId, clientRef: receiptId, occurredAt: new Date().toISOString(), oversell: true }
  queue.prepare('insert into sales (receipt, body) values (?, ?)').run(receiptId, JSON.stringify(body))
}

/** Sends the queue in batches. A batch is stored before it is sent, with its key: sent again, it is the same request. */
async function send(): Promise<void> {
  const next = 'select receipt from sales where batch is null and problem is null order by receipt limit 1000'
  queue.prepare(`update sales set batch = ? where receipt in (${next})`).run(randomUUID())
  const batches = queue.prepare('select distinct batch from sales where batch is not null').all()
  for (const { batch = null } of batches) {
    const sales = queue.prepare('select receipt, body from sales where batch = ? order by receipt').all(batch)
    const items = sales.map(({ body }) => JSON.parse(String(body)))
    const { results } = await client.sales.createMany(items, { idempotencyKey: String(batch) })
    queue.exec('begin')
    for (const result of results) {
      const { receipt = null } = sales[result.index] ?? {}
      if (result.status === 'success') queue.prepare('delete from sales where receipt = ?').run(receipt)
      // What the service refuses is kept for a person to look at.
      else
        queue.prepare('update sales set batch = null, problem = ? where receipt = ?').run(result.error.message, receipt)
    }
    queue.exec('commit')
  }
}

const [command, receipt = '', sale = ''] = process.argv.slice(2)
if (command === 'sell') sell(receipt, JSON.parse(sale))
else await send()
for (const { receipt, problem } of queue.prepare('select * from sales where problem is not null').all())
  console.log(`${receipt}: ${problem}`)
