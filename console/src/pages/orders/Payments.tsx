// How an order was paid, or a refund paid out.
import { Anchor } from '@mantine/core'
import { IconCash, IconCreditCard, IconGiftCard, IconWallet } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import { useFormat } from '../../parts/format.ts'
import { wordOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { amountOf, entriesOf, textOf } from './entries.ts'
import classes from './Receipt.module.css'
import { shareOf } from './values.ts'

const icons = new Map(
  Object.entries({
    cash: IconCash,
    credit_card: IconCreditCard,
    gift_card: IconGiftCard,
  }),
)

export function Payments({ payments, currency }: { payments: unknown; currency: string | undefined }) {
  const { companyId } = useScope()
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, currency)
  return (
    <ul className={classes.payments} aria-label={text.payments}>
      {entriesOf(payments).map((payment, n) => {
        const way = textOf(payment.paymentType) ?? ''
        const Icon = icons.get(way) ?? IconWallet
        const tip = shareOf(payment.tip, money)
        const details = [
          textOf(payment.processor),
          amountOf(payment.change) && text.change(money(payment.change)),
          tip && text.ofTip(tip),
          textOf(payment.timestamp) && format.dateTime(String(payment.timestamp)),
        ].filter(Boolean)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: payments have no name but their place.
          <li key={n}>
            <Icon size={18} stroke={1.6} aria-hidden className="muted" />
            <div className={classes.payment}>
              {/^[0-9a-f]{24}$/.test(String(payment.transactionId)) ? (
                <Anchor component={Link} to={`/c/${companyId}/transactions/${payment.transactionId}`}>
                  <bdi>{wordOf(way)}</bdi>
                </Anchor>
              ) : (
                <bdi>{wordOf(way)}</bdi>
              )}
              {details.length > 0 && (
                <div className={classes.detail}>
                  <bdi>{details.join(' · ')}</bdi>
                </div>
              )}
            </div>
            <span>{money(payment.amount)}</span>
          </li>
        )
      })}
    </ul>
  )
}
