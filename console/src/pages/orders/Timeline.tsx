// The history of an order, by time: created, paid, refunded, noted, changed.

import { Anchor, Timeline as Line, Text } from '@mantine/core'
import { IconArrowBackUp, IconCash, IconClock, IconNote, IconPencil, IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../api/company.ts'
import { happenedAt, type RecordData, someQuery } from '../../api/records.ts'
import { Card } from '../../parts/Card.tsx'
import { useFormat } from '../../parts/format.ts'
import { wordInSentence } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { entriesOf, textOf } from './entries.ts'
import { totalOf } from './values.ts'

interface Step {
  readonly at: string
  readonly icon: typeof IconCash
  readonly title: ReactNode
  readonly detail?: string | undefined
}

/** The steps of an order, by time. */
function useSteps(order: RecordData) {
  const scope = useScope()
  const format = useFormat()
  // The same queries as in the cards above, so they are sent once.
  const newest = { orderId: order.id, sortBy: 'occurredAt', sortOrder: 'desc', limit: 6 }
  const { data: transactions } = useQuery(someQuery(scope, 'transactions', newest))
  const { data: refunds } = useQuery(someQuery(scope, 'refunds', newest))
  const leading = (many: string, { id }: RecordData, words: string) => (
    <Anchor component={Link} to={`/c/${scope.companyId}/${many}/${id}`}>
      {words}
    </Anchor>
  )
  const steps: Step[] = [
    { at: order.createdAt, icon: IconReceipt, title: text.created },
    ...(transactions?.data ?? []).toReversed().map((one): Step => {
      const say = { refund: text.returned, void: text.voided }[String(one.type)] ?? text.paid
      const words = say(format.money(one.amount, one.currency ?? order.currency), wordInSentence(one.paymentMethod))
      return {
        at: happenedAt(one),
        icon: one.type === 'refund' ? IconArrowBackUp : IconCash,
        title: leading('transactions', one, words),
        detail: textOf(one.notes),
      }
    }),
    ...(refunds?.data ?? []).toReversed().map(
      (one): Step => ({
        at: happenedAt(one),
        icon: IconArrowBackUp,
        title: leading('refunds', one, text.refunded(format.money(totalOf(one), one.currency ?? order.currency))),
        detail: textOf(one.reason),
      }),
    ),
    ...entriesOf(order.notes).map(
      (note): Step => ({
        at: textOf(note.createdAt) ?? order.createdAt,
        icon: IconNote,
        title: text.noted,
        detail: textOf(note.message) ?? JSON.stringify(note),
      }),
    ),
    ...(textOf(order.parkExpiryDate)
      ? [{ at: String(order.parkExpiryDate), icon: IconClock, title: text.parkedUntil }]
      : []),
    ...(order.updatedAt !== undefined && order.updatedAt !== order.createdAt
      ? [{ at: order.updatedAt, icon: IconPencil, title: text.changed }]
      : []),
  ]
  return steps.map((step, n) => ({ ...step, n })).sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.n - b.n)
}

export function Timeline({ order }: { order: RecordData }) {
  const format = useFormat()
  const steps = useSteps(order)
  return (
    <Card title={text.timeline}>
      <Line bulletSize={26} lineWidth={1} active={-1}>
        {steps.map(({ at, icon: Icon, title, detail, n }) => (
          <Line.Item
            key={n}
            bullet={<Icon size={14} stroke={1.7} aria-hidden />}
            title={
              <Text size="sm" fw={500} component="span">
                {title}
              </Text>
            }
          >
            {detail && (
              <Text size="sm" className="name">
                {detail}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <time dateTime={at}>{format.dateTime(at)}</time>
            </Text>
          </Line.Item>
        ))}
      </Line>
    </Card>
  )
}
