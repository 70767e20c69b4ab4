// The default columns of each list, and the user's choice, order and widths, which the browser stores.
import { useLocalStorage } from '@mantine/hooks'
import type { Member, Resource } from '../../api/resources.ts'
import { isMoney } from '../../parts/Value.tsx'

/** The first one is the record's name, built from several members if it is `name`. */
const first: Readonly<Record<string, readonly string[]>> = {
  customers: ['name', 'email', 'phone', 'tags', 'createdAt'],
  products: ['name', 'status', 'sku', 'minPrice', 'categories', 'createdAt'],
  variants: ['name', 'sku', 'barcode', 'price', 'createdAt'],
  orders: ['name', 'occurredAt', 'status', 'total', 'customerId', 'outletId'],
  transactions: ['name', 'occurredAt', 'type', 'amount', 'paymentMethod', 'orderId'],
  refunds: ['name', 'occurredAt', 'orderId', 'total', 'reason'],
  'tax-tables': ['name', 'rates', 'isTaxInclusive', 'isDefault', 'createdAt'],
  outlets: ['name', 'sequenceNumber', 'city', 'country', 'phone', 'createdAt'],
  stations: ['name', 'outletId', 'status', 'deviceName', 'createdAt'],
  sessions: ['name', 'stationId', 'openTime', 'closeTime', 'closingAmount'],
  'cash-movements': ['name', 'occurredAt', 'sessionId', 'reason', 'employee'],
  accounts: ['name', 'email', 'phone', 'createdAt'],
  roles: ['name', 'permissions', 'createdAt'],
  attachments: ['name', 'mimeType', 'url', 'createdAt'],
}

/** Members that can be columns: no secrets, no inventory, and not the record's or the company's id. */
export const columnsOf = ({ members }: Resource): readonly Member[] =>
  members.filter(({ name, isSecret }) => !isSecret && name !== 'companyId' && name !== 'id' && name !== 'inventory')

/** Members that a list shows only within the names of its records. */
const named: Readonly<Record<string, readonly string[]>> = { 'cash-movements': ['type', 'amount'] }

/** The columns of a file: the chosen ones, the figures that are in names, and the currency that amounts are in. */
export function exportedOf({ many, members }: Resource, chosen: readonly string[]): readonly string[] {
  const figures = chosen.includes('name') ? (named[many] ?? []) : []
  const names = [...new Set(chosen.flatMap((name) => (name === 'name' ? [name, ...figures] : [name])))]
  const isAmountOf = (column: string) =>
    column === 'total' || members.some(({ name, schema }) => name === column && isMoney(name, schema))
  const last = names.findLastIndex(isAmountOf)
  return last >= 0 && !names.includes('currency') ? names.toSpliced(last + 1, 0, 'currency') : names
}

/** Pixels of columns whose width the user changed. */
export type Widths = Readonly<Record<string, number>>

export function useColumns(resource: Resource) {
  const usual = first[resource.many] ?? [
    'name',
    ...columnsOf(resource)
      .slice(0, 4)
      .map(({ name }) => name),
    'createdAt',
  ]
  const [chosen, setChosen] = useLocalStorage<readonly string[]>({
    key: `cashwrap-columns-${resource.many}`,
    defaultValue: usual,
    getInitialValueInEffect: false,
  })
  const [widths, setWidths] = useLocalStorage<Widths>({
    key: `cashwrap-widths-${resource.many}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  return {
    chosen,
    setChosen,
    widths,
    setWidths,
    setWidth: (name: string, width: number) => setWidths((before) => ({ ...before, [name]: width })),
    reset: () => {
      setChosen(usual)
      setWidths({})
    },
  }
}
