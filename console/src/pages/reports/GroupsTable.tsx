// The groups of a sales report as a table: their names, their sums, and the change since the period before.
import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { referenceOf } from '../../api/resources.ts'
import type { SalesGroup, SalesGroups } from '../../api/schemas.ts'
import { percent, useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/reports.ts'
import { onDay } from '../overview/DaysPlot.tsx'

/** More rows than anybody reads; the CSV has all of them. */
const most = 300

const ofOrders = ['count', 'grossSales', 'discounts', 'netSales', 'tax', 'refunded'] as const
const ofPayments = ['count', 'paid', 'refunded'] as const

export function GroupsTable({ report: { groups, groupBy, previous } }: { report: SalesGroups }) {
  const format = useFormat()
  const isOfPayments = groupBy.includes('paymentMethod')
  const sums = isOfPayments ? ofPayments : ofOrders
  const main = isOfPayments ? 'paid' : 'netSales'
  const cellOf = (group: SalesGroup, sum: (typeof sums)[number]) =>
    sum === 'count' ? format.number(group.count) : format.money(group[sum as 'refunded'], group.currency)
  return (
    <>
      <Table.ScrollContainer
        minWidth={800}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': text.sales } }}
      >
        <Table verticalSpacing={9} horizontalSpacing={12}>
          <Table.Thead>
            <Table.Tr>
              {groupBy.map((dimension) => (
                <Table.Th key={dimension}>{titleOf(dimension)}</Table.Th>
              ))}
              {sums.map((sum) => (
                <Table.Th key={sum} ta="right">
                  {text.sums[sum]}
                </Table.Th>
              ))}
              {previous && <Table.Th ta="right">{text.before(text.sums[main])}</Table.Th>}
              {previous && <Table.Th ta="right">{text.change}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.slice(0, most).map((group) => (
              <Table.Tr key={JSON.stringify([group.currency, ...groupBy.map((dimension) => group[dimension])])}>
                {groupBy.map((dimension) => (
                  <Table.Td key={dimension}>
                    <NameOf dimension={dimension} value={group[dimension]} />
                  </Table.Td>
                ))}
                {sums.map((sum) => (
                  <Table.Td key={sum} ta="right" className="numbers">
                    {cellOf(group, sum)}
                  </Table.Td>
                ))}
                {previous && (
                  <Table.Td ta="right" className="numbers muted">
                    {format.money(group.previous?.[main], group.currency)}
                  </Table.Td>
                )}
                {previous && (
                  <Table.Td ta="right" className="numbers">
                    {changeOf(group[main], group.previous?.[main])}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {groups.length > most && (
        <Text size="sm" c="dimmed" px={24} py={12}>
          {text.onlyFirst(most, groups.length)}
        </Text>
      )}
    </>
  )
}

const titleOf = (dimension: string): string =>
  text.dimensions.find(({ value }) => value === dimension)?.label ?? labelOf(dimension)

/** “+12%”; nothing if there was nothing before. */
function changeOf(now: string | undefined, before: string | undefined): string {
  const [is, was] = [Number(now ?? 0), Number(before ?? 0)]
  if (was === 0) return '–'
  const share = is / was - 1
  return `${share > 0 ? '+' : ''}${percent(share)}`
}

/** What a group is called: the name of a record, a weekday, an hour. */
function NameOf({ dimension, value }: { dimension: string; value: string | number | null | undefined }): ReactNode {
  if (value === null || value === undefined) return <span className="muted">{text.none}</span>
  const many = referenceOf(dimension) ?? (dimension === 'categoryId' ? 'categories' : undefined)
  if (many !== undefined) return <RecordName many={many} id={String(value)} />
  if (dimension === 'paymentMethod') return <bdi>{labelOf(String(value))}</bdi>
  if (dimension === 'day')
    return <span style={{ whiteSpace: 'nowrap' }}>{onDay(String(value), { dateStyle: 'medium' })}</span>
  if (dimension === 'taxRate') return percent(Number(value) / 100)
  if (dimension === 'hour') return `${String(value).padStart(2, '0')}:00`
  // 1 January 2024 was a Monday.
  if (dimension === 'weekday')
    return new Intl.DateTimeFormat(undefined, { weekday: 'long' }).format(new Date(2024, 0, Number(value)))
  return <bdi>{value}</bdi>
}
