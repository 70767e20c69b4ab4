// Keeps a web shop and Cashwrap the same: the shop's products come here, the stock of all tills goes there. Run it every minute.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Cashwrap, NotFoundError } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '', SHOP = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })
const source = 'web-shop'

/** A request to the shop; what it does not accept ends the program, and the next run goes on there. */
async function shop(path: string, request: RequestInit = {}) {
  const answer = await fetch(SHOP + path, request)
  if (!answer.ok) throw new Error(`The shop answered ${answer.status} to ${path}.`)
  return answer
}

// Its products, by the ids that they have there: new ones are created, changed ones are updated, others are left alone.
type Offer = { id: string; name: string; price: number }
const offers = (await (await shop('/products')).json()) as Offer[]
const products = await client.products.createMany(
  offers.map(({ id, name }) => ({ source, externalId: id, name, status: 'active' })),
  { mode: 'upsert' },
)
const variants = products.results.flatMap((result) => {
  if (result.status === 'error') return []
  const { id = '', price = 0 } = offers[result.index] ?? {}
  return [{ externalId: `${source}-${id}`, productId: result.data.id, price, manageStock: true }]
})
const made = await client.variants.createMany(variants, { mode: 'upsert' })
for (const { error } of [...products.failed, ...made.failed]) console.error(error.message)

/** The shop's id of a variant, also of one that this run could not update; undefined for what is not from the shop, or gone. */
async function idInShop(variantId: string): Promise<string | undefined> {
  const variant = await client.variants.get(variantId).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error
  })
  return variant?.externalId?.startsWith(`${source}-`) ? variant.externalId.slice(source.length + 1) : undefined
}

// Changes of stock since the last run. The shop is sent what is on the shelf, not what was sold, so sending it twice does no harm.
const after = existsSync('cursor') ? readFileSync('cursor', 'utf8') : '0'
const changes = client.events.list({ after, type: 'inventory.stock_changed,inventory.deleted' })
for await (const event of changes) {
  if (event.type !== 'inventory.stock_changed' && event.type !== 'inventory.deleted') continue
  const { variantId } = event.data
  const id = await idInShop(variantId)
  if (id !== undefined) {
    const levels = await client.inventory.list({ variantId }).toArray()
    await shop(`/stock/${id}`, { method: 'PUT', body: String(levels.reduce((sum, { stock = 0 }) => sum + stock, 0)) })
  }
  keep(event.sequence)
}
// It moves on although no stock has changed: a cursor after which events are no longer kept is refused.
keep(changes.cursor ?? after)

/** Stores the cursor. A new file takes the place of the old one, so that a crash leaves one or the other. */
function keep(cursor: number | string): void {
  writeFileSync('cursor.new', String(cursor))
  renameSync('cursor.new', 'cursor')
}
