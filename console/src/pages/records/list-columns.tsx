// The columns of a list of records: what each shows, and its value in an export.
import { Badge } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useCompany } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import { isDecimal, type Member, type Resource, referenceOf } from '../../api/resources.ts'
import { MONEY_WIDTH, moneyWidth, timeWidth, titledWidth } from '../../parts/column-widths.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { useFormat } from '../../parts/format.ts'
import { membersInTitle, signedAmount, useTitleOf } from '../../parts/record-title.ts'
import { isMoney, Value } from '../../parts/Value.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { paymentStatusOf, totalOf } from '../orders/values.ts'
import { grantedIn } from '../roles/permissions.ts'
import { countedCash } from '../sessions/counted.ts'
import { columnsOf, type Widths } from './columns.ts'
import { PaidOrder } from './PaidOrder.tsx'

export interface ListColumn extends Column<RecordData> {
  /** The value in an export. */
  readonly valueOf: (record: RecordData) => unknown
  /** The resource that the ids belong to. */
  readonly refersTo?: string | undefined
  readonly isTime?: boolean
  readonly isNumber?: boolean
  readonly isAmount?: boolean
}

/** The width of a column in pixels; five usual ones fit beside the checkbox and the name at 1280. */
function widthOf({ name, schema }: Member, isNumber: boolean): number {
  if (isMoney(name, schema)) return MONEY_WIDTH
  // A session without a number is named by its time.
  if (schema.format === 'date-time' || name === 'sessionId') return timeWidth()
  if (name === 'email') return 180
  if (name === 'tags') return 200
  if (name === 'phone') return 160
  // *Partially refunded* fits, in German too.
  if (name === 'status') return 168
  if (name === 'customerId') return 166
  // *No receipt number* fits.
  if (name === 'orderId') return 150
  if (name === 'outletId') return 124
  // A till and its outlet.
  if (name === 'stationId') return 200
  return isNumber || ['source', 'sku'].includes(name) ? 112 : 136
}

/** The least width of the column of names, which takes what the others leave. */
const nameWidth = ({ many }: Resource): number => (many === 'sessions' ? timeWidth() : 168)

/** A session is open, and a sale or payment happened, when it was created, unless it says otherwise; money that goes out is negative. */
function shownValue(record: RecordData, name: string): unknown {
  if (name === 'amount') return signedAmount(record)
  if (name === 'paymentStatus') return paymentStatusOf(record)
  if (name === 'closingAmount') return countedCash(record)
  return record[name] ?? (name === 'openTime' || name === 'occurredAt' ? record.createdAt : undefined)
}

/** In a file, amounts have a currency, and a role the permissions that it grants. */
function exportedValue(record: RecordData, name: string, own: string | undefined): unknown {
  if (name === 'currency') return record.currency ?? own
  return name === 'permissions' ? grantedIn(record.permissions ?? []) : shownValue(record, name)
}

/** The total of an order or a refund, as on its page. */
const totalColumn = (money: (amount: string | undefined, currency: string | undefined) => string): ListColumn => ({
  key: 'total',
  title: labelOf('total'),
  width: MONEY_WIDTH,
  align: 'right',
  isAmount: true,
  isNumber: true,
  valueOf: totalOf,
  render: (record) => money(totalOf(record), record.currency),
})

/** The currency of records that have amounts and name none: that of the company. */
const currencyColumn = (own: string | undefined): ListColumn => ({
  key: 'currency',
  title: labelOf('currency'),
  width: 112,
  valueOf: () => own,
  render: () => own,
})

/** What the column of names sorts by, if by anything. */
function nameSort({ many, list }: Resource): Pick<ListColumn, 'sortKey'> {
  const sortKey = many === 'customers' ? 'lastName' : ['receiptId', 'name'].find((name) => list.sort.includes(name))
  return sortKey === undefined ? {} : { sortKey }
}

/** The name of a record, in the column of names. */
const Name = ({ record, title }: { readonly record: RecordData; readonly title: ReactNode }) => (
  <>
    {title}
    {record.isDeleted && (
      <Badge color="gray" ml={8}>
        {text.isDeleted}
      </Badge>
    )}
  </>
)

interface NameColumnOptions {
  readonly resource: Resource
  /** Whether the name is a member of its own, not made of several. */
  readonly isOwn: boolean
  /** Whether another column shows the time. */
  readonly isTimeShown: boolean
  readonly titleOf: ReturnType<typeof useTitleOf>
}

function nameColumn({ resource, isOwn, isTimeShown, titleOf }: NameColumnOptions): ListColumn {
  const { many } = resource
  const nameOf = (record: RecordData) => <bdi>{titleOf(many, record)}</bdi>
  // An order without a number is named by its time, for which the column is too narrow.
  const isTimeTwice = (record: RecordData) => isTimeShown && membersInTitle(many, record).includes('occurredAt')
  return {
    key: 'name',
    title: isOwn ? labelOf('name') : labelOf(resource.singular),
    width: nameWidth(resource),
    ...nameSort(resource),
    valueOf: (record) => titleOf(many, record),
    render: (record) => (
      <Name
        record={record}
        title={isTimeTwice(record) ? <span className="muted">{text.noReceiptNumber}</span> : nameOf(record)}
      />
    ),
    renderOnCard: (record) => <Name record={record} title={nameOf(record)} />,
  }
}

/** `chosen` are their names, in order; a column of amounts is as wide as the longest one of the records. */
export function useListColumns(
  resource: Resource,
  chosen: readonly string[],
  widths: Widths = {},
  records: readonly RecordData[] = [],
): readonly ListColumn[] {
  const format = useFormat()
  const { currency: own } = useCompany()
  const titleOf = useTitleOf()
  const usual = useMemo(() => {
    const all = new Map(columnsOf(resource).map((member) => [member.name, member]))
    return chosen.flatMap((name): ListColumn[] => {
      const sortKey = resource.list.sort.includes(name) ? { sortKey: name } : {}
      if (name === 'name')
        return [nameColumn({ resource, isOwn: all.has('name'), isTimeShown: chosen.includes('occurredAt'), titleOf })]
      if (name === 'total') return [totalColumn(format.money)]
      if (name === 'currency' && !all.has(name)) return [currencyColumn(own)]
      const member = all.get(name)
      if (member === undefined) return []
      const { schema } = member
      const isNumber = schema.type === 'number' || schema.type === 'integer' || isMoney(name, schema)
      return [
        {
          key: name,
          title: labelOf(name),
          width: widthOf(member, isNumber),
          ...(isNumber && { align: 'right' as const }),
          isTitled:
            schema.type === 'boolean' ||
            (isNumber && !isMoney(name, schema)) ||
            schema.items?.properties !== undefined ||
            // They would be taken for what the till sold.
            name === 'openingAmount' ||
            name === 'closingAmount',
          ...sortKey,
          valueOf: (record) => exportedValue(record, name, own),
          ...(schema.format === 'date-time' && { isTime: true }),
          ...((isNumber || isDecimal(schema)) && { isNumber: true }),
          ...(isMoney(name, schema) && { isAmount: true }),
          ...(name === 'orderId' && { renderOnCard: (record) => <PaidOrder record={record} /> }),
          refersTo: schema['x-refers-to'] ?? referenceOf(name),
          render: (record) => {
            const value = shownValue(record, name)
            if (value === undefined) return name === 'closeTime' ? text.stillOpen : ''
            return <Value member={name} schema={schema} value={value} currency={record.currency} isCell />
          },
        },
      ]
    })
  }, [chosen, resource, format, titleOf, own])
  return useMemo(() => {
    const needed = (column: ListColumn) =>
      column.isAmount ? moneyWidth(records.map(column.valueOf), format.money) : column.width
    return usual.map((column) => ({
      ...column,
      ...(chosen[0] === 'name' && {
        isInName: (record: RecordData) => membersInTitle(resource.many, record).includes(column.key),
      }),
      width: widths[column.key] ?? titledWidth(needed(column), column.title),
    }))
  }, [usual, widths, records, format, chosen, resource])
}
