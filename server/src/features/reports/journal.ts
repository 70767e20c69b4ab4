// The journal of a period: the bookkeeping entries of each day and outlet, in which debits equal credits.
import { eachInSlices } from '../../concurrency/time-slices.ts'
import { csvLine } from '../../core/csv-line.ts'
import { currencyDigits } from '../../core/currency.ts'
import { add, ascending, type Decimal, negated, rawNumber, subtract, textOf } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import { timeLabels } from './dimensions.ts'
import { headingOf, requireComplete } from './documents.ts'
import { REPORT_GROUPS } from './groups.ts'
import { bookDrawers } from './journal-drawers.ts'
import {
  accounts,
  details,
  Journal,
  type JournalAccount,
  type JournalDetail,
  type JournalEntry,
  type JournalPlace,
} from './journal-entries.ts'
import { namesOf } from './names.ts'
import { wrongQuery } from './period.ts'
import { type Entries, Groups, rowsOf, type Texts } from './sums/entries.ts'
import type { Facet, SourceName } from './sums/sources.ts'

type JournalSum = (name: string) => Decimal

/** Parts of what is paid back that are no goods. */
const notGoods = ['refund_tax', 'refund_tip', 'refund_shipping', 'refund_fee']
/** Goods without tax, less those that came back. */
const netOf = (of: JournalSum): Decimal =>
  notGoods.reduce((net, part) => add(net, of(part)), subtract(of('net'), of('refund')))

/** Kept sums that become entries: by place, by a further `key` if there is one, and for the values in `only`. */
interface Summed {
  readonly of: readonly SourceName[]
  readonly facet: Facet['name']
  readonly key?: string
  readonly only?: ReadonlySet<string>
}

/** Adds up sums by day, outlet and currency, and calls `book` with each. Throws 400 for more than a report can have. */
async function eachSum(
  { companyId, zone, period, readEntries, check }: Snapshot,
  { of, facet, key, only }: Summed,
  book: (place: JournalPlace, of: JournalSum, value: string) => void,
): Promise<void> {
  const { segments, values } = timeLabels(zone, ['day'], period)
  const groups = new Groups(['label', 'currency', 'outlet', ...(key ? [key] : [])])
  const addSome = (entries: Entries) => {
    const { values, places } = entries.keys[key ?? 'label'] as Texts
    const rows = only && Array.from(places.keys()).filter((row) => only.has(values[places[row] as number] as string))
    groups.add(rows ? rowsOf(entries, rows) : entries)
    if (groups.size > REPORT_GROUPS)
      throw wrongQuery(
        'from',
        'range',
        `makes a journal of more than ${REPORT_GROUPS} entries; choose a shorter period`,
      )
  }
  for (const source of of) await readEntries([source, facet], segments, addSome)
  const each = ([label, currency, outletId, value = '']: readonly string[], group: number) => {
    const [day] = values[Number(label)] ?? []
    book([String(day), outletId ?? '', currency ?? ''], (name) => groups.sum(name, group), value)
  }
  await eachInSlices(groups.paths.entries(), companyId, ([group, path]) => each(path, group), check)
}

/** Books what was sold and refunded, and how it was paid. The difference is in `receivables`. */
async function bookSales(snapshot: Snapshot, giftCards: ReadonlySet<string>): Promise<Journal> {
  const journal = new Journal()
  const ofOrders = ['orders', 'refunds'] as const
  await eachSum(snapshot, { of: ofOrders, facet: 'whole' }, (place, of) => {
    journal.credit(place, 'sales', netOf(of))
    journal.credit(place, 'tax', subtract(of('tax'), of('refund_tax')))
    journal.credit(place, 'tips', subtract(of('tip'), of('refund_tip')))
    journal.credit(place, 'shipping', subtract(of('shipping'), of('refund_shipping')))
    journal.credit(place, 'fees', subtract(of('fee'), of('refund_fee')))
    journal.credit(place, 'cash-rounding', subtract(of('rounding'), of('refund_rounding')))
  })
  const move = (place: JournalPlace, from: JournalAccount, amount: Decimal, to: JournalAccount, detail = '') => {
    journal.debit(place, from, amount)
    journal.credit(place, to, amount, detail)
  }
  // The entry without a rate is the whole less all rates. A line with several rates is in the net of each, which this corrects.
  await eachSum(snapshot, { of: ofOrders, facet: 'rate', key: 'rate' }, (place, of, rate) => {
    if (rate === '') return
    move(place, 'sales', netOf(of), 'sales', rate)
    move(place, 'tax', subtract(of('tax'), of('refund_tax')), 'tax', rate)
  })
  if (giftCards.size > 0)
    await eachSum(snapshot, { of: ofOrders, facet: 'line', key: 'product', only: giftCards }, (place, of) =>
      move(place, 'sales', netOf(of), 'gift-cards'),
    )
  await eachSum(snapshot, { of: ['payments'], facet: 'whole', key: 'method' }, (place, of, method) =>
    journal.debit(place, 'payments', subtract(of('gross'), of('refund')), method),
  )
  for (const { place, amount } of [...journal.entries.values()]) journal.credit(place, 'receivables', amount)
  return journal
}

const order = Object.keys(accounts)

/** The report as JSON or CSV; `giftCards` are products that are sold as gift cards. */
export async function journalReport(
  snapshot: Snapshot,
  { giftCards, isCsv }: { readonly giftCards: readonly string[]; readonly isCsv: boolean },
): Promise<string> {
  if (isCsv) requireComplete(snapshot)
  const journal = await bookSales(snapshot, new Set(giftCards))
  await bookDrawers(snapshot, journal)
  const entries = [...journal.entries.values()].filter(({ amount }) => amount !== 0)
  entries.sort(
    (a, b) =>
      ascending(JSON.stringify(a.place), JSON.stringify(b.place)) ||
      order.indexOf(a.account) - order.indexOf(b.account) ||
      Number(a.detail) - Number(b.detail) ||
      ascending(a.detail, b.detail),
  )
  const outlets = [...new Set(entries.flatMap(({ place }) => place[1] || []))]
  const names = await namesOf(snapshot, 'outletId', outlets)
  const rows = entries.map((entry) => rowOf(entry, names.get(entry.place[1])?.[0] ?? null))
  if (!isCsv) {
    const head = JSON.stringify(headingOf(snapshot))
    return `${head.slice(0, -1)},"entries":[${rows.map((row) => JSON.stringify(row)).join(',')}]}`
  }
  const titles = ['day', 'outletId', 'outletName', 'currency', 'account', ...details, 'debit', 'credit'] as const
  const lines = rows.map((row: JournalRow) => csvLine(titles.map((title) => textIn(row[title]))))
  return `${titles.join(',')}\n${lines.join('')}`
}

type JournalRow = Readonly<Record<string, unknown>>
const textIn = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** An entry as a report shows it. */
function rowOf(
  { place: [day, outletId, currency], account, detail, amount }: JournalEntry,
  outletName: string | null,
): JournalRow {
  const decimals = currencyDigits(currency || undefined)
  const none = textOf(0, decimals)
  const isDebit = textOf(amount, 0)[0] !== '-'
  const size = textOf(isDebit ? amount : negated(amount), decimals)
  const of: JournalDetail | undefined = accounts[account]
  return {
    day,
    outletId: outletId || null,
    outletName,
    currency: currency || undefined,
    account,
    ...(of && { [of]: detail === '' ? null : of === 'taxRate' ? rawNumber(detail) : detail }),
    debit: isDebit ? size : none,
    credit: isDebit ? none : size,
  }
}
