// Payments in a dialog: a method and an amount, or several that share it.
import { ActionIcon, Button, Fieldset, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { useResource } from '../../api/resources.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { useAdding } from '../../parts/use-adding.ts'
import { WordInput } from '../../parts/WordInput.tsx'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import classes from './RefundLines.module.css'

/** A payment as it is shown. */
export interface ShownPayment {
  readonly paymentMethod: string
  readonly amount?: unknown
}

interface PaymentRowsProps {
  readonly payments: readonly ShownPayment[]
  /** Whether amounts are of earlier input, and others are awaited. */
  readonly isStale: boolean
  readonly legend: string
  readonly hint?: string | undefined
  /** Whether the last payment can be removed too. */
  readonly isOptional?: boolean
  readonly currency: string | undefined
  readonly errorAt: (pointer: string) => string | undefined
  readonly change: (n: number, next: Partial<ShownPayment>) => void
  readonly add: () => void
  readonly remove: (n: number) => void
}

/** The inputs that errors can be about. */
export const paymentPointers = (payments: readonly unknown[]): string[] => [
  '/payments',
  ...payments.flatMap((_, n) => [`/payments/${n}/paymentMethod`, `/payments/${n}/amount`]),
]

export function PaymentRows({
  payments,
  isStale,
  legend,
  hint,
  isOptional = false,
  currency,
  errorAt,
  change,
  add,
  remove,
}: PaymentRowsProps) {
  const { schema = {} } = useResource('transactions').members.find(({ name }) => name === 'paymentMethod') ?? {}
  const { list, add: addRow } = useAdding(payments.length, add)
  const adder = useRef<HTMLButtonElement>(null)
  const last = payments.length - 1
  return (
    <Fieldset
      variant="unstyled"
      legend={legend}
      className={classes.payments}
      data-stale={isStale || undefined}
      aria-busy={isStale}
    >
      {hint && <Text size="sm">{hint}</Text>}
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
            {(isOptional || last > 0) && (
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
