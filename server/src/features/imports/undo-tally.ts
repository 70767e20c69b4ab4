// What an undo did, or would do, in numbers.
import { number, object, required } from '../../engine/field.ts'
import { type ChangeKind, changeKinds } from './change-kinds.ts'

/** Records of a kind: deleted again, set back, or left unchanged, in whole or in part. */
interface UndoCounts {
  readonly deleted: number
  readonly restored: number
  readonly left: number
}

/** Levels: those whose stock is set back, and those that stay because stock moved later. */
export interface UndoTally extends Readonly<Record<ChangeKind, UndoCounts>> {
  readonly stock: { readonly restored: number; readonly left: number }
}

export const noUndoTally = (): UndoTally => ({
  ...(Object.fromEntries(changeKinds.map((kind) => [kind, { deleted: 0, restored: 0, left: 0 }])) as Record<
    ChangeKind,
    UndoCounts
  >),
  stock: { restored: 0, left: 0 },
})

const count = () => required(number())
const counts = () => required(object({ deleted: count(), restored: count(), left: count() }, { title: 'UndoCounts' }))

/** The tally as the API shows it. */
export const undoTally = object(
  {
    products: counts(),
    variants: counts(),
    categories: counts(),
    outlets: counts(),
    stock: required(object({ restored: count(), left: count() }, { title: 'UndoStock' })),
  },
  {
    title: 'ImportUndo',
    description:
      'Counts of what an undo has done so far, or would do. Records changed since the import stay unchanged.',
  },
)
