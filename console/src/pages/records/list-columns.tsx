// The columns of a list of records: what each shows, and its value in an export.
import { Badge } from '@mantine/core'
import { useMemo } from 'react'
import type { RecordData } from '../../api/records.ts'
import { type Member, type Resource, referenceOf } from '../../api/resources.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { useFormat } from '../../parts/format.ts'
import { useTitleOf } from '../../parts/record-title.ts'
import { isMoney, Value } from '../../parts/Value.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { columnsOf, type Widths } from './columns.ts'

export interface ListColumn extends Column<RecordData> {
  /** The value in an export. */
  readonly valueOf: (record: RecordData) => unknown
  /** The resource that the ids belong to. */
  readonly refersTo?: string | undefined
  readonly isTime?: boolean
}

/** Pixels for tens of millions with their cents and currency. */
const MONEY_WIDTH = 148

/** The width of a column in pixels; five usual ones fit beside the checkbox and the name at 1280. */
function widthOf({ name, schema }: Member, isNumber: boolean): number {
  if (isMoney(name, schema)) return MONEY_WIDTH
  if (schema.format === 'date-time') return 156
  if (name === 'email') return 180
  if (name === 'tags') return 200
  if (name === 'status' || name === 'customerId') return 148
  return isNumber || ['type', 'source', 'sku'].includes(name) ? 112 : 136
}

/** `chosen` are their names, in order. */
export function useListColumns(
  resource: Resource,
  chosen: readonly string[],
  widths: Widths = {},
): readonly ListColumn[] {
  const format = useFormat()
  const titleOf = useTitleOf()
  const usual = useMemo(() => {
    const all = new Map(columnsOf(resource).map((member) => [member.name, member]))
    return chosen.flatMap((name): ListColumn[] => {
      const sortKey = resource.list.sort.includes(name) ? { sortKey: name } : {}
      if (name === 'name') {
        const isOwn = all.has('name')
        return [
          {
            key: name,
            title: isOwn ? labelOf('name') : labelOf(resource.singular),
            width: 192,
            ...(resource.many === 'customers'
              ? { sortKey: 'lastName' }
              : resource.list.sort.includes('receiptId')
                ? { sortKey: 'receiptId' }
                : sortKey),
            valueOf: (record) => titleOf(resource.many, record),
            render: (record) => (
              <>
                <bdi>{titleOf(resource.many, record)}</bdi>
                {record.isDeleted && (
                  <Badge color="gray" ml={8}>
                    {text.isDeleted}
                  </Badge>
                )}
              </>
            ),
          },
        ]
      }
      if (name === 'total')
        return [
          {
            key: name,
            title: labelOf(name),
            width: MONEY_WIDTH,
            align: 'right',
            valueOf: ({ summary }) => summary?.total,
            render: ({ summary, currency }) => format.money(summary?.total, currency),
          },
        ]
      const member = all.get(name)
      if (member === undefined) return []
      const { schema } = member
      const isNumber = schema.type === 'number' || schema.type === 'integer' || isMoney(name, schema)
      return [
        {
          key: name,
          title: labelOf(name),
          width: widthOf(member, isNumber),
          ...(isNumber && { align: 'right' as const, isCount: !isMoney(name, schema) }),
          ...sortKey,
          valueOf: (record) => record[name],
          ...(schema.format === 'date-time' && { isTime: true }),
          refersTo: schema['x-refers-to'] ?? referenceOf(name),
          render: (record) => (
            <Value member={name} schema={schema} value={record[name]} currency={record.currency} isCell />
          ),
        },
      ]
    })
  }, [chosen, resource, format, titleOf])
  return useMemo(
    () => usual.map((column) => ({ ...column, width: widths[column.key] ?? column.width })),
    [usual, widths],
  )
}
