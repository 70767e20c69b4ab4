// What a page with a sheet of variants works with: the rows that were read, the sheet over them, and what is typed and saved there.
import { useInfiniteQuery } from '@tanstack/react-query'
import { type RefObject, useMemo, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { Variant } from '../../api/schemas.ts'
import { text } from '../../texts/sheet.ts'
import { useEdits } from './edits.ts'
import { useFind } from './find.ts'
import type { Head } from './format.ts'
import { useProductNames } from './names.ts'
import { usePaste } from './paste.ts'
import { useProblems } from './problems.ts'
import { type Row, rowsQuery, variantsOf } from './rows.ts'
import { nameOf } from './SheetRow.tsx'
import { type SaveEdits, useSaving } from './saving-state.ts'
import { useSheet } from './sheet.ts'
import { useView } from './view.ts'

interface Parts {
  /** The element that contains the sheet. */
  readonly page: RefObject<HTMLElement | null>
  readonly heads: readonly Head[]
  readonly rowOf: (variant: Variant) => Row
  readonly saveEdits: SaveEdits
}

export type VariantSheetState = ReturnType<typeof useVariantSheet>

export function useVariantSheet({ page, heads, rowOf, saveEdits }: Parts) {
  const canWrite = useCanWrite()
  const [view, setView] = useView()
  const [message, say] = useState('')
  const { edits, ...typing } = useEdits()
  const names = useProductNames()
  const list = useInfiniteQuery(rowsQuery(useScope(), view))
  const rows = useMemo(() => variantsOf(list.data).map(rowOf), [list.data, rowOf])
  const rowName = (row: Row) => nameOf(row, names.productName(row.productId))
  const readName = async (row: Row) => nameOf(row, await names.readProductName(row.productId))
  const ofRows = useSheet({
    rows,
    edits,
    canWrite,
    say,
    heads,
    type: typing.type,
    nameOf: rowName,
    scanned: (code) => void find(code),
  })
  const sheet = { ...ofRows, paste: usePaste({ list, sheet: ofRows, say }) }
  const focusCell = () =>
    requestAnimationFrame(() =>
      page.current?.querySelector<HTMLElement>('[role="gridcell"][data-active]')?.focus({ preventScroll: true }),
    )
  const find = useFind({ list, rowOf, view, setView, sheet, say, readName, focusCell })
  const { save, ...saving } = useSaving({ edits, settle: typing.settle, say, saveEdits })
  const problems = useProblems({ edits, rows, heads, put: typing.put, sheet, focusCell, say })

  async function saveAll() {
    const isOpen = sheet.editing !== undefined
    if (isOpen && !sheet.commit()) return
    await save(isOpen)
    // The button lost the focus while it was disabled.
    if (document.activeElement === document.body) focusCell()
  }
  const step = (go: () => void, done: string) => () => {
    go()
    say(done)
  }
  return {
    canWrite,
    view,
    setView,
    message,
    say,
    edits,
    typing,
    names,
    list,
    rows,
    rowName,
    sheet,
    focusCell,
    find,
    saving,
    saveAll,
    problems,
    undo: () => typing.canUndo && step(typing.undo, text.said.undone)(),
    redo: () => typing.canRedo && step(typing.redo, text.said.redone)(),
    discard: () => {
      step(typing.discard, text.said.discarded)()
      focusCell()
    },
  }
}
