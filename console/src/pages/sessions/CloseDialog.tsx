// Closes a session: what was counted of each payment method, beside what is expected, and the difference.
import { Button, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Dispatch, type FormEvent, type SetStateAction, useState } from 'react'
import { useCompany, useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { ClosingBalance, SessionReport } from '../../api/schemas.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { isZero, minus, sumOf } from '../../parts/decimal.ts'
import { enterGoesOn } from '../../parts/enter-goes-on.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { useFormat } from '../../parts/format.ts'
import { messagesFor } from '../../parts/messages.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { firstWrong, type Submission, useSubmission } from '../../parts/submission.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { useFirstInput } from '../../parts/use-first-input.ts'
import { wordOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import { closeSession } from './queries.ts'
import { balanceNames } from './ReportBlocks.tsx'

interface CloseDialogProps {
  readonly report: SessionReport
  readonly opened: boolean
  readonly close: () => void
}

/** Characters that a session keeps of the name of who closed it. */
const NAME_CHARACTERS = 64

export function CloseDialog({ report, opened, close }: CloseDialogProps) {
  // Kept here: what was counted is still there if the dialog was closed meanwhile.
  const [counted, setCounted] = useState<Counted>({})
  const [note, setNote] = useState('')
  const submission = useSubmission()
  return (
    <>
      <Modal opened={opened} onClose={() => submission.isBusy || close()} size="lg" title={text.closeTitle}>
        <CloseForm {...{ report, submission, close, counted, setCounted, note, setNote }} />
      </Modal>
      <LeaveGuard isDirty={Object.keys(counted).length > 0 || note !== ''} />
    </>
  )
}

interface CloseFormProps extends Omit<CloseDialogProps, 'opened'> {
  readonly submission: Submission
  readonly counted: Counted
  readonly setCounted: Dispatch<SetStateAction<Counted>>
  readonly note: string
  readonly setNote: (note: string) => void
}

/** By currency and payment method; unset ones are not compared. */
type Counted = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Whether less than nothing was counted in a drawer. Other methods can be below zero, such as a terminal with more refunds than sales. */
const isBelowZero = (paymentMethod: string, amount: unknown): boolean =>
  paymentMethod === 'cash' && typeof amount === 'string' && amount.startsWith('-') && !isZero(amount)

function CloseForm({ report, submission, close, counted, setCounted, note, setNote }: CloseFormProps) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { user } = useSignIn()
  const { currency: own = report.balances[0]?.currency ?? '' } = useCompany()
  const { isBusy, problem, run } = submission
  const isReadable = !Object.values(counted).some((methods) =>
    Object.entries(methods).some(([method, amount]) => amount instanceof Unreadable || isBelowZero(method, amount)),
  )
  const pointerOf = ({ currency, paymentMethod }: ClosingBalance) =>
    `${currency === own ? '/counted' : `/countedIn/${currency}`}/${paymentMethod.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const messages = messagesFor(problem, ...report.balances.map(pointerOf))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isReadable) return firstWrong(event.currentTarget)?.focus()
    const { [own]: counts = {}, ...countedIn } = counted as Record<string, Record<string, string>>
    const body = {
      counted: counts,
      countedIn,
      closedBy: [...(user.name ?? user.email)].slice(0, NAME_CHARACTERS).join(''),
      ...(note.trim() !== '' && { closingNote: note.trim() }),
    }
    void run(async (key) => {
      const closing = await closeSession(scope, report.sessionId, body, key)
      await navigate({ to: `/c/${scope.companyId}/closings/${closing.id}`, ignoreBlocker: true })
      await Promise.all(['sessions', 'closings'].map((many) => refresh(client, scope.companyId, many)))
    })
  }

  return (
    <form ref={useFirstInput()} onSubmit={submit} onKeyDown={enterGoesOn}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {text.closeHint}
        </Text>
        <BalancesTable
          balances={report.balances}
          counted={counted}
          errorOf={(balance) =>
            isBelowZero(balance.paymentMethod, counted[balance.currency]?.[balance.paymentMethod])
              ? text.cashBelowZero
              : messages.at(pointerOf(balance))
          }
          onChange={({ currency, paymentMethod }, value) =>
            setCounted((all) => ({ ...all, [currency]: { ...all[currency], [paymentMethod]: value } }))
          }
        />
        <TextInput label={text.note} value={note} onChange={(event) => setNote(event.currentTarget.value)} />
        <FormMessage>{messages.rest}</FormMessage>
        <DialogButtons cancel={close}>
          <Button type="submit" loading={isBusy}>
            {text.close}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface BalancesTableProps {
  readonly balances: readonly ClosingBalance[]
  readonly counted: Counted
  readonly errorOf: (balance: ClosingBalance) => string | undefined
  readonly onChange: (balance: ClosingBalance, value: unknown) => void
}

function BalancesTable({ balances, counted, errorOf, onChange }: BalancesTableProps) {
  const nameOf = balanceNames(balances)
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table verticalSpacing={6} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.method}</Table.Th>
            <Table.Th ta="right" visibleFrom="xs">
              {text.expected}
            </Table.Th>
            <Table.Th ta="right" w={116} miw={104}>
              {text.counted}
            </Table.Th>
            <Table.Th ta="right">{text.difference}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {balances.map((balance) => {
            const { currency, paymentMethod } = balance
            return (
              <BalanceRow
                key={`${currency} ${paymentMethod}`}
                balance={balance}
                shown={nameOf(balance)}
                value={counted[currency]?.[paymentMethod]}
                error={errorOf(balance)}
                onChange={(value) => onChange(balance, value)}
              />
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface BalanceRowProps {
  readonly balance: ClosingBalance
  /** Its name beside the others. */
  readonly shown: string
  readonly value: unknown
  readonly error: string | undefined
  readonly onChange: (value: unknown) => void
}

function BalanceRow({
  balance: { currency, paymentMethod, expected },
  shown,
  value,
  error,
  onChange,
}: BalanceRowProps) {
  const format = useFormat()
  const difference = typeof value === 'string' ? sumOf([value, minus(expected)]) : undefined
  const name = wordOf(paymentMethod)
  return (
    <Table.Tr>
      <Table.Td>
        <bdi>{shown}</bdi>
        <Text size="xs" c="dimmed" hiddenFrom="xs">
          {text.amountExpected(format.money(expected, currency))}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xs">
        {format.money(expected, currency)}
      </Table.Td>
      <Table.Td>
        <NumberText
          isDecimal
          currency={currency}
          aria-label={text.countedOf(name, currency)}
          value={value}
          error={error}
          onChange={onChange}
          styles={{ input: { textAlign: 'right' } }}
        />
      </Table.Td>
      <Table.Td ta="right" c={difference !== undefined && !isZero(difference) ? 'var(--cw-bad)' : undefined}>
        {format.signed(difference, currency)}
      </Table.Td>
    </Table.Tr>
  )
}
