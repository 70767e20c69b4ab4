// The types of events that there are, and what a trigger's word for them stands for.
import type { Resource } from '../../api/resources.ts'
import { text } from '../../texts/automation.ts'

export interface KnownType {
  /** A type, or a pattern of them. */
  readonly value: string
  readonly hint: string
}

export interface TypeGroup {
  readonly title: string
  readonly types: readonly KnownType[]
}

const verbs = ['created', 'updated', 'deleted'] as const

/** Types besides those that every resource has. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  inventory: { stock_changed: 'stock changed' },
  order: { completed: 'completed', refunded: 'refunded' },
  session: { opened: 'opened', closed: 'closed' },
}

/** Names that triggers had before events had types. */
const older: ReadonlyMap<string, string> = new Map([
  ['new_customer', 'customer.created'],
  ['customer_updated', 'customer.updated'],
  ['new_product', 'product.created'],
  ['product_updated', 'product.updated'],
  ['new_order', 'order.created'],
  ['order_completed', 'order.completed'],
  ['order_refunded', 'order.refunded'],
  ['new_refund', 'refund.created'],
  ['new_transaction', 'transaction.created'],
  ['stock_changed', 'inventory.stock_changed'],
  ['session_opened', 'session.opened'],
  ['session_closed', 'session.closed'],
])

/** Resources of which the lists know nothing. */
const customTables = [
  { one: 'custom-table', title: 'Custom tables' },
  { one: 'custom-table-field', title: 'Custom table fields' },
  { one: 'custom-table-row', title: 'Custom table rows' },
]

/** All types by what they happen to; `*` first, older names last where they are wanted. */
export function typeGroups(resources: readonly Resource[], withOlder: boolean): TypeGroup[] {
  const known = [...resources, ...customTables].map(({ one, title }): TypeGroup => {
    const spoken = one.replaceAll('-', ' ')
    const thing = spoken.charAt(0).toUpperCase() + spoken.slice(1)
    const own = Object.entries({ ...Object.fromEntries(verbs.map((verb) => [verb, verb])), ...others[one] })
    return {
      title,
      types: [
        { value: `${one}.*`, hint: text.allOf(title.toLowerCase()) },
        ...own.map(([verb, said]) => ({ value: `${one}.${verb}`, hint: text.happened(thing, said) })),
      ],
    }
  })
  return [
    { title: text.everything, types: [{ value: '*', hint: text.everythingHint }] },
    ...known,
    { title: text.ownEvents, types: [{ value: 'custom.*', hint: text.ownEventsHint }] },
    ...(withOlder
      ? [{ title: text.olderNames, types: [...older].map(([value, type]) => ({ value, hint: text.stands(type) })) }]
      : []),
  ]
}

/** Whether a pattern is that of a type. */
export const fits = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type

/** A type or a pattern as the server takes it. */
const typed = /^[a-z-]+(?:\.[a-z0-9._-]+|\.(?:[a-z0-9._-]+\.)?\*)$/

export interface Meaning {
  readonly message?: string
  readonly isWarning?: boolean
  /** The known types that it stands for. */
  readonly types: readonly string[]
}

/** What a trigger's word stands for, in words. */
export function meaningOf(word: string, groups: readonly TypeGroup[]): Meaning {
  if (word === '*') return { message: text.firesAll, types: [] }
  const sameAs = older.get(word)
  if (sameAs !== undefined) return { message: text.stands(sameAs), types: [sameAs] }
  if (!typed.test(word)) return { message: text.neverFires, isWarning: true, types: [] }
  if (word.startsWith('custom.')) return { message: word.endsWith('*') ? text.firesOwnAll : text.firesOwn, types: [] }
  const types = groups
    .flatMap((group) => group.types.map(({ value }) => value))
    .filter((type) => type.includes('.') && !type.endsWith('*') && fits(word, type))
  return types.length === 0 ? { message: text.unknownType, isWarning: true, types } : { types }
}
