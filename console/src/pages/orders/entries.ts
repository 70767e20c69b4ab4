// Reads nested members as tills wrote them: they may have any form, and none may break the page.
type Entry = Readonly<Record<string, any>>

/** The objects of a list. */
export const entriesOf = (value: unknown): Entry[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : []

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** What a line is called, with its variant: “Kettle · Black”. */
export const lineNameOf = ({ name, description }: Entry): string | undefined =>
  textOf(name) && [name, description].flatMap((one) => textOf(one) ?? []).join(' · ')

/** An amount that is present and not zero. */
export const amountOf = (value: unknown): string | undefined =>
  textOf(value) !== undefined && Number(value) !== 0 ? String(value) : undefined

/** Whether an order of this status waits to be paid, and is no sale yet. */
export const isOpenStatus = (status: unknown): boolean => status === 'pending' || status === 'parked'

/** Whether an order's items can still change: what was sold is refunded or voided instead. */
export const hasOpenItems = ({ status, returned, completedAt }: Entry): boolean =>
  isOpenStatus(status) && completedAt === undefined && amountOf(returned) === undefined

/** Whether more comes back than is sold. */
export const isReturn = ({ summary }: Entry): boolean => textOf(summary?.total)?.startsWith('-') ?? false

/** Whether money is still to be taken for a sale, such as one on account, or to be paid out, such as the deposit of a cancelled order. */
export const isDue = ({ status, voidedAt, due }: Entry): boolean =>
  status === 'cancelled'
    ? Number(due) < 0
    : voidedAt === undefined &&
      ['completed', 'partial-refund', 'refunded'].includes(status) &&
      amountOf(due) !== undefined

/** Whether the shop owes the customer for a sale. */
export const isOwed = (order: Entry): boolean => isDue(order) && Number(order.due) < 0
