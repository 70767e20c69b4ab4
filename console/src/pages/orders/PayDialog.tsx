// Takes payment for an open order, which makes it a sale, or for a sale on account. The service computes what is to be paid, and the change.
import { Button, Checkbox, SimpleGrid, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCompany } from '../../api/company.ts'
import type { RecordData, Versioned } from '../../api/records.ts'
import type { SaleCompletionCreate, SalePaymentsCreate } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { enterGoesOn } from '../../parts/enter-goes-on.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { useOnlyStation } from '../../parts/only-place.ts'
import { ReferenceInput } from '../../parts/ReferenceInput.tsx'
import { firstWrong } from '../../parts/submission.ts'
import { useFirstInput } from '../../parts/use-first-input.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { hasOpenItems, isOwed, isReturn } from './entries.ts'
import { MoneyDialog, type MoneyFormProps } from './MoneyDialog.tsx'
import { type Done, PayDone } from './PayDone.tsx'
import { PaymentRows, paymentPointers, type ShownPayment } from './PaymentRows.tsx'
import { PaySums } from './PaySums.tsx'
import { type Paying, usePaying } from './paying.ts'
import { useReturns } from './returns.ts'

interface PayDialogProps {
  readonly versioned: Versioned
  readonly opened: boolean
  readonly close: () => void
}

export const PayDialog = ({ versioned, opened, close }: PayDialogProps) => (
  <MoneyDialog<Done>
    name={`cashwrap-pay-${versioned.record.id}`}
    title={isOwed(versioned.record) ? text.payOut : text.takePayment}
    doneTitle={text.paidDone}
    {...{ opened, close }}
    form={(props) => <PayForm versioned={versioned} {...props} />}
    result={(props) => <PayDone {...props} />}
  />
)

interface FormProps extends MoneyFormProps<Done> {
  readonly versioned: Versioned
}

/** What is sent besides the payments, as it was entered. */
interface About extends Partial<Record<'stationId' | 'outletId', string | undefined>> {
  readonly tip?: unknown
  readonly oversell?: boolean
}

/**
 * The order as it was sent, until the outcome is known. The payment may have been taken, and then nothing is left to pay, but only what was
 * sent, with its key, brings the response that was lost.
 */
function useSent(versioned: Versioned, isUnsettled: boolean): Versioned {
  const sent = useRef(versioned)
  if (!isUnsettled) sent.current = versioned
  return sent.current
}

function PayForm({ versioned, submission, close, onDone, onDirty }: FormProps) {
  const { isBusy, isUnknown, problem: refused, run, forget } = submission
  const isUnsettled = isBusy || isUnknown
  const { record: order, etag } = useSent(versioned, isUnsettled)
  const company = useCompany()
  const currency = order.currency ?? company.currency
  const onlyStation = useOnlyStation()
  const [entered, enter] = useState<About>({})
  const [isTried, setTried] = useState(false)
  const change = (next: About) => enter((before) => ({ ...before, ...next }))
  const stationId = 'stationId' in entered ? entered.stationId : (order.stationId ?? onlyStation)
  const about: About = { ...entered, stationId }
  const paying = usePaying(order, about, isUnsettled)
  const { complete, pay } = useReturns(order.id)
  const isOpen = hasOpenItems(order)
  const { payments, sent } = paying
  useEntered(JSON.stringify([entered, paying.typed]), onDirty, forget)
  const problem = refused ?? paying.problem
  const messages = messagesFor(problem, '/tip', '/stationId', '/outletId', ...paymentPointers(payments))
  const { order: paid, transactions: [first] = [] } = paying.computed ?? {}
  const isInSession = (first ?? paid)?.sessionId !== undefined

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    flushSync(() => setTried(true))
    if (!paying.isReady) return firstWrong(event.currentTarget)?.focus()
    const send = (key: string): Promise<Done> =>
      isOpen ? complete(sent as SaleCompletionCreate, key, etag) : pay(sent as SalePaymentsCreate, key, etag)
    if (sent) void run(async (key) => onDone(await send(key)))
  }

  /** Checked here and not at the submission: after an attempt of unknown outcome, a new key would take the payment twice. */
  const errorAt = (pointer: string) =>
    messages.at(pointer) ?? (isTried && isMethodMissing(payments, pointer) ? text.missingMethod : undefined)

  return (
    <form ref={useFirstInput()} onSubmit={submit} onKeyDown={enterGoesOn} noValidate>
      <Stack gap="md">
        <PaySums {...{ order, paying, currency }} />
        <Payments {...{ order, paying, currency, errorAt }} />
        <PayFields
          {...{ order, entered, stationId, currency, change }}
          hasTip={isOpen && !isReturn(paid ?? order)}
          errorAt={messages.at}
        />
        {paying.isReady && !isInSession && (
          <Text size="sm" c="dimmed">
            {stationId ? text.inNoSession : text.atNoStation}
          </Text>
        )}
        <FormMessage>{messages.rest}</FormMessage>
        {paying.isShort && (
          <Checkbox
            label={text.sellAnyway}
            checked={entered.oversell ?? false}
            onChange={(event) => change({ oversell: event.currentTarget.checked })}
          />
        )}
        <DialogButtons cancel={close} isBusy={isBusy}>
          <Button type="submit" loading={isBusy} disabled={sent !== undefined && !paying.isReady}>
            {actionOf(paying, isOpen)}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

/** What the button does. */
function actionOf({ isPayout, isNothing, payments }: Paying, isOpen: boolean): string {
  if (isOpen && (isPayout || isNothing || payments.length === 0)) return text.completeSale
  return isPayout ? text.payOut : text.takePayment
}

const isMethodMissing = (payments: readonly ShownPayment[], pointer: string): boolean =>
  payments.some(({ paymentMethod }, n) => paymentMethod === '' && pointer === `/payments/${n}/paymentMethod`)

interface PayFieldsProps {
  readonly order: RecordData
  readonly entered: About
  readonly stationId: string | undefined
  readonly currency: string | undefined
  readonly hasTip: boolean
  readonly errorAt: (pointer: string) => string | undefined
  readonly change: (next: About) => void
}

/** The tip of an order that is not sold yet, the till that takes the money, and the outlet if the order names none. */
function PayFields({ order, entered, stationId, currency, hasTip, errorAt, change }: PayFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      {hasTip && (
        <NumberText
          isDecimal
          currency={currency}
          label={text.tip}
          value={entered.tip ?? order.summary?.tip?.amount}
          error={errorAt('/tip')}
          onChange={(tip = '0') => change({ tip })}
        />
      )}
      <ReferenceInput
        many="stations"
        label={text.station}
        value={stationId}
        // A payment without a station is taken at that of the order.
        isClearable={order.stationId === undefined}
        error={errorAt('/stationId')}
        onChange={(next) => change({ stationId: next })}
      />
      {hasOpenItems(order) && order.outletId === undefined && (
        <ReferenceInput
          many="outlets"
          label={labelOf('outletId')}
          value={entered.outletId}
          error={errorAt('/outletId')}
          onChange={(outletId) => change({ outletId })}
        />
      )}
    </SimpleGrid>
  )
}

interface PaymentsProps {
  readonly order: RecordData
  readonly paying: ReturnType<typeof usePaying>
  readonly currency: string | undefined
  readonly errorAt: (pointer: string) => string | undefined
}

function Payments({ order, paying, currency, errorAt }: PaymentsProps) {
  if (paying.isNothing) return <Text size="sm">{text.nothingToPay}</Text>
  return (
    <PaymentRows
      payments={paying.payments}
      isStale={paying.isStale}
      legend={paying.isPayout ? text.payOut : text.payments}
      hint={paying.payments.length === 0 ? text.paidLater : undefined}
      isOptional={hasOpenItems(order)}
      change={paying.edit}
      add={paying.add}
      remove={paying.remove}
      {...{ currency, errorAt }}
    />
  )
}

/** Reports whether something was entered, until the form is gone, and forgets a refusal as soon as something else is. */
function useEntered(entered: string, onDirty: (isDirty: boolean) => void, forget: () => void): void {
  const [first] = useState(entered)
  useEffect(() => {
    onDirty(entered !== first)
    forget()
    return () => onDirty(false)
  }, [entered, first, onDirty, forget])
}
