// The nightly load of a warehouse: its catalogue as an import, then its stock, by SKU. Running it again changes nothing.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Cashwrap } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '', OUTLET: outletId = '' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })

// New and changed products. The service checks the file and runs the import by itself.
const fileName = 'catalog.csv'
let { id, state } = await client.imports.create(readFileSync(fileName), { outletId, fileName, run: true })
while (['checking', 'ready', 'running'].includes(state)) {
  await wait(200)
  state = (await client.imports.get(id)).state
}
const { problem, rowsRefused = 0, summary } = await client.imports.get(id)
if (state !== 'done') throw new Error(`The import is ${state}: ${problem}`)
console.log(`catalogue: ${summary?.variants?.created} new variants, ${rowsRefused} lines refused`)

// The stock, as lines of SKU and quantity. A SKU that is not known is reported, and the others are set.
const variants = new Map<string, { id: string; productId: string }>()
for await (const { id, sku, productId } of client.variants.list({ limit: 500 }))
  if (sku) variants.set(sku, { id, productId })
const lines = readFileSync('stock.csv', 'utf8').trim().split('\n')
const levels = lines.flatMap((line) => {
  const [sku = '', quantity] = line.split(',')
  const variant = variants.get(sku)
  const isNumber = /^-?\d+$/.test(quantity?.trim() ?? '')
  if (!variant || !isNumber) console.log(`${variant ? 'no quantity' : 'unknown'}: ${sku}`)
  return variant && isNumber
    ? [{ productId: variant.productId, variantId: variant.id, outletId, quantity: Number(quantity) }]
    : []
})
const { summary: set, failed } = await client.inventory.setLevels(levels, { reason: 'warehouse' })
for (const { error } of failed) console.log(error.message)
console.log(`stock: ${(set.created ?? 0) + (set.updated ?? 0)} set, ${set.unchanged} unchanged`)
