// A till's session: its times, its payments by payment method, and whether the counted cash matches.

import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCompany, useWhose } from '../../api/company.ts'
import { type RecordData, someQuery, type Versioned } from '../../api/records.ts'
import type { Transaction } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { isZero, minus, sumOf } from '../../parts/decimal.ts'
import { Facts } from '../../parts/Facts.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { text as sessions } from '../../texts/sessions.ts'
import { allQuery } from './all.ts'
import { Related } from './Related.tsx'

const most = 20_000

export function SessionView({ record }: Versioned) {
  const format = useFormat()
  const whose = useWhose()
  const { data: closings } = useQuery(someQuery(whose, 'closings', { sessionId: record.id }))
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [text.station, record.stationId && <RecordName many="stations" id={record.stationId} />],
          [text.opened, format.dateTime(record.openTime)],
          [text.closed, record.closeTime ? format.dateTime(record.closeTime) : text.stillOpen],
          [text.openingAmount, format.money(record.openingAmount)],
          [text.closingAmount, format.money(record.closingAmount)],
          ...(closings?.data ?? []).map(
            ({ id, number }) =>
              [
                sessions.zTitle(number),
                <Anchor key={id} component={Link} to={`/c/${whose.companyId}/closings/${id}`}>
                  {sessions.open}
                </Anchor>,
              ] as const,
          ),
        ]}
      />
      <Ways session={record} />
      <Related
        many="transactions"
        title={text.transactions}
        filters={{ sessionId: record.id }}
        members={['type', 'paymentMethod', 'amount']}
        empty={text.noTransactions}
      />
      <Related
        many="orders"
        title={text.orders}
        filters={{ sessionId: record.id }}
        members={['status', 'customerId', 'total']}
        empty={text.noOrders}
      />
    </Stack>
  )
}

interface Way {
  readonly method: string
  readonly currency: string | undefined
  readonly count: number
  readonly sales: string
  readonly refunds: string
  readonly net: string
}

/** Sums by payment method and currency, sorted by name. Voided transactions do not count. */
function waysOf(transactions: readonly Transaction[], usual: string | undefined): Way[] {
  const groups = new Map<string, Transaction[]>()
  for (const transaction of transactions) {
    if (transaction.type === 'void') continue
    const key = JSON.stringify([transaction.paymentMethod, transaction.currency ?? usual ?? null])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [transaction])
    else group.push(transaction)
  }
  return [...groups].sort().map(([key, group]) => {
    const [method, currency] = JSON.parse(key) as [string, string | null]
    const isRefund = ({ type }: Transaction) => type === 'refund'
    const sales = sumOf(group.filter((one) => !isRefund(one)).map(({ amount }) => amount))
    // Some tills write the amount of a refund with a minus sign, others without.
    const refunds = sumOf(group.filter(isRefund).map(({ amount }) => String(amount).replace('-', '')))
    return {
      method,
      currency: currency ?? undefined,
      count: group.length,
      sales,
      refunds,
      net: sumOf([sales, minus(refunds)]),
    }
  })
}

function Ways({ session }: { session: RecordData }) {
  const format = useFormat()
  const { currency: usual } = useCompany()
  const { data, error, refetch } = useQuery(allQuery(useWhose(), 'transactions', { sessionId: session.id }, most))
  const ways = useMemo(() => waysOf(data ?? [], usual), [data, usual])
  if (data === undefined)
    return (
      <Card title={text.ways}>
        {error ? <Failure error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={3} />}
      </Card>
    )
  const cash = ways.find(({ method, currency }) => method === 'cash' && currency === usual)
  const expected = sumOf([session.openingAmount, cash?.net])
  const counted = (method: string): string | undefined => {
    const own = session.closingAmounts?.[method]
    return own ?? (method === 'cash' ? session.closingAmount : undefined)
  }
  const hasCounted = ways.some(({ method }) => counted(method) !== undefined)
  const columns = [
    text.salesCount,
    text.sales,
    text.refunds,
    text.net,
    ...(hasCounted ? [text.counted, text.difference] : []),
  ]

  if (ways.length === 0) return null
  return (
    <Card title={text.ways} isFlush aside={data.length >= most ? text.partly(data.length) : undefined}>
      <Table.ScrollContainer
        minWidth={hasCounted ? 680 : 480}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': text.ways } }}
      >
        <Table verticalSpacing={9} horizontalSpacing={12}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text.way}</Table.Th>
              {columns.map((title) => (
                <Table.Th key={title} ta="right">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ways.map((way) => {
              const { method, currency, net } = way
              const found = currency === usual ? counted(method) : undefined
              const difference = found === undefined ? undefined : sumOf([found, minus(way === cash ? expected : net)])
              return <WayRow key={method + currency} {...{ way, found, difference, hasCounted }} />
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {cash !== undefined && session.openingAmount !== undefined && (
        <Text size="sm" c="dimmed" px={24} py={12} className="numbers">
          {text.expectedCash}: {format.money(expected)}
        </Text>
      )}
    </Card>
  )
}

interface WayRowProps {
  readonly way: Way
  readonly hasCounted: boolean
  /** The counted amount, if it was counted, and by how much it differs. */
  readonly found: string | undefined
  readonly difference: string | undefined
}

function WayRow({ way, hasCounted, found, difference }: WayRowProps) {
  const format = useFormat()
  const { method, currency, count, sales, refunds, net } = way
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{labelOf(method)}</bdi>
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {format.number(count)}
      </Table.Td>
      {[sales, refunds, net].map((amount, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three columns, always the same.
        <Table.Td key={n} ta="right" className="numbers" fw={n === 2 ? 500 : undefined}>
          {n === 1 && isZero(amount) ? <span className="muted">–</span> : format.money(amount, currency)}
        </Table.Td>
      ))}
      {hasCounted && (
        <>
          <Table.Td ta="right" className="numbers">
            {format.money(found, currency)}
          </Table.Td>
          <Table.Td
            ta="right"
            className="numbers"
            c={difference !== undefined && !isZero(difference) ? 'var(--cw-bad)' : undefined}
          >
            {format.money(difference, currency)}
          </Table.Td>
        </>
      )}
    </Table.Tr>
  )
}
