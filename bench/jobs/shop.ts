// The shop in which the jobs are done: two outlets, a catalogue, customers and two weeks of sales, made over the API.
import type { Send } from '../caller.ts'

export interface Shop {
  readonly send: Send
  readonly outlets: readonly string[]
  /** Variants whose SKU begins with `GRO-`. */
  readonly groceries: readonly Variant[]
  readonly customer: { readonly id: string; readonly name: string }
  /** An order of several lines, one with more than one unit. */
  readonly order: { readonly id: string; readonly receiptId: string }
}

interface Variant {
  readonly id: string
  readonly productId: string
  readonly name: string
  readonly barcode: string
  readonly price: number
}

const DAYS = 14
const SALES_A_DAY = 30
const BULK = 200
/** Two hundred: ten kinds of twenty foods. */
const foods = [
  ...['Apples', 'Bananas', 'Bread', 'Butter', 'Carrots', 'Cheese', 'Coffee', 'Crackers', 'Flour', 'Honey'],
  ...['Jam', 'Milk', 'Noodles', 'Oats', 'Olives', 'Rice', 'Salad', 'Sugar', 'Tea', 'Yoghurt'],
]
const kinds = ['Alpine', 'Country', 'Family', 'Fine', 'Fresh', 'Harvest', 'Market', 'Morning', 'Organic', 'Valley']
const household = ['Bag', 'Bowl', 'Brush', 'Candle', 'Cup', 'Glass', 'Knife', 'Lamp', 'Plate', 'Spoon', 'Towel', 'Tray']
const firstNames = [
  ...['Anna', 'Ben', 'Clara', 'David', 'Ella', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jakob'],
  ...['Katharina', 'Lukas', 'Maria', 'Noah', 'Olivia', 'Paul', 'Rosa', 'Simon', 'Theresa', 'Viktor'],
]
const lastNames = [
  ...['Auer', 'Bauer', 'Eder', 'Fischer', 'Gruber', 'Huber', 'Koller', 'Lang', 'Maier', 'Moser'],
  ...['Pichler', 'Reiter', 'Schmid', 'Steiner', 'Wagner'],
]

/** Creates records in bulk; returns them. */
async function createAll(send: Send, path: string, items: readonly object[]): Promise<any[]> {
  const made: any[] = []
  for (let n = 0; n < items.length; n += BULK) {
    const { results } = await send('POST', path, { items: items.slice(n, n + BULK) })
    for (const { data, error } of results) {
      if (error) throw new Error(`${path}: ${JSON.stringify(error)}`)
      made.push(data)
    }
  }
  return made
}

/** The check digit of an EAN-13 after its first twelve digits. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((all, digit, n) => all + Number(digit) * (n % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Fills an empty company. */
export async function fillShop(send: Send): Promise<Shop> {
  const places = await createAll(send, '/v1/outlets', [{ name: 'Centre' }, { name: 'Harbour' }])
  const outlets = places.map(({ id }) => id as string)
  const stations = await createAll(
    send,
    '/v1/stations',
    outlets.map((outletId, n) => ({ name: `Till ${n + 1}`, outletId, status: 'IN_USE' })),
  )
  const groceries = await catalogue(send, outlets)
  const people = firstNames.flatMap((firstName, one) =>
    lastNames.map((lastName, other) => {
      const number = String(1_000_000 + one * 26_417 + other * 1_733)
      return { firstName, lastName, email: `${firstName}.${lastName}@mail.example`, phone: `+43 679 ${number}` }
    }),
  )
  const customers = await createAll(send, '/v1/customers', people)
  const tills = stations.map(({ id }, n) => ({ stationId: id, outletId: outlets[n] }))
  const orders = await createAll(send, '/v1/sales', salesOf(tills, groceries, customers))
  // The last sale is yesterday's, of a known make: three lines, the first of them of two units.
  const { order } = orders.at(-1)
  const { id, firstName, lastName } = customers[217]
  return {
    send,
    outlets,
    groceries,
    customer: { id, name: `${firstName} ${lastName}` },
    order: { id: order.id, receiptId: order.receiptId },
  }
}

/** Two hundred groceries of one variant, and twelve other products of three; returns the groceries. */
async function catalogue(send: Send, outlets: readonly string[]): Promise<Variant[]> {
  const names = foods.flatMap((food) => kinds.map((kind) => `${kind} ${food.toLowerCase()}`))
  const products = await createAll(
    send,
    '/v1/products',
    [...names, ...household].map((name) => ({ name, status: 'active' })),
  )
  const inventory = outlets.map((outletId) => ({ outletId, stock: 500 }))
  const variant = (productId: string, n: number) => ({
    productId,
    manageStock: true,
    inventory,
    barcode: withCheckDigit(`900${String(100_000_000 + n)}`),
    price: 0.99 + (n % 40) * 0.37,
  })
  const cents = (price: number) => Math.round(price * 100) / 100
  const items = products.flatMap(({ id }, n) => {
    if (n < names.length) {
      const one = variant(id, n)
      return [{ ...one, price: cents(one.price), sku: `GRO-${1_000 + n}` }]
    }
    return ['Blue', 'Red', 'White'].map((value, m) => {
      const one = variant(id, n * 3 + m)
      return { ...one, price: cents(one.price), sku: `HOU-${n}-${value}`, attributes: [{ name: 'Colour', value }] }
    })
  })
  const made = await createAll(send, '/v1/variants', items)
  return made
    .slice(0, names.length)
    .map(({ id, productId, barcode, price }, n) => ({ id, productId, barcode, price, name: names[n] ?? '' }))
}

/** Sales of the last two weeks without today, oldest first: one to three lines each, the last one of three. */
function salesOf(tills: readonly object[], groceries: readonly Variant[], customers: readonly any[]): object[] {
  const dayMs = 86_400_000
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  return Array.from({ length: DAYS * SALES_A_DAY * tills.length }, (_, n) => {
    const day = Math.floor(n / (SALES_A_DAY * tills.length))
    const ofDay = n % (SALES_A_DAY * tills.length)
    const seconds = 8 * 3_600 + ofDay * 600
    const lineItems = Array.from({ length: 1 + ((n + 1) % 3 === 0 ? 2 : n % 2) }, (_, line) => {
      const { id, productId, name, price } = groceries[(n * 7 + line * 31) % groceries.length] as Variant
      return { variantId: id, productId, name, price: price.toFixed(2), quantity: line === 0 ? 2 : 1 }
    })
    const total = lineItems.reduce((sum, { price, quantity }) => sum + Math.round(Number(price) * 100) * quantity, 0)
    return {
      ...tills[n % tills.length],
      receiptId: `R-${10_000 + n}`,
      lineItems,
      currency: 'EUR',
      ...(n % 4 === 0 && { customerId: customers[n % customers.length].id }),
      occurredAt: new Date(midnight - (DAYS - day) * dayMs + seconds * 1_000).toISOString(),
      payments: [{ paymentMethod: n % 3 === 0 ? 'cash' : 'card', amount: (total / 100).toFixed(2) }],
    }
  })
}
