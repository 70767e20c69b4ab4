// Edits the items of an order that is not completed; the service computes every amount before it is saved.
import { Alert, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useWhose } from '../../../api/company.ts'
import { recordQuery, refresh, requestVersioned, type Versioned } from '../../../api/records.ts'
import { FormDrawer } from '../../../parts/FormDrawer.tsx'
import { FormMessage } from '../../../parts/FormMessage.tsx'
import { messagesFor } from '../../../parts/messages.ts'
import { NumberText } from '../../../parts/NumberText.tsx'
import { notify } from '../../../parts/notices.ts'
import { useSubmission } from '../../../parts/submission.ts'
import { Unreadable } from '../../../parts/unreadable.ts'
import { LeaveGuard } from '../../../parts/unsaved.tsx'
import { VariantFinder } from '../../../parts/VariantFinder.tsx'
import type { FoundVariant } from '../../../parts/variant-search.ts'
import { text } from '../../../texts/orders.ts'
import { text as shell } from '../../../texts/shell.ts'
import { hasOpenItems } from '../entries.ts'
import { Sums } from '../Sums.tsx'
import { type DraftLine, draftOf, lineOf, pointerOf, quoteBody } from './draft-order.ts'
import { ItemLines } from './ItemLines.tsx'
import classes from './Items.module.css'
import { useQuote } from './use-quote.ts'

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
  const isDirty = draft !== first
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const values = [
    draft.percentage,
    ...draft.lines.flatMap(({ price, quantity, percentage }) => [price, quantity, percentage]),
  ]
  const isReadable =
    !values.some((value) => value instanceof Unreadable) && draft.lines.every(({ quantity }) => quantity !== undefined)
  const { quote, isCurrent, problem } = useQuote(
    isReadable && draft.lines.length > 0 ? quoteBody(order, draft) : undefined,
  )
  const { save, isBusy, problem: refused, forget } = useSaveItems(order.id, etag, end)
  const pointers = draft.lines.flatMap((line) =>
    ['price', 'quantity', 'discount/itemDiscount/percentage'].map((name) => `${pointerOf(draft, line)}/${name}`),
  )
  const messages = messagesFor(refused ?? problem, ...pointers, '/cartDiscount/percentage')
  /** The draft stays, over the version that was read last. */
  function keep() {
    setVersion(versioned)
    forget()
  }

  return (
    <Stack gap="md">
      <LeaveGuard isDirty={isDirty} />
      <Fields {...{ draft, setDraft, messages, isBusy }} />
      {quote && (
        <section
          className={classes.sums}
          data-stale={!isCurrent || undefined}
          aria-label={text.sums}
          aria-busy={!isCurrent}
        >
          <Sums record={{ ...order, ...quote.order, orderId: undefined }} />
        </section>
      )}
      <Text size="sm" c="dimmed">
        {text.itemsHint}
      </Text>
      {refused?.status === 412 ? (
        <Changed keep={hasOpenItems(versioned.record) ? keep : undefined} restart={restart} />
      ) : (
        <FormMessage>{messages.rest}</FormMessage>
      )}
      <Buttons
        cancel={end}
        isBusy={isBusy}
        isReady={isDirty && isCurrent && draft.lines.length > 0}
        save={() => quote && void save(quote.order)}
      />
    </Stack>
  )
}

interface FieldsProps {
  readonly draft: ReturnType<typeof draftOf>
  readonly setDraft: Dispatch<SetStateAction<ReturnType<typeof draftOf>>>
  readonly messages: ReturnType<typeof messagesFor>
  readonly isBusy: boolean
}

function Fields({ draft, setDraft, messages, isBusy }: FieldsProps) {
  const setLines = (lines: readonly DraftLine[]) => setDraft((now) => ({ ...now, lines }))
  // Several codes may be scanned before the next render.
  const addLine = (found: FoundVariant) =>
    setDraft((now) => {
      const key = `new ${now.lines.length} ${Date.now()} ${found.variant.id}`
      return { ...now, lines: [...now.lines, lineOf(found, key)] }
    })
  return (
    <Fieldset variant="unstyled" disabled={isBusy}>
      <Stack gap="md">
        <VariantFinder label={text.addItem} placeholder={text.addItemHint} add={addLine} />
        {draft.lines.length === 0 && <Text size="sm">{text.noLinesLeft}</Text>}
        <ItemLines
          lines={draft.lines}
          messageOf={(line, member) => messages.at(`${pointerOf(draft, line)}/${member}`)}
          onChange={setLines}
        />
        <NumberText
          label={text.orderDiscount}
          rightSection="%"
          maw={200}
          value={draft.percentage}
          error={messages.at('/cartDiscount/percentage')}
          onChange={(percentage) => setDraft((now) => ({ ...now, percentage }))}
        />
      </Stack>
    </Fieldset>
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
  readonly isReady: boolean
}

const Buttons = ({ cancel, save, isBusy, isReady }: ButtonsProps) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" onClick={cancel}>
      {shell.cancel}
    </Button>
    <Button loading={isBusy} disabled={!isReady} onClick={save}>
      {text.saveItems}
    </Button>
  </Group>
)

/** Saves what was computed over the version that was opened. */
function useSaveItems(id: string, etag: string, end: () => void) {
  const whose = useWhose()
  const client = useQueryClient()
  const { isBusy, problem, forget, run } = useSubmission()
  const save = (order: Readonly<Record<string, any>>) =>
    run(async () => {
      const { lineItems, customSales, cartDiscount = null, summary, balance } = order
      const body = { lineItems, customSales, cartDiscount, summary, balance }
      const headers = { 'if-match': etag }
      try {
        const saved = await requestVersioned(whose, `/v1/order/${id}`, { method: 'PATCH', body, headers })
        client.setQueryData(recordQuery(whose, 'order', 'orders', id).queryKey, saved as never)
      } finally {
        // Also after a refusal: the page shows what the order is now.
        await refresh(client, whose.companyId, 'orders')
      }
      notify(text.itemsSaved)
      end()
    })
  return { save, isBusy, problem, forget }
}
