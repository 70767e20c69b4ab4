// Refunds a sale, whole or by lines. The service computes the amounts, and proposes how they are paid back.
import { Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useCompany, useScope } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import type { Refund, SaleRefundCreate, SaleRefunded } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { enterGoesOn } from '../../parts/enter-goes-on.ts'
import { Failure } from '../../parts/Failure.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { firstWrong } from '../../parts/submission.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { useFirstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/orders.ts'
import { allQuery } from '../records/all.ts'
import { amountOf, entriesOf } from './entries.ts'
import { MoneyDialog, type MoneyFormProps } from './MoneyDialog.tsx'
import { paymentPointers } from './PaymentRows.tsx'
import { usePayback } from './payback.ts'
import { RefundDone } from './RefundDone.tsx'
import { RefundLines, type Returns } from './RefundLines.tsx'
import { RefundPayments } from './RefundPayments.tsx'
import { useReturns } from './returns.ts'
import { type LineLeft, linesLeft } from './units-left.ts'

interface RefundDialogProps {
  readonly order: RecordData
  readonly opened: boolean
  readonly close: () => void
}

export const RefundDialog = ({ order, opened, close }: RefundDialogProps) => (
  <MoneyDialog<SaleRefunded>
    name={`cashwrap-refund-${order.id}`}
    title={text.refundTitle}
    doneTitle={text.refundDone}
    {...{ opened, close }}
    form={(props) => <Begin order={order} {...props} />}
    result={(props) => <RefundDone {...props} />}
  />
)

function Begin(props: FormProps) {
  const { data, error, refetch } = useQuery(allQuery(useScope(), 'refunds', { orderId: props.order.id }))
  if (data === undefined) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={160} />
  return <RefundForm {...props} refunds={data} />
}

interface FormProps extends MoneyFormProps<SaleRefunded> {
  readonly order: RecordData
}

/** What a sale can have beside its lines, and a refund of lines can pay back in part. */
const extrasOf = ({ summary, cartFees }: RecordData) =>
  [
    { name: 'shippingTotal', label: text.shipping, isThere: amountOf(summary?.shippingTotal) !== undefined },
    { name: 'tip', label: text.tip, isThere: amountOf(summary?.tip?.amount) !== undefined },
    { name: 'fees', label: text.fees, isThere: entriesOf(cartFees).length > 0 },
  ].filter(({ isThere }) => isThere)

function WholeOrLines({ isWhole, choose }: { isWhole: boolean; choose: (isWhole: boolean) => void }) {
  return (
    <SegmentedControl
      aria-label={text.refundWhat}
      fullWidth
      value={isWhole ? 'whole' : 'lines'}
      onChange={(value) => choose(value === 'whole')}
      data={[
        { value: 'lines', label: text.refundLines },
        { value: 'whole', label: text.refundWhole },
      ]}
    />
  )
}

interface ExtrasProps {
  readonly extras: ReturnType<typeof extrasOf>
  readonly currency: string | undefined
  readonly amounts: Readonly<Record<string, unknown>>
  readonly errorOf: (name: string) => string | undefined
  readonly onChange: (name: string, value: unknown) => void
}

function Extras({ extras, currency, amounts, errorOf, onChange }: ExtrasProps) {
  if (extras.length === 0) return null
  return (
    <Group gap="sm" grow>
      {extras.map(({ name, label }) => (
        <NumberText
          key={name}
          isDecimal
          currency={currency}
          label={label}
          value={amounts[name]}
          error={errorOf(name)}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </Group>
  )
}

function RefundForm({
  submission,
  order,
  close,
  onDone,
  onDirty,
  refunds,
}: FormProps & { refunds: readonly Refund[] }) {
  const [lines] = useState(() => linesLeft(order, refunds))
  const extras = extrasOf(order)
  const { currency } = useCompany()
  const [isWhole, setWhole] = useState(lines.length === 0)
  const [returns, setReturns] = useState<Returns>({})
  const [amounts, setAmounts] = useState<Readonly<Record<string, unknown>>>({})
  const [reason, setReason] = useState('')
  const { isBusy, problem, run, forget } = submission
  const { refund } = useReturns(order.id)
  const chosen = chosenOf(lines, returns)
  const values = [...chosen.map(({ quantity }) => quantity), ...Object.values(amounts)]
  const isChosen =
    isWhole ||
    (!values.some((value) => value instanceof Unreadable) &&
      (chosen.length > 0 || Object.values(amounts).some((one) => amountOf(one))))
  const wanted = isWhole
    ? {}
    : {
        ...amounts,
        lines: chosen.map(({ line, quantity, restock }) => ({ [line.kind]: line.position, quantity, restock })),
      }
  const payback = usePayback(order.id, isChosen ? wanted : undefined, isBusy)
  const isReadable = !payback.payments.some(({ amount }) => amount instanceof Unreadable)
  const [isTried, setTried] = useState(false)
  useTyped([...values, reason, payback.chosen], onDirty)
  // Not what would be sent: after a refusal the service is asked again for its proposal.
  useForgetting(forget, [wanted, payback.chosen])
  const pointers = [...chosen.map((_, n) => `/lines/${n}/quantity`), ...extras.map(({ name }) => `/${name}`)]
  const messages = messagesFor(problem ?? payback.problem, ...pointers, ...paymentPointers(payback.payments))
  const messageOf = (line: LineLeft) => messages.at(`/lines/${chosen.findIndex((one) => one.line === line)}/quantity`)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setTried(true)
    if (!isChosen || !isReadable) return focusMissing(event.currentTarget)
    const why = reason.trim() === '' ? {} : { reason: reason.trim() }
    void run(async (key) => onDone(await refund({ ...why, ...wanted, ...payback.sent } as SaleRefundCreate, key)))
  }

  return (
    <form ref={useFirstInput()} onSubmit={submit} onKeyDown={enterGoesOn}>
      <Stack gap="md">
        {lines.length > 0 && <WholeOrLines isWhole={isWhole} choose={setWhole} />}
        {isWhole ? (
          <Text size="sm">{text.refundWholeHint}</Text>
        ) : (
          <>
            <RefundLines {...{ lines, returns, messageOf }} onChange={setReturns} />
            <Extras
              {...{ extras, amounts }}
              currency={order.currency ?? currency}
              errorOf={(name) => messages.at(`/${name}`)}
              onChange={(name, value) => setAmounts((all) => ({ ...all, [name]: value }))}
            />
          </>
        )}
        <RefundPayments {...{ payback }} currency={order.currency ?? currency} errorAt={messages.at} />
        <TextInput label={text.reason} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
        <FormMessage>{isTried && !isChosen ? text.nothingChosen : messages.rest}</FormMessage>
        <DialogButtons cancel={close} isBusy={isBusy}>
          <Button type="submit" loading={isBusy} disabled={isChosen && payback.isStale}>
            {text.refund}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

/** The input to correct, or else the first number to enter. */
const focusMissing = (form: HTMLFormElement) =>
  (firstWrong(form) ?? form.querySelector<HTMLElement>('input[inputmode]'))?.focus()

/** Reports whether anything is typed, until the form is gone. */
function useTyped(values: readonly unknown[], onDirty: (isDirty: boolean) => void): void {
  const isTyped = values.some((value) => value !== undefined && value !== '')
  useEffect(() => {
    onDirty(isTyped)
    return () => onDirty(false)
  }, [isTyped, onDirty])
}

/** Forgets what was refused as soon as something else is entered. */
function useForgetting(forget: () => void, values: readonly unknown[]): void {
  const entered = JSON.stringify(values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it changes.
  useEffect(forget, [entered, forget])
}

/** The lines with a quantity, in the order in which they are sent. */
const chosenOf = (lines: readonly LineLeft[], returns: Returns) =>
  lines.flatMap((line) => {
    const { quantity, restock = true } = returns[`${line.kind}/${line.position}`] ?? {}
    return quantity === undefined || quantity === 0 ? [] : [{ line, quantity, restock }]
  })
