// The logic of the sheet: moving, typing, pasting, filling. Independent of how it is rendered.
import { useMemo } from 'react'
import { blockActions } from './blocks.ts'
import { type CellsParts, useCells } from './cells.ts'
import { type EditorParts, useEditor } from './editor.ts'
import { useSelection } from './selection.ts'

export type Sheet = ReturnType<typeof useSheet>

export function useSheet(parts: CellsParts & EditorParts) {
  const { rows, heads, canWrite, say } = parts
  const size = useMemo(() => ({ rows: rows.length, columns: heads.length }), [rows.length, heads.length])
  const selection = useSelection(size)
  const cells = useCells(parts)
  const editor = useEditor(cells, selection, size, parts)
  const { cellAt, editAt, valueAt, formatAt, labelAt, put } = cells
  return {
    size,
    rows,
    heads,
    canWrite,
    cellAt,
    editAt,
    valueAt,
    formatAt,
    labelAt,
    put,
    ...selection,
    ...editor,
    ...blockActions({ ...cells, ...selection, size, say }),
  }
}
