// A new order, not sold yet: its outlet, its customer, and its items, whose amounts the service computes.
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCanWrite, useCompany, useCompanyId } from '../../api/company.ts'
import { useSave } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import type { Order } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { enterGoesOn } from '../../parts/enter-goes-on.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { MayNotCreate } from '../../parts/MayNotCreate.tsx'
import { useOnlyOutlet } from '../../parts/only-place.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { ReferenceInput } from '../../parts/ReferenceInput.tsx'
import { firstWrong, useSubmission } from '../../parts/submission.ts'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { useFirstInput } from '../../parts/use-first-input.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { text as records } from '../../texts/records.ts'
import { draftOf } from './edit/draft-order.ts'
import { ItemFields, QuotedSums } from './edit/ItemFields.tsx'
import { useQuotedDraft } from './edit/use-quoted-draft.ts'

/** What is chosen besides the items. */
type About = Partial<Pick<Order, 'outletId' | 'customerId' | 'customerNote'>>

export function NewOrder({ resource }: { resource: Resource }) {
  const list = `/c/${useCompanyId()}/orders`
  return (
    <PageBody size="narrow">
      <PageHeader title={records.new(resource.singular)} above={{ label: resource.title, to: list }} />
      {useCanWrite() ? <OrderForm resource={resource} list={list} /> : <MayNotCreate />}
    </PageBody>
  )
}

function OrderForm({ resource, list }: { readonly resource: Resource; readonly list: string }) {
  const navigate = useNavigate()
  const { currency } = useCompany()
  const [chosen, setAbout] = useState<About>({})
  const [draft, setDraft] = useState(() => draftOf({}))
  const outletId = useOnlyOutlet()
  const about: About = { outletId, ...chosen }
  const change = (changed: About) => setAbout((before) => ({ ...before, ...changed }))
  const order = { currency, ...about }
  const save = useSave(resource)
  const { isBusy, problem: refused, run } = useSubmission()
  const { quote, isCurrent, isAwaited, messages } = useQuotedDraft(order, draft, refused)
  const [isTried, setTried] = useState(false)
  const isEmpty = draft.lines.length === 0

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setTried(true)
    if (isEmpty) return event.currentTarget.querySelector('input')?.focus()
    if (quote === undefined || !isCurrent) return firstWrong(event.currentTarget)?.focus()
    const { lineItems, customSales, cartDiscount, summary, balance } = quote.order
    const body = { ...about, currency: quote.order.currency ?? currency, status: 'pending' }
    await run(async (key) => {
      const { record } = await save.mutateAsync({
        body: { ...body, lineItems, customSales, cartDiscount, summary, balance },
        key,
      })
      void navigate({ to: `${list}/${record.id}`, replace: true, ignoreBlocker: true })
    })
  }

  return (
    <>
      <LeaveGuard isDirty={draft.lines.length > 0 && !save.isSuccess} />
      <form ref={useFirstInput(true)} onSubmit={(event) => void submit(event)} onKeyDown={enterGoesOn} noValidate>
        <Stack gap="lg">
          <Card title={text.items}>
            <Stack gap="md">
              <ItemFields {...{ draft, currency, setDraft, messages, isBusy }} empty={text.noItemsYet} />
              <QuotedSums {...{ order, quote, isCurrent }} />
            </Stack>
          </Card>
          <Card title={text.customerAndOutlet}>
            <AboutFields about={about} change={change} isBusy={isBusy} />
          </Card>
          <FormMessage>{isTried && isEmpty ? text.noLinesLeft : messages.rest}</FormMessage>
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed" flex="1 1 240px">
              {text.newOrderHint}
            </Text>
            <Button type="submit" loading={isBusy} disabled={isAwaited}>
              {text.createOrder}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  )
}

interface AboutFieldsProps {
  readonly about: About
  readonly change: (changed: About) => void
  readonly isBusy: boolean
}

function AboutFields({ about, change, isBusy }: AboutFieldsProps) {
  return (
    <Stack gap="md">
      <ReferenceInput
        many="outlets"
        label={labelOf('outletId')}
        value={about.outletId}
        disabled={isBusy}
        // The only outlet may still be read: it does not replace what is typed.
        onInput={() => change({ outletId: about.outletId })}
        onChange={(outletId) => change({ outletId })}
      />
      <ReferenceInput
        many="customers"
        label={labelOf('customerId')}
        value={about.customerId}
        disabled={isBusy}
        onChange={(customerId) => change({ customerId })}
      />
      <Textarea
        label={labelOf('customerNote')}
        value={about.customerNote ?? ''}
        disabled={isBusy}
        autosize
        minRows={2}
        onChange={(event) => change({ customerNote: event.currentTarget.value })}
      />
    </Stack>
  )
}
