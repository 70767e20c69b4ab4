// The items that are edited as the service computes them, with its messages at their inputs.
import type { ApiProblem } from '../../../api/problem.ts'
import type { SaleQuote } from '../../../api/schemas.ts'
import { messagesFor } from '../../../parts/messages.ts'
import { Unreadable } from '../../../parts/unreadable.ts'
import { useComputed } from '../use-computed.ts'
import { type DraftOrder, type Entry, pointerOf, quoteBody } from './draft-order.ts'

/** `refused` is the problem of the last attempt to save; without it, that of the quote is shown. Nothing is computed unless it is wanted. */
export function useQuotedDraft(order: Entry, draft: DraftOrder, refused: ApiProblem | undefined, isWanted = true) {
  const values = [
    draft.percentage,
    ...draft.lines.flatMap(({ price, quantity, percentage }) => [price, quantity, percentage]),
  ]
  const isReadable =
    !values.some((value) => value instanceof Unreadable) && draft.lines.every(({ quantity }) => quantity !== undefined)
  const body = isWanted && isReadable && draft.lines.length > 0 ? quoteBody(order, draft) : undefined
  const { computed, isCurrent, problem } = useComputed<SaleQuote>('/v1/sale/quote', body)
  const pointers = draft.lines.flatMap((line) =>
    ['price', 'quantity', 'discount/itemDiscount/percentage'].map((name) => `${pointerOf(draft, line)}/${name}`),
  )
  const messages = messagesFor(refused ?? problem, ...pointers, '/cartDiscount/percentage')
  /** The amounts of what was entered last are awaited, or cannot be computed, and the messages say why. */
  const isAwaited = body !== undefined && !isCurrent
  return { quote: computed, isCurrent, isAwaited, messages }
}
