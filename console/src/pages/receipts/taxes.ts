// The tax table of a receipt: for each rate what was sold at it, without and with the tax.
import { minus, sumOf } from '../../parts/decimal.ts'
import { entriesOf, textOf } from '../orders/entries.ts'

interface TaxRow {
  readonly key: string
  readonly name: string | undefined
  readonly percentage: number | undefined
  /** Unknown if the lines do not say which rates they have. */
  readonly net: string | undefined
  readonly tax: string
  readonly gross: string | undefined
}

type Entry = Readonly<Record<string, any>>

const keyOf = ({ name, percentage }: Entry): string => `${textOf(name) ?? ''} ${percentage ?? ''}`

/** The rates of an order or a refund. The amounts of its summary count; the lines say what they are on. */
export function taxRowsOf(record: Entry): TaxRow[] {
  const lines = [...entriesOf(record.lineItems), ...entriesOf(record.customSales)]
  const isInclusive = record.summary?.isTaxInclusive === true
  const ofLines = lines.flatMap((line) => entriesOf(line.taxes))
  const ofSummary = entriesOf(record.summary?.taxes)
  const keys = [...new Set([...ofSummary, ...ofLines].map(keyOf))]
  return keys.map((key) => {
    const isIt = (entry: Entry) => keyOf(entry) === key
    const at = lines.filter(({ taxes }) => entriesOf(taxes).some(isIt))
    const summed = ofSummary.filter(isIt)
    const tax = sumOf((summed.length > 0 ? summed : ofLines.filter(isIt)).map(({ amount }) => amount))
    // A line of several rates contains the taxes of all of them.
    const total = sumOf(at.map((line) => line.total ?? line.subTotal))
    const taxes = sumOf(at.flatMap((line) => entriesOf(line.taxes).map(({ amount }) => amount)))
    const net = isInclusive ? sumOf([total, minus(taxes)]) : total
    const { name, percentage } = [...ofSummary, ...ofLines].find(isIt) as Entry
    return {
      key,
      tax,
      name: textOf(name),
      percentage: typeof percentage === 'number' ? percentage : undefined,
      ...(at.length === 0 ? { net: undefined, gross: undefined } : { net, gross: sumOf([net, tax]) }),
    }
  })
}
