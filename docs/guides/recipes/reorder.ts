// An agent that orders what runs out, each shortage once: a level is ordered again only after it was filled. Run it every hour.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Cashwrap, NotFoundError } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '', SUPPLIER = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })
const below = 5
const full = 20

/** Orders that were placed and whose goods have not come, by the id of the level. */
const open: Record<string, { number: string; sku: string; quantity: number; isPlaced: boolean }> = existsSync(
  'orders.json',
)
  ? JSON.parse(readFileSync('orders.json', 'utf8'))
  : {}
function store(): void {
  writeFileSync('orders.new.json', JSON.stringify(open))
  renameSync('orders.new.json', 'orders.json')
}

for (const id of Object.keys(open)) {
  const level = await client.inventory.get(id).catch((error) => {
    if (error instanceof NotFoundError) return undefined
    throw error
  })
  if ((level?.stock ?? full) >= below) delete open[id]
}
const { data } = await client.reports.lowStock({ below, limit: 1000 })
for (const { inventoryId, sku = '', stock } of data)
  open[inventoryId] ??= { number: crypto.randomUUID(), sku, quantity: full - stock, isPlaced: false }
// Each order has its number before it is sent, so that one whose answer was lost is the same order when it is sent again.
store()
for (const order of Object.values(open).filter(({ isPlaced }) => !isPlaced)) {
  const { number, sku, quantity } = order
  const answer = await fetch(`${SUPPLIER}/orders/${number}`, { method: 'PUT', body: JSON.stringify({ sku, quantity }) })
  if (!answer.ok) throw new Error(`The supplier answered ${answer.status}.`)
  order.isPlaced = true
  store()
  console.log(`ordered: ${quantity} of ${sku}`)
}
