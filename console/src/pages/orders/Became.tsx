// What became of an order: what was paid and came back, and amounts that differ from the computed ones.
import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { RecordData } from '../../api/records.ts'
import type { AmountCheck } from '../../api/schemas.ts'
import { language } from '../../language.ts'
import { isZero } from '../../parts/decimal.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { textOf } from './entries.ts'
import { paymentStatusOf } from './values.ts'

export function Became({ order }: { order: RecordData }) {
  const format = useFormat()
  const money = (amount: string | undefined) =>
    amount !== undefined && !isZero(amount) && format.money(amount, order.currency)
  const { returnedQuantity: units = 0 } = order
  const payment = paymentStatusOf(order)
  const returned = money(order.returned)
  return (
    <>
      {order.checks && order.checks.length > 0 && <Checks order={order} checks={order.checks} />}
      <Facts
        facts={[
          [text.payment, payment && <StatusBadge value={payment} />],
          [text.fulfilment, order.fulfilmentStatus && <StatusBadge value={order.fulfilmentStatus} />],
          [text.paidSum, format.money(order.paid, order.currency)],
          [
            text.returnedSum,
            returned && (units > 0 ? text.withUnits(returned, format.number(units), units) : returned),
          ],
          [text.paidBack, money(order.refunded)],
          [text.due, format.money(order.due, order.currency)],
        ]}
      />
    </>
  )
}

/** The first differences are enough to see what is wrong. */
const most = 8

function Checks({ order, checks }: { order: RecordData; checks: readonly AmountCheck[] }) {
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, order.currency)
  return (
    <Alert color="yellow" radius="lg" icon={<IconAlertTriangle size={18} />} title={text.checks(checks.length)}>
      <List size="sm" spacing={2}>
        {checks.slice(0, most).map(({ pointer = '', sent, computed }) => (
          <List.Item key={pointer}>
            <bdi>{placeOf(pointer, order)}</bdi>: {text.sentAndComputed(money(sent), money(computed))}
          </List.Item>
        ))}
        {checks.length > most && <List.Item>{text.moreChecks(checks.length - most)}</List.Item>}
      </List>
    </Alert>
  )
}

/** A JSON pointer in words: `/lineItems/0/total` is “Item 1 (Tea), total”. */
function placeOf(pointer: string, order: RecordData): string {
  let value: any = order
  const words: string[] = []
  for (const part of pointer.split('/').slice(1)) {
    const kind = Array.isArray(value) ? words.pop() : undefined
    value = value?.[part]
    const name = textOf(value?.name)
    words.push(
      kind === undefined ? labelOf(part) : `${text.entryOf(kind, Number(part) + 1)}${name ? ` (${name})` : ''}`,
    )
  }
  const [first = '', ...others] = words
  return [
    first,
    ...others.map((word) => (language === 'de' ? word : word.charAt(0).toLowerCase() + word.slice(1))),
  ].join(', ')
}
