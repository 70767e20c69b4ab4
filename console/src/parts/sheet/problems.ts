// Cells that were not saved because of a conflict or a refusal, and how they are resolved.
import { text } from '../../texts/sheet.ts'
import { type Edit, type Edits, keyOf } from './edits.ts'
import type { Head } from './format.ts'
import type { Row } from './rows.ts'
import { problemOf } from './SheetCell.tsx'
import type { Sheet } from './sheet.ts'

interface ProblemsParts {
  readonly edits: Edits
  readonly rows: readonly Row[]
  readonly heads: readonly Head[]
  readonly put: (entries: readonly (readonly [string, Edit | undefined])[]) => void
  readonly sheet: Sheet
  readonly focusCell: () => void
  readonly say: (message: string) => void
}

export function useProblems({ edits, rows, heads, put, sheet, focusCell, say }: ProblemsParts) {
  const places = new Map<string, number>()
  if (edits.size > 0) for (const [index, { id }] of rows.entries()) places.set(id, index)
  const savedOf = ({ variantId, headId }: Edit) => rows[places.get(variantId) ?? -1]?.values.get(headId)
  // What is saved in a hidden row is unknown; the server will report it.
  const isKnown = ({ variantId }: Edit) => places.has(variantId)
  const has = (edit: Edit) =>
    (isKnown(edit) && problemOf(edit, savedOf(edit)) !== undefined) || edit.refusal !== undefined
  const all = [...edits.values()].filter(has)

  function goTo(edit: Edit | undefined) {
    const row = edit && places.get(edit.variantId)
    const column = heads.findIndex(({ id }) => id === edit?.headId)
    if (row !== undefined && column >= 0) sheet.go({ row, column })
    focusCell()
  }
  const after = (done: readonly Edit[]) => goTo(all.find((edit) => !done.includes(edit)))

  return {
    has,
    all,
    showNext: () => goTo(all[0]),
    /** The typed value overwrites the current one when it is saved. */
    overwrite(chosen: readonly Edit[]) {
      const conflicts = chosen.filter((edit) => problemOf(edit, savedOf(edit)) === 'conflict')
      put(
        conflicts.map((edit) => {
          const { refusal: _, ...rest } = edit
          return [keyOf(edit), { ...rest, expected: savedOf(edit) }]
        }),
      )
      say(text.said.overwritten(conflicts.length))
      after(chosen)
    },
    /** The saved value stays as it is now; the typed value is dropped. */
    take(chosen: readonly Edit[]) {
      put(chosen.map((edit) => [keyOf(edit), undefined]))
      after(chosen)
    },
  }
}
