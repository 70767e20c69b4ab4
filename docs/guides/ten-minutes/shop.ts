// A first program in TypeScript: a product with stock, a webhook, a sale, and a list page by page.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Cashwrap, webhooks } from '@cashwrap/sdk'

const { URL: baseUrl = 'http://127.0.0.1:8080', KEY: apiKey = '', PORT: port = '9000' } = process.env
const client = new Cashwrap({ baseUrl, apiKey })

// A product, its variant, and 40 bags of it at an outlet.
const outlet = await client.outlets.create({ name: 'Main Street' })
const product = await client.products.create({ name: 'Espresso beans', status: 'active' })
const variant = await client.variants.create({
  productId: product.id,
  sku: 'ESP-250',
  price: 12.5,
  manageStock: true,
  inventory: [{ outletId: outlet.id, stock: 40 }],
})

// A receiver of webhooks. It refuses a call that is not signed with the secret.
const secret = `whsec_${crypto.getRandomValues(Buffer.alloc(32)).toString('base64')}`
const received = Promise.withResolvers<string>()
const receiver = createServer(async (request, response) => {
  try {
    const call = await webhooks.unwrap(await text(request), request.headers, secret)
    response.writeHead(204).end()
    if (call.eventType === 'order.completed') received.resolve(call.order.id)
  } catch {
    response.writeHead(401).end()
  }
}).listen(Number(port), '127.0.0.1')
const trigger = await client.automationTriggers.create({
  triggerType: 'order.completed',
  triggerUrl: `http://127.0.0.1:${port}/`,
  apiKey: secret,
})

// A sale of two bags. The service computes the sums and the change, and moves the stock.
const { order, stock } = await client.sales.create({
  outletId: outlet.id,
  lineItems: [{ variantId: variant.id, price: '12.50', quantity: 2, taxes: [{ name: 'VAT', percentage: 20 }] }],
  payments: [{ paymentMethod: 'cash', amount: '50.00' }],
})
console.log(`sold: ${order.summary?.total}, change ${order.paymentMethods?.[0]?.change}, ${stock[0]?.stock} bags left`)
console.log((await received.promise) === order.id ? 'webhook: verified' : 'webhook: of another order')
await client.automationTriggers.delete(trigger.id)
receiver.close()

// Four more products in one request, then all of them, two on a page.
await client.products.createMany(['Filter', 'Grinder', 'Kettle', 'Mug'].map((name) => ({ name })))
for await (const { name } of client.products.list({ sortBy: 'name', limit: 2 })) console.log(`product: ${name}`)
