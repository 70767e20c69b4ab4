// Makes the figures of a session report or a closing from the sums of its records.

import { currencyDigits } from '../../core/currency.ts'
import { decimalText, sum } from '../../core/exact.ts'
import type { Queryable } from '../../database/connect.ts'
import { amountOf, type MethodAmount, millionths } from './balances.ts'
import { type MovementSum, movementSums, type PaymentSum, paymentSums } from './money-sums.ts'
import type { Picked } from './records.ts'
import { type Sum, saleSums } from './sale-sums.ts'

interface SessionSums {
  readonly orders: readonly Sum[]
  readonly refunds: readonly Sum[]
  readonly payments: readonly PaymentSum[]
  readonly movements: readonly MovementSum[]
}

/** The records of one currency, added up, as `resources/closing.ts` declares them. */
type Figures = Readonly<Record<string, unknown>> & { readonly currency: string; readonly late: boolean }

/**
 * The figures of some records, and how they change the counted money. Records without a currency have the company's;
 * refunds have their order's.
 */
export async function figuresOf(
  database: Queryable,
  picked: Picked,
  ownCurrency: string,
): Promise<{ figures: Figures[]; moved: MethodAmount[] }> {
  const sums: SessionSums = {
    orders: await saleSums(database, picked, 'orders', ownCurrency),
    refunds: await saleSums(database, picked, 'refunds', ownCurrency),
    payments: await paymentSums(database, picked, ownCurrency),
    movements: await movementSums(database, picked, ownCurrency),
  }
  const keys = new Map([['', { currency: ownCurrency, late: false }]])
  for (const { currency, late } of Object.values(sums).flat())
    keys.set(late || currency !== ownCurrency ? `${currency} ${late}` : '', { currency, late })
  const figures = [...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { currency, late }]) => {
      const own = <S extends { currency: string; late: boolean }>(all: readonly S[]) =>
        all.filter((one) => one.currency === currency && one.late === late)
      const { orders, refunds, payments, movements } = sums
      return currencyFigures(currency, late, {
        orders: own(orders),
        refunds: own(refunds),
        payments: own(payments),
        movements: own(movements),
      })
    })
  return { figures, moved: movedOf(sums) }
}

/** How some records change the counted money, without their figures. */
export async function movedBy(database: Queryable, picked: Picked, ownCurrency: string): Promise<MethodAmount[]> {
  const payments = await paymentSums(database, picked, ownCurrency)
  return movedOf({ payments, movements: await movementSums(database, picked, ownCurrency) })
}

const movedOf = ({ payments, movements }: Pick<SessionSums, 'payments' | 'movements'>): MethodAmount[] => [
  ...payments.map(({ currency, method, inDrawer }) => ({ currency, paymentMethod: method, amount: inDrawer })),
  ...movements.map(({ currency, inDrawer }) => ({ currency, paymentMethod: 'cash', amount: inDrawer })),
]

/** The figures of one currency; `sums` are those of its records. */
function currencyFigures(
  currency: string,
  late: boolean,
  { orders, refunds, payments, movements }: SessionSums,
): Figures {
  const money = (number: string) => decimalText(number, currencyDigits(currency))
  const total = (of: readonly Sum[]) => of.find(({ kind }) => kind === 'total')
  const [sales = '0', discounts = '0', tax = '0', tips = '0', shipping = '0', rounding = '0'] =
    total(orders)?.amounts ?? []
  const [back = '0', , , tipsBack = '0', shippingBack = '0', roundingBack = '0'] = total(refunds)?.amounts ?? []
  const voids = payments.filter(({ voidsCount }) => voidsCount > 0)
  return {
    currency,
    late,
    sales: money(sales),
    salesCount: Number(total(orders)?.count ?? 0),
    discounts: money(discounts),
    tax: money(tax),
    tips: money(tips),
    shipping: money(shipping),
    cashRounding: money(rounding),
    refunds: money(back),
    refundsCount: Number(total(refunds)?.count ?? 0),
    refundedTips: money(tipsBack),
    refundedShipping: money(shippingBack),
    refundedCashRounding: money(roundingBack),
    voids: amountOf(currency, sum(voids.map(({ voids }) => millionths(voids)))),
    voidsCount: voids.reduce((count, { voidsCount }) => count + voidsCount, 0),
    payments: byText(
      payments.filter(({ salesCount, refundsCount }) => salesCount + refundsCount > 0),
      ({ method }) => method,
    ).map(({ method, sales, salesCount, refunds, refundsCount }) => ({
      paymentMethod: method,
      sales: money(sales),
      salesCount,
      refunds: money(refunds),
      refundsCount,
    })),
    taxes: pairs('tax', orders, refunds).map(({ key, name, sold, returned }) => ({
      ...(name !== undefined && { name }),
      ...(key !== undefined && { percentage: Number(key) }),
      net: money(sold?.amounts[1] ?? '0'),
      tax: money(sold?.amounts[0] ?? '0'),
      refundedNet: money(returned?.amounts[1] ?? '0'),
      refundedTax: money(returned?.amounts[0] ?? '0'),
    })),
    employees: pairs('employee', orders, refunds).map(({ key, sold, returned }) => ({
      ...(key !== undefined && { employee: key }),
      sales: money(sold?.amounts[0] ?? '0'),
      salesCount: Number(sold?.count ?? 0),
      refunds: money(returned?.amounts[0] ?? '0'),
      refundsCount: Number(returned?.count ?? 0),
    })),
    categories: pairs('category', orders, refunds).map(({ key, name, sold, returned }) => ({
      ...(key !== undefined && { categoryId: key }),
      ...(name !== undefined && { name }),
      quantity: Number(sold?.count ?? 0),
      sales: money(sold?.amounts[0] ?? '0'),
      refundedQuantity: Number(returned?.count ?? 0),
      refunds: money(returned?.amounts[0] ?? '0'),
    })),
    movements: byText(movements, ({ type }) => type).map(({ type, amount, count }) => ({
      type,
      amount: money(amount),
      count,
    })),
  }
}

/** Sums of one kind, of sales beside refunds, in the order of their keys. */
function pairs(kind: Sum['kind'], orders: readonly Sum[], refunds: readonly Sum[]) {
  const all = new Map<string, { key: string | undefined; name: string | undefined; sold?: Sum; returned?: Sum }>()
  for (const [member, sums] of [
    ['sold', orders],
    ['returned', refunds],
  ] as const)
    for (const one of sums.filter((one) => one.kind === kind)) {
      // 20 and 20.0 are one rate.
      const key = kind === 'tax' && one.key !== undefined ? String(Number(one.key)) : one.key
      const at = JSON.stringify([key, one.name])
      all.set(at, { ...(all.get(at) ?? { key, name: one.name }), [member]: one })
    }
  return byText([...all.values()], ({ key = '', name = '' }) => `${key} ${name}`)
}

const byText = <T>(all: readonly T[], textOf: (one: T) => string): T[] =>
  all.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
