// Prices: those of all variants in one sheet, edited like a spreadsheet, changed by percent, and saved as a whole.
import { Button, Text } from '@mantine/core'
import { IconPercentage } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import { Failure } from '../../parts/Failure.tsx'
import { NothingFits, NoVariants } from '../../parts/sheet/Nothing.tsx'
import { showVariants } from '../../parts/sheet/rows.ts'
import { SheetBar } from '../../parts/sheet/SheetBar.tsx'
import { SheetFrame, useLatest } from '../../parts/sheet/SheetFrame.tsx'
import { SheetOutline } from '../../parts/sheet/SheetOutline.tsx'
import type { SaveEdits } from '../../parts/sheet/saving-state.ts'
import { VariantSheet } from '../../parts/sheet/VariantSheet.tsx'
import { useVariantSheet, type VariantSheetState } from '../../parts/sheet/variant-sheet.ts'
import { isNarrowed } from '../../parts/sheet/view.ts'
import { text } from '../../texts/prices.ts'
import { rowOf, useHeads } from './columns.ts'
import { PercentDialog } from './PercentDialog.tsx'
import { savePrices } from './saving.ts'

export function PricesPage() {
  const page = useRef<HTMLDivElement>(null)
  const finder = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const state = useVariantSheet({ page, rowOf, heads: useHeads(), saveEdits: useSavePrices() })
  const { view, setView, canWrite, rows, sheet } = state
  const find = useLatest(state.find)

  function openDialog() {
    if (sheet.editing === undefined || sheet.commit()) setOpen(true)
  }

  return (
    <SheetFrame
      {...{ page, state }}
      title={text.title}
      actions={
        canWrite && (
          <Button
            variant="default"
            leftSection={<IconPercentage size={16} />}
            onClick={openDialog}
            disabled={rows.length === 0}
          >
            {text.changePercent}
          </Button>
        )
      }
    >
      <SheetBar {...{ view, finder, find }} onView={setView} help={text.help} />
      <Content state={state} toFinder={() => finder.current?.focus()} />
      {isOpen && <PercentDialog state={state} close={() => setOpen(false)} />}
    </SheetFrame>
  )
}

/** The sheet, or why there is none. */
function Content({ state, toFinder }: { state: VariantSheetState; toFinder: () => void }) {
  const { view, setView, list, rows } = state
  if (list.error && rows.length === 0) return <Failure error={list.error} retry={() => void list.refetch()} />
  if (list.isPending) return <SheetOutline />
  if (rows.length === 0 && !list.hasNextPage)
    return isNarrowed(view) ? <NothingFits showAll={() => setView({})} /> : <NoVariants />
  return (
    <VariantSheet {...{ state, toFinder }} label={text.grid}>
      <SaleHint state={state} />
    </VariantSheet>
  )
}

/** Says that sale prices are above their prices, where one of them was typed. */
function SaleHint({ state: { rows, edits, sheet } }: { state: VariantSheetState }) {
  const price = sheet.heads.findIndex(({ id }) => id === 'price')
  const salePrice = sheet.heads.findIndex(({ id }) => id === 'salePrice')
  const typed = new Set([...edits.values()].map(({ variantId }) => variantId))
  const above = rows.filter(({ id }, row) => {
    if (!typed.has(id)) return false
    const [usual, sale] = [price, salePrice].map((column) => sheet.valueAt({ row, column }))
    return usual !== undefined && sale !== undefined && sale > usual
  })
  if (above.length === 0) return null
  return (
    <Text size="sm" c="var(--cw-warn)" role="status">
      {text.saleAbove(above.length)}
    </Text>
  )
}

/** Saves prices, and shows the variants as the server returned them. */
function useSavePrices(): SaveEdits {
  const scope = useScope()
  const client = useQueryClient()
  return async (edits, settle) => {
    try {
      return await savePrices(scope, edits, ({ entries, variants }) => {
        const now = new Map(variants.map((variant) => [variant.id, variant]))
        showVariants(client, scope, new Set(now.keys()), (variant) => now.get(variant.id) ?? variant)
        settle(entries)
      })
    } finally {
      void refresh(client, scope.companyId, 'products')
      // Sheets are already up to date.
      void client.invalidateQueries({
        queryKey: [scope.companyId, 'variants'],
        predicate: ({ queryKey }) => queryKey[2] !== 'sheet',
      })
    }
  }
}
