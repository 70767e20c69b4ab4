// Records that belong to the open one: the latest of them, and a link to all.
import { Anchor, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import { happenedAt, type RecordData, someQuery } from '../../api/records.ts'
import { momentOf, useResource } from '../../api/resources.ts'
import { Card } from '../../parts/Card.tsx'
import { badgeWidth, moneyWidth, timeWidth, titledWidth } from '../../parts/column-widths.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { membersInTitle, signedAmount, useTitleOf } from '../../parts/record-title.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { Value } from '../../parts/Value.tsx'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { text as list } from '../../texts/records.ts'
import { totalOf } from '../orders/values.ts'
import classes from './Related.module.css'

interface RelatedProps {
  readonly many: string
  readonly title: string
  /** Exact filters. */
  readonly filters: Readonly<Record<string, string>>
  /** Members shown beside the record's name and time. */
  readonly members: readonly string[]
  readonly empty: string
}

const limit = 6
/** Pixels that the last column has besides: it ends where the card’s other parts do. */
const lastPadding = 12

/** The column of methods, whose title and words need it. */
const methodWidth = 150

export function Related({ many, title, filters, members, empty }: RelatedProps) {
  const scope = useScope()
  const { data, error, refetch } = useQuery(
    someQuery(scope, many, { ...filters, sortBy: momentOf(useResource(many)), sortOrder: 'desc', limit }),
  )
  const count = data?.meta.count
  return (
    <Card
      title={title}
      aside={count}
      isFlush={count !== undefined && count > 0}
      actions={
        count !== undefined &&
        count > limit && (
          <Anchor component={Link} to={`/c/${scope.companyId}/${many}`} search={{ f: filters } as never} fz="sm" px={8}>
            {text.seeAll(count)}
          </Anchor>
        )
      }
    >
      {data === undefined && error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <RowsSkeleton rows={3} />}
      {count === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {data !== undefined && data.data.length > 0 && <Rows many={many} members={members} records={data.data} />}
    </Card>
  )
}

const isRight = (name: string) => name === 'total' || name === 'amount'
const amountOf = (record: RecordData, name: string) => (name === 'total' ? totalOf(record) : signedAmount(record))

/** The pixels of a column; undefined for names, such as the number of a receipt, which share what is left. */
function widthOf(name: string, records: readonly RecordData[], money: (amount: string) => string): number | undefined {
  if (isRight(name))
    return moneyWidth(
      records.map((record) => amountOf(record, name)),
      money,
    )
  if (name === 'paymentMethod') return methodWidth
  if (name !== 'status' && name !== 'type') return undefined
  return titledWidth(badgeWidth(records.map((record) => wordOf(String(record[name] ?? '')))), labelOf(name))
}

/** Records of one kind, each a link. */
export function Rows({
  many,
  members,
  records,
}: {
  many: string
  members: readonly string[]
  records: readonly RecordData[]
}) {
  const { companyId } = useScope()
  const resource = useResource(many)
  const format = useFormat()
  const titleOf = useTitleOf()
  const schemaOf = (name: string) => resource.members.find((member) => member.name === name)?.schema ?? {}
  return (
    <div className={classes.scroll}>
      <Table className={classes.table} layout="fixed" verticalSpacing={9} horizontalSpacing={12}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{labelOf(resource.singular)}</Table.Th>
            {members.map((name) => (
              <Table.Th key={name} ta={isRight(name) ? 'right' : undefined} w={widthOf(name, records, format.money)}>
                {labelOf(name)}
              </Table.Th>
            ))}
            <Table.Th w={timeWidth() + lastPadding} ta="right">
              {text.date}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr key={record.id}>
              <Table.Td className="cut">
                <Anchor component={Link} to={`/c/${companyId}/${many}/${record.id}`}>
                  {membersInTitle(many, record).includes('occurredAt') ? (
                    list.noReceiptNumber
                  ) : (
                    <bdi>{titleOf(many, record)}</bdi>
                  )}
                </Anchor>
              </Table.Td>
              {members.map((name) => (
                <Table.Td
                  key={name}
                  className="cut"
                  ta={isRight(name) ? 'right' : undefined}
                  data-amount={isRight(name) || undefined}
                >
                  {name === 'total' ? (
                    format.money(totalOf(record), record.currency)
                  ) : name === 'paymentMethod' && typeof record[name] === 'string' ? (
                    <bdi>{wordOf(record[name])}</bdi>
                  ) : (
                    <Value
                      member={name}
                      schema={schemaOf(name)}
                      value={name === 'amount' ? signedAmount(record) : record[name]}
                      currency={record.currency}
                      isCell
                    />
                  )}
                </Table.Td>
              ))}
              <Table.Td className="cut muted" ta="right">
                {format.dateTime(happenedAt(record))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
