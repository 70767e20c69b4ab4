// Shows parts of a price as tills wrote them.
import { rate } from '../../parts/format.ts'
import { textOf } from './entries.ts'

type Entry = Readonly<Record<string, any>>

/** Part of a price: “€2.00 (10%)”. */
export function shareOf(share: unknown, money: (amount: string | undefined) => string): string | undefined {
  if (typeof share !== 'object' || share === null) return textOf(share)
  const { amount, percentage } = share as Entry
  const part = typeof percentage === 'number' && percentage !== 0 ? rate(percentage) : undefined
  const sum = textOf(amount) !== undefined && Number(amount) !== 0 ? money(String(amount)) : undefined
  if (sum === undefined) return part
  return part === undefined ? sum : `${sum} (${part})`
}
