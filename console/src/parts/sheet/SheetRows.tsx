// The visible rows of the saved sheet, each with its own edits, so that only changed rows are rendered again.
import type { VirtualItem } from '@tanstack/react-virtual'
import { useMemo } from 'react'
import { isSingle, type Range } from './cell-positions.ts'
import type { Edit, Edits } from './edits.ts'
import { type Lead, SheetRow } from './SheetRow.tsx'
import type { Sheet } from './sheet.ts'

interface RowsProps {
  readonly sheet: Sheet
  readonly edits: Edits
  readonly lead: Lead
  readonly productName: (id: string) => string | undefined
  readonly rows: readonly VirtualItem[]
  readonly columns: readonly VirtualItem[]
  readonly width: number
  /** The selection, or what it would be on release. */
  readonly chosen: Range
  readonly leaveEditor: () => void
}

export function SheetRows({ sheet, edits, lead, productName, rows, columns, width, chosen, leaveEditor }: RowsProps) {
  const { heads, active, range, editing, size } = sheet
  const editsOfRows = useMemo(() => {
    const byRow = new Map<string, Map<string, Edit>>()
    for (const [key, edit] of edits) {
      const own = byRow.get(edit.variantId) ?? new Map<string, Edit>()
      byRow.set(edit.variantId, own.set(key, edit))
    }
    return byRow
  }, [edits])

  return rows.map(({ index, start }) => {
    const row = sheet.rows[index]
    if (row === undefined) return null
    const isChosen = !isSingle(chosen) && index >= chosen.top && index <= chosen.bottom
    return (
      <SheetRow
        key={row.id}
        row={row}
        index={index}
        top={start}
        width={width}
        lead={lead}
        productName={productName(row.productId)}
        heads={heads}
        columns={columns}
        edits={editsOfRows.get(row.id)}
        active={index === active.row ? active.column : undefined}
        selectedFrom={isChosen ? chosen.left : size.columns}
        selectedTo={isChosen ? chosen.right : -1}
        fillCorner={sheet.canWrite && index === range.bottom ? range.right : undefined}
        editing={index === active.row ? editing : undefined}
        onType={sheet.typeOn}
        onLeave={leaveEditor}
      />
    )
  })
}
