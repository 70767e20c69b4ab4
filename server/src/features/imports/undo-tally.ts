// What an undo did, or would do, in numbers.
import { described, number, object, required } from '../../engine/field.ts'
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

const count = (description: string) => required(number({ description }))
const counts = (description: string) =>
  required(
    described(
      object(
        {
          deleted: count('How many records that the import created are deleted again.'),
          restored: count('How many records get their earlier values back.'),
          left: count('How many records stay, in whole or in part, since they changed after the import.'),
        },
        { title: 'UndoCounts', description: 'Records of one kind, by what the undo does with them.' },
      ),
      description,
    ),
  )

/** The tally as the API shows it. */
export const undoTally = object(
  {
    products: counts('What happens to products.'),
    variants: counts('What happens to variants.'),
    categories: counts('What happens to categories.'),
    outlets: counts('What happens to the outlet that the run created.'),
    stock: required(
      object(
        {
          restored: count('How many levels get their earlier stock back.'),
          left: count('How many levels stay, since stock moved after the import.'),
        },
        { title: 'UndoStock', description: 'What happens to stock.' },
      ),
    ),
  },
  {
    title: 'ImportUndo',
    description:
      'Counts of what an undo has done so far, or would do. Records changed since the import stay unchanged.',
  },
)
