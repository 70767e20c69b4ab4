// The first customers or orders of a file, as they are after the import.
import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PreviewedCustomer, PreviewedOrder } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { text } from '../../texts/imports.ts'
import { Outcome } from './Outcome.tsx'
import { ReportTable } from './ReportTable.tsx'

export function Customers({ customers, isDone }: { customers: readonly PreviewedCustomer[]; isDone: boolean }) {
  return (
    <First
      title={(isDone ? text.previewDone : text.preview).customers}
      columns={[text.customer, text.email, text.phone, text.city, text.will]}
    >
      {customers.map(({ firstName, lastName, email, phone, billing, outcome }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are in the order of the file, and none moves.
        <tr key={index}>
          <td>
            <Name>{[firstName, lastName].filter(Boolean).join(' ')}</Name>
          </td>
          <td>
            <bdi>{email}</bdi>
          </td>
          <td>
            <bdi>{phone}</bdi>
          </td>
          <td>
            <bdi>{billing?.city}</bdi>
          </td>
          <td>
            <Outcome outcome={outcome} />
          </td>
        </tr>
      ))}
    </First>
  )
}

export function Orders({ orders, isDone }: { orders: readonly PreviewedOrder[]; isDone: boolean }) {
  const format = useFormat()
  return (
    <First
      title={(isDone ? text.previewDone : text.preview).orders}
      columns={[text.order, text.soldAt, text.state, text.items, text.total, text.will]}
      amounts={[text.items, text.total]}
    >
      {orders.map(({ receiptId, occurredAt, status, lineItems, summary, currency, outcome }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as the customers.
        <tr key={index}>
          <td>
            <Name>{receiptId}</Name>
          </td>
          <td>
            <time dateTime={occurredAt}>{format.dateTime(occurredAt)}</time>
          </td>
          <td>{status && <StatusBadge value={status} />}</td>
          <td data-align="right">{format.number(lineItems?.length)}</td>
          <td data-align="right">{format.money(summary?.total, currency)}</td>
          <td>
            <Outcome outcome={outcome} />
          </td>
        </tr>
      ))}
    </First>
  )
}

interface FirstProps {
  readonly title: string
  readonly columns: readonly string[]
  /** Those of the columns that are aligned as numbers. */
  readonly amounts?: readonly string[]
  readonly children: ReactNode
}

function First({ title, columns, amounts = [], children }: FirstProps) {
  const head = columns.map((name) => (
    <th key={name} scope="col" data-align={amounts.includes(name) ? 'right' : undefined}>
      {name}
    </th>
  ))
  return (
    <section aria-labelledby="preview">
      <Title order={2} id="preview" mb="sm">
        {title}
      </Title>
      <ReportTable head={head} minWidth={680}>
        <tbody>{children}</tbody>
      </ReportTable>
    </section>
  )
}

const Name = ({ children }: { children: ReactNode }) => (
  <Text inherit fw={500} component="span" lineClamp={2}>
    <bdi>{children}</bdi>
  </Text>
)
