// What the stock page works with: the rows that were read, the sheet over them, and what is typed, searched and saved there.
import { useInfiniteQuery } from '@tanstack/react-query'
import { type RefObject, useMemo, useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { text } from '../../texts/stock.ts'
import { type Level, useEdits } from './edits.ts'
import { useFind } from './find.ts'
import { useProductNames } from './names.ts'
import { useOutlets } from './outlets.ts'
import { useProblems } from './problems.ts'
import { type Row, rowsOf, rowsQuery } from './rows.ts'
import { nameOf } from './StockRow.tsx'
import { useSaving } from './saving-state.ts'
import { useSheet } from './sheet.ts'
import { useView } from './view.ts'

export type Stock = ReturnType<typeof useStock>

/** `page` is the element that contains the sheet. */
export function useStock(page: RefObject<HTMLElement | null>) {
  const canWrite = useCanWrite()
  const [view, setView] = useView()
  const [message, say] = useState('')
  const { edits, ...typing } = useEdits()
  const names = useProductNames()
  const outlets = useOutlets()
  const list = useInfiniteQuery(rowsQuery(useWhose(), view))
  const rows = useMemo(() => rowsOf(list.data), [list.data])
  const rowName = (row: Row) => nameOf(row, names.productName(row.productId))
  const sheet = useSheet({
    ...{ rows, edits, canWrite, say },
    outlets: outlets.shown,
    type: typing.type,
    nameOf: rowName,
    scanned: (code) => void find(code),
  })
  const focusCell = () =>
    requestAnimationFrame(() =>
      page.current?.querySelector<HTMLElement>('[role="gridcell"][data-active]')?.focus({ preventScroll: true }),
    )
  const find = useFind({ list, view, setView, sheet, say, nameOf: rowName, focusCell })
  const { save, ...saving } = useSaving({ edits, settle: typing.settle, say })
  const problems = useProblems({ edits, rows, outlets: outlets.shown, put: typing.put, sheet, focusCell, say })

  async function saveAll() {
    const isOpen = sheet.editing !== undefined
    if (isOpen && !sheet.commit()) return
    await save(isOpen)
  }
  const step = (go: () => void, done: string) => () => {
    go()
    say(done)
  }
  const history = useHistory(sheet)
  return {
    ...{ canWrite, view, setView, message, say, edits, typing, names, outlets, list, rows },
    ...{ sheet, focusCell, find, saving, saveAll, problems, history },
    undo: () => typing.canUndo && step(typing.undo, text.said.undone)(),
    redo: () => typing.canRedo && step(typing.redo, text.said.redone)(),
    discard: step(typing.discard, text.said.discarded),
  }
}

/** The level whose history is shown. */
function useHistory({ active, rows, levelAt, labelAt }: ReturnType<typeof useSheet>) {
  const [level, setLevel] = useState<Level & { label: string; isManaged: boolean }>()
  return {
    level,
    /** Shows that of the active cell. */
    show() {
      const at = levelAt(active)
      if (at) setLevel({ ...at, label: labelAt(active), isManaged: rows[active.row]?.isManaged ?? true })
    },
    close: () => setLevel(undefined),
  }
}
