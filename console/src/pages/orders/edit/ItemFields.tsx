// The items of an order as inputs, found by name or scanner, and what they come to.
import { Fieldset, Stack, Text } from '@mantine/core'
import type { Dispatch, SetStateAction } from 'react'
import type { SaleQuote } from '../../../api/schemas.ts'
import type { messagesFor } from '../../../parts/messages.ts'
import { NumberText } from '../../../parts/NumberText.tsx'
import { VariantFinder } from '../../../parts/VariantFinder.tsx'
import type { FoundVariant } from '../../../parts/variant-search.ts'
import { text } from '../../../texts/orders.ts'
import { Sums } from '../Sums.tsx'
import { type DraftLine, type DraftOrder, type Entry, lineOf, pointerOf } from './draft-order.ts'
import { ItemLines } from './ItemLines.tsx'
import classes from './Items.module.css'

interface ItemFieldsProps {
  readonly draft: DraftOrder
  readonly currency: string | undefined
  readonly setDraft: Dispatch<SetStateAction<DraftOrder>>
  readonly messages: ReturnType<typeof messagesFor>
  readonly isBusy: boolean
  /** Shown while there are no items. */
  readonly empty: string
}

export function ItemFields({ draft, currency, setDraft, messages, isBusy, empty }: ItemFieldsProps) {
  const setLines = (lines: readonly DraftLine[]) => setDraft((now) => ({ ...now, lines }))
  // Several codes may be scanned before the next render.
  const addLine = (found: FoundVariant) =>
    setDraft((now) => {
      const key = `new ${now.lines.length} ${Date.now()} ${found.variant.id}`
      return { ...now, lines: [...now.lines, lineOf(found, key)] }
    })
  return (
    <Fieldset variant="unstyled" m={0} disabled={isBusy}>
      <Stack gap="md">
        <VariantFinder label={text.addItem} placeholder={text.addItemHint} add={addLine} />
        {draft.lines.length === 0 && <Text size="sm">{empty}</Text>}
        <ItemLines
          lines={draft.lines}
          currency={currency}
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

interface QuotedSumsProps {
  readonly order: Entry
  readonly quote: SaleQuote | undefined
  readonly isCurrent: boolean
}

/** The totals of the last quote, paler while they are computed again; before the first one those of the order, if it has any. */
export const QuotedSums = ({ order, quote, isCurrent }: QuotedSumsProps) =>
  (quote ?? order.summary) && (
    <section
      className={classes.sums}
      data-stale={!isCurrent || undefined}
      aria-label={text.sums}
      aria-busy={!isCurrent}
    >
      <Sums record={{ ...order, ...quote?.order, orderId: undefined }} />
    </section>
  )
