// The payments of a refund: a method and an amount, or several that share it.
import { ActionIcon, Button, Fieldset, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { useResource } from '../../api/resources.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { useAdding } from '../../parts/use-adding.ts'
import { WordInput } from '../../parts/WordInput.tsx'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import type { Payback } from './payback.ts'
import classes from './RefundLines.module.css'
import { RefundSums } from './RefundSums.tsx'

interface RefundPaymentsProps {
  readonly payback: Payback
  readonly currency: string | undefined
  readonly errorAt: (pointer: string) => string | undefined
}

/** The inputs that errors can be about. */
export const paymentPointers = ({ payments }: Payback): string[] => [
  '/payments',
  ...payments.flatMap((_, n) => [`/payments/${n}/paymentMethod`, `/payments/${n}/amount`]),
]

export const RefundPayments = (props: RefundPaymentsProps) => (
  <>
    <RefundSums payback={props.payback} currency={props.currency} />
    <Payments {...props} />
  </>
)

function Payments({ payback, currency, errorAt }: RefundPaymentsProps) {
  const { payments, isKnown, isStale, isNeeded, change, add, remove } = payback
  const { schema = {} } = useResource('transactions').members.find(({ name }) => name === 'paymentMethod') ?? {}
  const { list, add: addRow } = useAdding(payments.length, add)
  const adder = useRef<HTMLButtonElement>(null)
  if (!isKnown) return null
  if (payments.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {text.nothingBack}
      </Text>
    )
  const last = payments.length - 1
  return (
    <Fieldset
      variant="unstyled"
      legend={text.payBack}
      className={classes.payments}
      data-stale={isStale || undefined}
      aria-busy={isStale}
    >
      {isNeeded && <Text size="sm">{text.paybackNeeded}</Text>}
      <Stack gap={8} w="100%" ref={list}>
        {payments.map(({ paymentMethod, amount }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: payments have no name but their place.
          <div key={n} className={classes.payment}>
            <WordInput
              aria-label={text.way}
              placeholder={text.way}
              schema={schema}
              value={paymentMethod}
              error={errorAt(`/payments/${n}/paymentMethod`)}
              onChange={(next) => change(n, { paymentMethod: next })}
            />
            <NumberText
              isDecimal
              currency={currency}
              aria-label={paymentMethod ? text.amountOf(wordOf(paymentMethod)) : labelOf('amount')}
              className={classes.amount}
              value={amount}
              error={errorAt(`/payments/${n}/amount`) ?? (n === last ? errorAt('/payments') : undefined)}
              onChange={(next = '') => change(n, { amount: next })}
            />
            {last > 0 && (
              <ActionIcon
                aria-label={text.removeMethod(wordOf(paymentMethod) || text.way)}
                onClick={() => {
                  remove(n)
                  adder.current?.focus()
                }}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </div>
        ))}
      </Stack>
      <Button ref={adder} variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={addRow}>
        {text.addMethod}
      </Button>
    </Fieldset>
  )
}
