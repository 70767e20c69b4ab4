// The books of simulated tills: what sales come to and what they do to stock, drawers and reports, in whole cents, without the service's code.

/** What is sold where. */
export interface Shop {
  readonly outlets: readonly string[]
  readonly stations: readonly string[]
  readonly products: readonly string[]
  readonly variants: readonly string[]
}

interface Line {
  readonly variant: number
  readonly quantity: number
  readonly subTotal: number
  readonly discount: number
  readonly total: number
  readonly tax: number
  readonly rate: number
}

/** A sale as it is sent, and as the books know it. */
export interface Sold {
  readonly body: any
  readonly outlet: number
  readonly day: string
  readonly lines: readonly Line[]
  readonly total: number
  readonly cash: number
  readonly card: number
}

/** What a session has come to. */
interface Drawer {
  cash: number
  card: number
  sales: number
  refunds: number
  readonly sessionId: string
}

export const cents = (amount: string | undefined): number => Math.round(Number(amount ?? '0') * 100)
export const text = (amount: number): string =>
  `${amount < 0 ? '-' : ''}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, '0')}`

/** Half a cent away from zero, of whole numbers. */
const divided = (amount: number, by: number): number => Math.floor((2 * amount + by) / (2 * by))

/** Pseudo-random numbers that are the same in each run. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Place {
  readonly till: number
  /** Days before today. */
  readonly day: number
  readonly n: number
  readonly sessionId: string
}

/** A sale of one to four lines, some with a discount, paid in cash, by card, or both. */
export function randomSale(shop: Shop, { till, day, n, sessionId }: Place): Sold {
  const next = random(till * 1_000_003 + day * 10_007 + n + 1)
  const below = (most: number) => Math.floor(next() * most)
  const outlet = till % shop.outlets.length
  const lines = Array.from({ length: 1 + below(4) }, (): Line => {
    const variant = below(shop.variants.length)
    const price = 99 + variant * 137
    const quantity = 1 + below(3)
    const subTotal = price * quantity
    const discount = next() < 0.2 ? divided(subTotal * 10, 100) : 0
    const total = subTotal - discount
    const rate = variant % 2 === 0 ? 20 : 10
    return { variant, quantity, subTotal, discount, total, rate, tax: divided(total * rate, 100) }
  })
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0)
  const subTotal = sum((line) => line.subTotal)
  const discounts = sum((line) => line.discount)
  const taxes = sum((line) => line.tax)
  const total = subTotal - discounts + taxes
  const card = next() < 0.4 ? total : next() < 0.2 ? divided(total, 2) : 0
  const cash = total - card
  const change = cash > 0 ? (500 - (cash % 500)) % 500 : 0
  const occurredAt = new Date(Date.now() - day * 86_400_000)
  occurredAt.setUTCHours(8 + (n % 10), n % 60, till, 0)
  const body = {
    receiptId: `R-${till}-${day}-${n}`,
    outletId: shop.outlets[outlet],
    stationId: shop.stations[till],
    sessionId,
    employee: `employee-${till % 4}`,
    occurredAt: occurredAt.toISOString(),
    lineItems: lines.map((line) => ({
      productId: shop.products[line.variant],
      variantId: shop.variants[line.variant],
      quantity: line.quantity,
      price: text(line.subTotal / line.quantity),
      subTotal: text(line.subTotal),
      total: text(line.total),
      ...(line.discount > 0 && { discount: { itemDiscount: { percentage: 10, amount: text(line.discount) } } }),
      totalTax: text(line.tax),
      taxes: [{ name: `VAT ${line.rate}`, percentage: line.rate, amount: text(line.tax) }],
    })),
    summary: { subTotal: text(subTotal), discountTotal: text(discounts), totalTaxes: text(taxes), total: text(total) },
    payments: [
      ...(card > 0 ? [{ paymentMethod: 'credit_card', amount: text(card) }] : []),
      ...(cash > 0 ? [{ paymentMethod: 'cash', amount: text(cash), ...(change > 0 && { change: text(change) }) }] : []),
    ],
    check: 'strict',
  }
  return { body, outlet, day: body.occurredAt.slice(0, 10), lines, total, cash, card }
}

/** What one unit of the first line is refunded with. */
export function refundOfOne({ lines }: Sold): number {
  const { quantity, subTotal, discount, tax } = lines[0] as Line
  return divided(subTotal, quantity) - divided(discount, quantity) + divided(tax, quantity)
}

/** The books of all tills. */
export class Books {
  readonly differences: string[] = []
  compared = 0
  /** Units that left each variant at each outlet, by `variant outlet`. */
  readonly #units = new Map<string, number>()
  /** Sales, refunds and orders of each day. Refunds are made today. */
  readonly #days = new Map<string, { sales: number; orders: number }>()
  #refunds = 0

  open(sessionId: string): Drawer {
    return { sessionId, cash: 10_000, card: 0, sales: 0, refunds: 0 }
  }

  sell(drawer: Drawer, sold: Sold, sign = 1): void {
    drawer.cash += sign * sold.cash
    drawer.card += sign * sold.card
    drawer.sales += sign * sold.total
    const day = this.#days.get(sold.day) ?? { sales: 0, orders: 0 }
    day.sales += sign * sold.total
    day.orders += sign
    this.#days.set(sold.day, day)
    for (const { variant, quantity } of sold.lines) this.#moved(variant, sold.outlet, sign * quantity)
  }

  unsell(drawer: Drawer, sold: Sold): void {
    this.sell(drawer, sold, -1)
  }

  refund(drawer: Drawer, sold: Sold): void {
    const amount = refundOfOne(sold)
    drawer.cash -= amount
    drawer.refunds += amount
    this.#refunds += amount
    this.#moved((sold.lines[0] as Line).variant, sold.outlet, -1)
  }

  #moved(variant: number, outlet: number, units: number): void {
    const key = `${variant} ${outlet}`
    this.#units.set(key, (this.#units.get(key) ?? 0) + units)
  }

  equal(what: string, actual: number, expected: number): void {
    this.compared++
    if (actual !== expected) this.differences.push(`${what}: ${actual} instead of ${expected}`)
  }

  /** Compares a closing with the drawer. */
  closed({ cash, card, sales, refunds, sessionId }: Drawer, closing: any): void {
    const what = (figure: string) => `${figure} of the closing of ${sessionId}`
    const balance = (method: string) => closing.balances.find((one: any) => one.paymentMethod === method)
    this.equal(what('cash expected'), cents(balance('cash')?.expected), cash)
    this.equal(what('difference'), cents(balance('cash')?.difference), 0)
    this.equal(what('cards'), cents(balance('credit_card')?.expected), card)
    const [figures] = closing.figures
    this.equal(what('sales'), cents(figures?.sales), sales)
    this.equal(what('refunds'), cents(figures?.refunds), refunds)
  }

  /** Compares all levels, and the report of each day. */
  async compare(shop: Shop, get: (path: string) => Promise<any>, days: number): Promise<void> {
    for (const [variant, id] of shop.variants.entries()) {
      const { inventory } = await get(`/v1/variant/${id}`)
      for (const [outlet, outletId] of shop.outlets.entries()) {
        const stock = inventory.find((level: any) => level.outletId === outletId).stock
        this.equal(`stock of ${id} at ${outletId}`, stock, 100_000 - (this.#units.get(`${variant} ${outlet}`) ?? 0))
      }
    }
    const from = new Date(Date.now() - (days + 1) * 86_400_000).toISOString().slice(0, 10)
    let report = await get(`/v1/reports/sales?from=${from}`)
    while (!report.isComplete) report = await get(`/v1/reports/sales?from=${from}`)
    for (const { date, sales, orders } of report.days) {
      const day = this.#days.get(date) ?? { sales: 0, orders: 0 }
      this.equal(`sales of ${date}`, cents(sales), day.sales)
      this.equal(`orders of ${date}`, orders, day.orders)
    }
    this.equal('refunds of the report', cents(report.totals.refunds), this.#refunds)
    await this.#compareExport(get)
  }

  /** Compares the sums of all orders that were not cancelled, page by page. */
  async #compareExport(get: (path: string) => Promise<any>): Promise<void> {
    const exported = new Map<string, number>()
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { data, meta } = await get(`/v1/orders?limit=1000&sortBy=occurredAt${cursor && `&cursor=${cursor}`}`)
      for (const { status, occurredAt, summary } of data) {
        const day = occurredAt.slice(0, 10)
        if (status !== 'cancelled') exported.set(day, (exported.get(day) ?? 0) + cents(summary.total))
      }
      cursor = meta.nextCursor
    }
    for (const [day, { sales }] of this.#days) this.equal(`orders of ${day} as exported`, exported.get(day) ?? 0, sales)
  }
}
