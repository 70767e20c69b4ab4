// Cells that were not saved because of a conflict or a refusal, and how they are resolved.
import { text } from '../../texts/stock.ts'
import { type Edit, type Edits, keyOf, type Level } from './edits.ts'
import { shownQuantity } from './quantity.ts'
import type { Row } from './rows.ts'
import { problemOf } from './StockCell.tsx'
import type { ShownOutlet } from './StockRow.tsx'
import type { Sheet } from './sheet.ts'

interface ProblemsParts {
  readonly edits: Edits
  readonly rows: readonly Row[]
  readonly outlets: readonly ShownOutlet[]
  readonly put: (entries: readonly (readonly [string, Edit | undefined])[]) => void
  readonly sheet: Sheet
  readonly focusCell: () => void
  readonly say: (message: string) => void
}

export const quantityOf = (level: Level | undefined): string => shownQuantity(level?.stock ?? 0)

export function useProblems({ edits, rows, outlets, put, sheet, focusCell, say }: ProblemsParts) {
  const places = new Map<string, number>()
  if (edits.size > 0) for (const [index, { id }] of rows.entries()) places.set(id, index)
  const stockOf = ({ variantId, outletId }: Edit) => rows[places.get(variantId) ?? -1]?.levels.get(outletId)
  // The current stock of a hidden row is unknown; the server will report it.
  const isKnown = ({ variantId }: Edit) => places.has(variantId)
  const has = (edit: Edit) =>
    (isKnown(edit) && problemOf(edit, stockOf(edit)) !== undefined) || edit.refusal !== undefined
  const all = [...edits.values()].filter(has)

  function goTo(edit: Edit | undefined) {
    const row = edit && places.get(edit.variantId)
    const column = outlets.findIndex(({ id }) => id === edit?.outletId)
    if (row !== undefined && column >= 0) sheet.go({ row, column })
    focusCell()
  }
  const after = (done: readonly Edit[]) => goTo(all.find((edit) => !done.includes(edit)))

  return {
    has,
    all,
    showNext: () => goTo(all[0]),
    /** The typed quantity overwrites the current stock when it is saved. */
    overwrite(chosen: readonly Edit[]) {
      const conflicts = chosen.filter((edit) => problemOf(edit, stockOf(edit)) === 'conflict')
      put(
        conflicts.map((edit) => {
          const { refusal: _, ...rest } = edit
          return [keyOf(edit), { ...rest, expected: stockOf(edit) ?? 0 }]
        }),
      )
      say(text.said.overwritten(conflicts.length))
      after(chosen)
    },
    /** The stock stays as it is now; the typed quantity is dropped. */
    take(chosen: readonly Edit[]) {
      put(chosen.map((edit) => [keyOf(edit), undefined]))
      after(chosen)
    },
  }
}
