// Reads nested members as tills wrote them: they may have any form, and none may break the page.
import { percent } from '../../parts/format.ts'

type Entry = Readonly<Record<string, any>>

/** The objects of a list. */
export const entriesOf = (value: unknown): Entry[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : []

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** Part of a price: “€2.00 (10%)”. */
export function shareOf(share: unknown, money: (amount: string | undefined) => string): string | undefined {
  if (typeof share !== 'object' || share === null) return textOf(share)
  const { amount, percentage } = share as Entry
  const part = typeof percentage === 'number' && percentage !== 0 ? percent(percentage / 100) : undefined
  const sum = textOf(amount) !== undefined && Number(amount) !== 0 ? money(String(amount)) : undefined
  if (sum === undefined) return part
  return part === undefined ? sum : `${sum} (${part})`
}

/** An amount that is present and not zero. */
export const amountOf = (value: unknown): string | undefined =>
  textOf(value) !== undefined && Number(value) !== 0 ? String(value) : undefined
