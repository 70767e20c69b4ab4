// Saves the edits in batches, each cell with the stock that was shown when it was typed.
import { itemMessage } from '../../api/problem.ts'
import { type CompanyScope, get, newIdempotencyKey } from '../../api/request.ts'
import type { InventoryMovedBulkResult } from '../../api/schemas.ts'
import { type Edit, keyOf } from '../../parts/sheet/edits.ts'
import { readEach } from '../../parts/sheet/rows.ts'
import type { Entries } from '../../parts/sheet/saving-state.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/stock.ts'
import { type Levels, levelsOf } from './levels.ts'

type Results = InventoryMovedBulkResult['results']
/** The result of one batch. */
interface Settled {
  readonly entries: Entries
  readonly levels: Levels
  readonly saved: number
  readonly refused: number
}

/** The maximum number of items in one request (decisions, section 5). */
const partItems = 1_000

export async function saveEdits(
  scope: CompanyScope,
  edits: readonly Edit[],
  reason: string,
  settle: (part: Settled) => void,
): Promise<{ saved: number; refused: number }> {
  const all = { saved: 0, refused: 0 }
  for (let at = 0; at < edits.length; at += partItems) {
    const part = await savePart(scope, edits.slice(at, at + partItems), reason)
    all.saved += part.saved
    all.refused += part.refused
    settle(part)
  }
  return all
}

/** Sends cells. If a variant has changed its product since the row was read, sends its cells again with the new product. */
async function send(scope: CompanyScope, edits: readonly Edit[], reason: string, isFirst = true): Promise<Results> {
  const { results } = await get<InventoryMovedBulkResult>(scope, '/v1/inventories/set-levels', {
    method: 'POST',
    body: {
      items: edits.map(({ productId, variantId, headId: outletId, value: quantity, expected = 0 }) => ({
        productId,
        variantId,
        outletId,
        quantity,
        expectedQuantity: expected,
      })),
      ...(reason !== '' && { reason }),
    },
    headers: { 'idempotency-key': newIdempotencyKey() },
  })
  const moved = edits.filter((_, index) => errorOf(results[index])?.errors?.[0]?.code === 'mismatch')
  if (moved.length === 0 || !isFirst) return results
  const variants = await readEach(scope, [...new Set(moved.map(({ variantId }) => variantId))])
  const productOf = new Map(variants.map(({ id, productId }) => [id, productId]))
  const renamed = moved.map((edit) => ({ ...edit, productId: productOf.get(edit.variantId) ?? edit.productId }))
  const answers = await send(scope, renamed, reason, false)
  return results.map((result, index) => answers[moved.indexOf(edits[index] as Edit)] ?? result)
}

const errorOf = (result: Results[number] | undefined) => (result?.status === 'error' ? result.error : undefined)

async function savePart(scope: CompanyScope, edits: readonly Edit[], reason: string): Promise<Settled> {
  const results = await send(scope, edits, reason)
  const disputed = edits.filter((_, index) => errorOf(results[index])?.statusCode === 409)
  // The current stock is read again, so that the cell can show it.
  const now = levelsOf(await readEach(scope, [...new Set(disputed.map(({ variantId }) => variantId))]))
  const levels = new Map([...now].map(([id, own]) => [id, new Map(own)]))
  const entries = edits.map((edit, index) => {
    const result = results[index]
    const error = errorOf(result)
    const own = levels.get(edit.variantId) ?? new Map<string, number>()
    levels.set(edit.variantId, own)
    if (result?.status === 'success') {
      own.set(edit.headId, result.data.stock ?? edit.value ?? 0)
      return [keyOf(edit), edit, undefined] as const
    }
    const isDisputed = error?.statusCode === 409
    // A level that was deleted in the meantime is 0; one that there never was stays empty.
    const none = isDisputed && edit.expected !== undefined ? 0 : edit.expected
    const stock = now.get(edit.variantId)?.get(edit.headId) ?? none
    if (isDisputed && stock !== undefined) own.set(edit.headId, stock)
    // A response was lost: the cell already has the intended value.
    if (stock === edit.value) return [keyOf(edit), edit, undefined] as const
    // A different stock than expected is a conflict, not a refusal; the cell shows it. No level is the same as 0.
    const { refusal: _, ...rest } = edit
    if ((stock ?? 0) !== (edit.expected ?? 0)) return [keyOf(edit), edit, rest] as const
    const isBelowZero = isDisputed && (edit.value ?? 0) < 0
    const refusal = isBelowZero ? text.belowZero(labelOf('allowBackorder')) : error ? itemMessage(error) : ''
    return [keyOf(edit), edit, { ...rest, expected: stock, refusal }] as const
  })
  const refused = entries.filter(([, , left]) => left !== undefined).length
  return { entries, levels, saved: edits.length - refused, refused }
}
