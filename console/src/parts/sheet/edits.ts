// The unsaved edits of the sheet, cell by cell, with undo and redo.
import { useCallback, useReducer } from 'react'

/** A variant in a column, and the value that is saved there; undefined if there is none. */
export interface Cell {
  readonly variantId: string
  readonly productId: string
  /** The column. */
  readonly headId: string
  readonly saved: number | undefined
}

/** A cell and its new value. */
export interface Edit {
  readonly variantId: string
  readonly productId: string
  readonly headId: string
  /** Undefined removes the value. */
  readonly value: number | undefined
  /** What was saved when the value was typed: if it has changed by the time of saving, there is a conflict. */
  readonly expected: number | undefined
  /** Why the server refused it. */
  readonly refusal?: string
}

export type Edits = ReadonlyMap<string, Edit>
type Change = ReadonlyMap<string, { readonly before: Edit | undefined; readonly after: Edit | undefined }>

interface State {
  readonly edits: Edits
  readonly past: readonly Change[]
  readonly future: readonly Change[]
}

export const keyOf = ({ variantId, headId }: Pick<Cell, 'variantId' | 'headId'>): string => `${variantId}\n${headId}`

/** The edit that sets a cell to a value; undefined if it has it. What is expected stays until it is saved. */
function editOf(cell: Cell, value: number | undefined, before: Edit | undefined): Edit | undefined {
  const { saved, ...names } = cell
  if (saved === value) return undefined
  return { ...names, value, expected: before === undefined ? saved : before.expected }
}

type Action =
  | { readonly type: 'put'; readonly entries: readonly (readonly [key: string, edit: Edit | undefined])[] }
  | { readonly type: 'undo' | 'redo' | 'discard' }
  | {
      readonly type: 'settle'
      readonly entries: readonly (readonly [key: string, edit: Edit, next: Edit | undefined])[]
    }

const set = (edits: Edits, entries: Iterable<readonly [string, Edit | undefined]>): Edits => {
  const next = new Map(edits)
  for (const [key, edit] of entries) {
    if (edit === undefined) next.delete(key)
    else next.set(key, edit)
  }
  return next
}

function reduce(state: State, action: Action): State {
  const { edits, past, future } = state
  switch (action.type) {
    case 'put': {
      const change: Change = new Map(action.entries.map(([key, after]) => [key, { before: edits.get(key), after }]))
      if ([...change.values()].every(({ before, after }) => before === after)) return state
      return { edits: set(edits, action.entries), past: [...past, change], future: [] }
    }
    case 'undo': {
      const change = past.at(-1)
      if (change === undefined) return state
      const entries = [...change].map(([key, { before }]) => [key, before] as const)
      return { edits: set(edits, entries), past: past.slice(0, -1), future: [...future, change] }
    }
    case 'redo': {
      const change = future.at(-1)
      if (change === undefined) return state
      const entries = [...change].map(([key, { after }]) => [key, after] as const)
      return { edits: set(edits, entries), past: [...past, change], future: future.slice(0, -1) }
    }
    case 'discard':
      return {
        edits: new Map(),
        past: [...past, new Map([...edits].map(([key, before]) => [key, { before, after: undefined }]))],
        future: [],
      }
    case 'settle': {
      // What was typed in the meantime stays, now based on what was saved.
      const entries = action.entries.flatMap(([key, sent, next]): [string, Edit | undefined][] => {
        const now = edits.get(key)
        if (now === sent) return [[key, next]]
        return now === undefined || next !== undefined ? [] : [[key, { ...now, expected: sent.value }]]
      })
      // Clears the undo history, which would lead back behind what is now saved.
      return { edits: set(edits, entries), past: [], future: [] }
    }
  }
}

export function useEdits() {
  const [{ edits, past, future }, act] = useReducer(reduce, { edits: new Map(), past: [], future: [] })
  return {
    edits,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** Types values into cells, as one undo step. */
    type: useCallback(
      (cells: readonly { readonly cell: Cell; readonly value: number | undefined }[], now: Edits) =>
        act({
          type: 'put',
          entries: cells.map(({ cell, value }) => {
            const key = keyOf(cell)
            return [key, editOf(cell, value, now.get(key))]
          }),
        }),
      [],
    ),
    /** Replaces edits, or removes those that become undefined. */
    put: useCallback((entries: readonly (readonly [string, Edit | undefined])[]) => act({ type: 'put', entries }), []),
    undo: useCallback(() => act({ type: 'undo' }), []),
    redo: useCallback(() => act({ type: 'redo' }), []),
    discard: useCallback(() => act({ type: 'discard' }), []),
    /** The results of sent edits: undefined for one that is saved. */
    settle: useCallback(
      (entries: readonly (readonly [string, Edit, Edit | undefined])[]) => act({ type: 'settle', entries }),
      [],
    ),
  }
}
