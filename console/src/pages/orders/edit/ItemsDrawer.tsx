// Edits the items of an order that is not completed; the service computes every amount before it is saved.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useCompany, useScope } from '../../../api/company.ts'
import { recordQuery, refresh, requestVersioned, type Versioned } from '../../../api/records.ts'
import { DialogButtons } from '../../../parts/DialogButtons.tsx'
import { FormDrawer } from '../../../parts/FormDrawer.tsx'
import { FormMessage } from '../../../parts/FormMessage.tsx'
import { notify } from '../../../parts/notices.ts'
import { firstWrong, useSubmission } from '../../../parts/submission.ts'
import { LeaveGuard } from '../../../parts/unsaved.tsx'
import { text } from '../../../texts/orders.ts'
import { hasOpenItems } from '../entries.ts'
import { draftOf } from './draft-order.ts'
import { ItemFields, QuotedSums } from './ItemFields.tsx'
import { useQuotedDraft } from './use-quoted-draft.ts'

interface ItemsDrawerProps {
  readonly versioned: Versioned
  readonly title: string
  readonly isOpen: boolean
  readonly close: () => void
}

export function ItemsDrawer({ versioned, title, isOpen, close }: ItemsDrawerProps) {
  const [starts, setStarts] = useState(0)
  return (
    <FormDrawer isOpen={isOpen} title={title} close={close}>
      {({ onDirty, end }) => (
        <ItemsForm key={starts} {...{ versioned, onDirty, end }} restart={() => setStarts(starts + 1)} />
      )}
    </FormDrawer>
  )
}

interface ItemsFormProps {
  readonly versioned: Versioned
  readonly onDirty: (isDirty: boolean) => void
  readonly end: () => void
  /** Begins with the version that was read last. */
  readonly restart: () => void
}

function ItemsForm({ versioned, onDirty, end, restart }: ItemsFormProps) {
  // The version that was opened: a save over a later one is refused.
  const [{ record: order, etag }, setVersion] = useState(versioned)
  const [first] = useState(() => draftOf(order))
  const [draft, setDraft] = useState(first)
  const { currency } = useCompany()
  const isDirty = draft !== first
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const { save, isBusy, problem: refused, forget } = useSaveItems(order.id, etag, end)
  // What is stored counts until something changes.
  const isStored = !isDirty && order.summary?.total !== undefined
  const { quote, isCurrent, isAwaited, messages } = useQuotedDraft(order, draft, refused, !isStored)
  const form = useRef<HTMLDivElement>(null)
  function submit() {
    if (!isDirty) return end()
    if (draft.lines.length === 0) return form.current?.querySelector('input')?.focus()
    if (quote === undefined || !isCurrent) return firstWrong(form.current)?.focus()
    void save(quote.order)
  }
  /** The draft stays, over the version that was read last. */
  function keep() {
    setVersion(versioned)
    forget()
  }

  return (
    <Stack gap="md" ref={form}>
      <LeaveGuard isDirty={isDirty} />
      <ItemFields
        {...{ draft, setDraft, messages, isBusy }}
        currency={order.currency ?? currency}
        empty={text.noLinesLeft}
      />
      <QuotedSums order={order} quote={quote} isCurrent={isCurrent || isStored} />
      <Text size="sm" c="dimmed">
        {text.itemsHint}
      </Text>
      {refused?.status === 412 ? (
        <Changed keep={hasOpenItems(versioned.record) ? keep : undefined} restart={restart} />
      ) : (
        <FormMessage>{messages.rest}</FormMessage>
      )}
      <Buttons cancel={end} isBusy={isBusy} isAwaited={isAwaited} save={submit} />
    </Stack>
  )
}

/** Another till or another user changed the order meanwhile. */
const Changed = ({ keep, restart }: { keep: (() => void) | undefined; restart: () => void }) => (
  <Alert color="yellow" role="alert">
    <Text size="sm">{text.itemsChanged}</Text>
    <Group gap="xs" mt="xs">
      {keep && (
        <Button variant="default" size="xs" onClick={keep}>
          {text.keepMine}
        </Button>
      )}
      <Button variant="default" size="xs" onClick={restart}>
        {text.showCurrent}
      </Button>
    </Group>
  </Alert>
)

interface ButtonsProps {
  readonly cancel: () => void
  readonly save: () => void
  readonly isBusy: boolean
  readonly isAwaited: boolean
}

const Buttons = ({ cancel, save, isBusy, isAwaited }: ButtonsProps) => (
  <DialogButtons cancel={cancel}>
    <Button loading={isBusy} disabled={isAwaited} onClick={save}>
      {text.saveItems}
    </Button>
  </DialogButtons>
)

/** Saves what was computed over the version that was opened. */
function useSaveItems(id: string, etag: string, end: () => void) {
  const scope = useScope()
  const client = useQueryClient()
  const { isBusy, problem, forget, run } = useSubmission()
  const save = (order: Readonly<Record<string, any>>) =>
    run(async () => {
      const { lineItems, customSales, cartDiscount = null, summary, balance } = order
      const body = { lineItems, customSales, cartDiscount, summary, balance }
      const headers = { 'if-match': etag }
      try {
        const saved = await requestVersioned(scope, `/v1/order/${id}`, { method: 'PATCH', body, headers })
        client.setQueryData(recordQuery(scope, 'order', 'orders', id).queryKey, saved as never)
      } finally {
        // Also after a refusal: the page shows what the order is now.
        await refresh(client, scope.companyId, 'orders')
      }
      notify(text.itemsSaved)
      end()
    })
  return { save, isBusy, problem, forget }
}
