// Money, numbers and times in the format of a locale (ECMA-402).

import { useMemo } from 'react'
import { currencyDigits } from '../../../server/src/core/currency.ts'
import { useCompany } from '../api/company.ts'
import { locale } from '../language.ts'
import { isZero } from './decimal.ts'

type Amount = string | number | undefined

/** An amount in a currency; unchanged if it is not an amount or the currency is unknown. */
export const money = (amount: Amount, currency: string | undefined): string => inCurrency(amount, currency)

/** The price of one unit, such as 1.459 a litre: with all its decimals, unless more than two are finer than its currency. Such a price was divided, and is rounded, but not to zero. */
export const price = (amount: Amount, currency: string | undefined): string => {
  const digits = currencyDigits(currency)
  const [, decimals = ''] = String(amount).replace(/0+$/, '').split('.')
  const isDivided = decimals.length > digits + 2 && Math.abs(Number(amount)) >= 10 ** -digits
  return inCurrency(amount, currency, isDivided ? digits : 6)
}

function inCurrency(amount: Amount, currency: string | undefined, most = currencyDigits(currency)): string {
  if (amount === undefined || amount === null || amount === '') return ''
  try {
    const format = new Intl.NumberFormat(locale, {
      ...(currency !== undefined && { style: 'currency', currency }),
      // Those of `Intl` are of everyday use: it has none for PKR and IQD.
      minimumFractionDigits: currencyDigits(currency),
      maximumFractionDigits: most,
    })
    // A string is formatted digit by digit: it may have more digits than a number can hold.
    return format.format(amount as number)
  } catch {
    return currency === undefined ? String(amount) : `${amount} ${currency}`
  }
}

/** A difference with its sign: “+€0.50”. */
function signed(amount: string | undefined, currency: string | undefined): string {
  const text = money(amount, currency)
  return amount === undefined || isZero(amount) || amount.startsWith('-') ? text : `+${text}`
}

/** A number with up to six decimals, as quantities have. */
export const number = (value: number | undefined): string =>
  value === undefined ? '' : new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(value)

/** A share of a whole: a half is 50%. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)

/** A rate in percent, such as that of a tax, with all its decimals: “8.875%”. */
export const rate = (percentage: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 6 }).format(percentage / 100)

/** The name and the rate of a tax: “VAT 20%”, also if the name has the rate already. Empty if it has neither. */
export function namedRate(name: string | undefined, percentage: unknown): string {
  if (typeof percentage !== 'number') return name ?? ''
  const rates = [...(name ?? '').matchAll(/(\d+(?:[.,]\d+)?)\s*%/g)]
  const isNamed = rates.some(([, digits = '']) => Number(digits.replace(',', '.')) === percentage)
  return isNamed ? (name as string) : [name, rate(percentage)].filter(Boolean).join(' ')
}

export const bytes = (count: number): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(3, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] as string,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(count / 1000 ** power)
}

const isTime = (value: string | undefined): value is string => value !== undefined && !Number.isNaN(Date.parse(value))

/** A point in time, in the time zone of the shop, or of the browser if there is none. */
export function dateTime(value: string | undefined, timeZone?: string): string {
  if (!isTime(value)) return value ?? ''
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(value))
}

export function date(value: string | undefined, timeZone?: string): string {
  if (!isTime(value)) return value ?? ''
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...(timeZone && { timeZone }) }).format(new Date(value))
}

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** “5 minutes ago”. */
export function ago(value: string | undefined, now = Date.now()): string {
  if (!isTime(value)) return value ?? ''
  let amount = (Date.parse(value) - now) / 1000
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size)
      return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(amount), unit)
    amount /= size
  }
  return value
}

/** The same for the open company: in its currency and its time zone. */
export function useFormat() {
  const { currency, timezone } = useCompany()
  return useMemo(
    () => ({
      money: (amount: Amount, of = currency) => money(amount, of),
      price: (amount: Amount, of = currency) => price(amount, of),
      signed: (amount: string | undefined, of = currency) => signed(amount, of),
      dateTime: (value: string | undefined) => dateTime(value, timezone),
      date: (value: string | undefined) => date(value, timezone),
      number,
      ago,
    }),
    [currency, timezone],
  )
}
