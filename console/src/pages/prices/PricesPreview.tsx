// The prices before and after a change by percent.
import { ScrollArea, Table } from '@mantine/core'
import { useEffect } from 'react'
import type { VariantSheetState } from '../../parts/sheet/variant-sheet.ts'
import { text } from '../../texts/prices.ts'
import { text as sheetText } from '../../texts/sheet.ts'

/** A cell that changes. */
export interface PriceChange {
  readonly place: { readonly row: number; readonly column: number }
  readonly before: number | undefined
  readonly after: number
}

export function Preview({ state, changes }: { state: VariantSheetState; changes: readonly PriceChange[] }) {
  const { sheet, rows, rowName, names } = state
  const shown = changes.map(({ place }) => place.row).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: by the rows.
  useEffect(() => {
    names.onVisible(changes.flatMap(({ place }) => rows[place.row] ?? []))
  }, [shown])
  return (
    <ScrollArea.Autosize mah={260} type="auto" offsetScrollbars viewportProps={{ tabIndex: 0 }}>
      <Table stickyHeader fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{sheetText.product}</Table.Th>
            <Table.Th ta="right">{text.before}</Table.Th>
            <Table.Th ta="right">{text.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ place, before, after }) => {
            const row = rows[place.row]
            const format = sheet.formatAt(place)
            if (row === undefined || format === undefined) return null
            return (
              <Table.Tr key={row.id}>
                <Table.Td className="name">
                  <bdi>{rowName(row)}</bdi>
                </Table.Td>
                <Table.Td ta="right" c="dimmed">
                  {before === undefined ? '–' : format.shown(before)}
                </Table.Td>
                <Table.Td ta="right" fw={600}>
                  {format.shown(after)}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
