// Pastes a block: one that is longer than the rows that were read waits until those below are read.
import type { InfiniteQueryObserverResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { text } from '../../texts/sheet.ts'
import type { CellPosition } from './cell-positions.ts'
import { cellsOf } from './clipboard.ts'
import type { RowsData } from './rows.ts'
import type { Sheet } from './sheet.ts'

interface PasteParts {
  readonly list: Pick<InfiniteQueryObserverResult<RowsData>, 'fetchNextPage' | 'hasNextPage' | 'isFetching'>
  readonly sheet: Sheet
  readonly say: (message: string) => void
}

interface Waiting {
  readonly clipboard: string
  /** The upper left cell of the block, which may have moved out of view meanwhile. */
  readonly at: CellPosition
  readonly rows: number
}

export function usePaste({ list, sheet, say }: PasteParts): (clipboard: string) => void {
  const [waiting, setWaiting] = useState<Waiting>()
  const isShort = (rows: number) => sheet.size.rows < rows && list.hasNextPage

  async function readOn() {
    const { isFetchNextPageError, error } = await list.fetchNextPage({ cancelRefetch: false })
    if (!isFetchNextPageError) return
    setWaiting(undefined)
    say(asProblem(error).message)
  }

  // After each page, which is drawn as rows.
  useEffect(() => {
    if (waiting === undefined) return
    if (isShort(waiting.rows)) {
      if (!list.isFetching) void readOn()
      return
    }
    setWaiting(undefined)
    sheet.paste(waiting.clipboard, waiting.at)
  })

  return (clipboard) => {
    const at = { row: sheet.range.top, column: sheet.range.left }
    const rows = at.row + cellsOf(clipboard).length
    if (!isShort(rows)) return sheet.paste(clipboard)
    say(text.readingBelow)
    setWaiting({ clipboard, at, rows })
  }
}
