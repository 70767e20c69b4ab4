// Stock: all variants at all outlets in one sheet, edited like a spreadsheet and saved as a whole.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import { Failure } from '../../parts/Failure.tsx'
import { NothingFits, NoVariants } from '../../parts/sheet/Nothing.tsx'
import { SheetBar } from '../../parts/sheet/SheetBar.tsx'
import { SheetFrame, useLatest } from '../../parts/sheet/SheetFrame.tsx'
import { SheetOutline } from '../../parts/sheet/SheetOutline.tsx'
import { VariantSheet } from '../../parts/sheet/VariantSheet.tsx'
import { isNarrowed } from '../../parts/sheet/view.ts'
import { text as labels } from '../../texts/labels.ts'
import { text } from '../../texts/stock.ts'
import { usePrintLabels } from '../labels/kept-list.ts'
import { LowStock, OutletMenu } from './Choices.tsx'
import { History } from './History.tsx'
import { NoOutlets } from './NoOutlets.tsx'
import { Reason } from './Reason.tsx'
import { StockFileButtons } from './StockFile.tsx'
import { type Stock, useStock } from './stock.ts'
import type { Counted } from './stock-file.ts'

export function StockPage() {
  const page = useRef<HTMLDivElement>(null)
  const finder = useRef<HTMLInputElement>(null)
  const stock = useStock(page)
  const { state, outlets, history } = stock
  const { view, setView } = state
  const { all, hidden, setHidden } = outlets
  const find = useLatest(state.find)
  const printLabels = usePrintLabels()
  const print = useLatest((_: unknown) => printLabels(state.rows.map(({ id }) => id)))
  return (
    <SheetFrame
      {...{ page, state }}
      title={text.title}
      actions={all.length > 0 && <StockFileButtons outlets={all} put={(counted) => putCounts(state, counted)} />}
    >
      <SheetBar
        {...{ view, finder, find }}
        onView={setView}
        filters={useMemo(() => <LowStock view={view} onView={setView} />, [view, setView])}
        tools={useMemo(
          () => (
            <>
              <OutletMenu outlets={all} hidden={hidden} onHidden={setHidden} />
              <LabelsTool print={print} />
            </>
          ),
          [all, hidden, setHidden, print],
        )}
        help={text.help}
      />
      <Content stock={stock} toFinder={() => finder.current?.focus()} />
      <History level={history.level} close={history.close} />
    </SheetFrame>
  )
}

/** Types the counts of a file into the sheet, which need not show their rows. */
function putCounts({ typing, edits, say }: Stock['state'], counted: readonly Counted[]): void {
  typing.type(counted, edits)
  say(text.file.done(counted.length))
}

/** Labels of the rows that were read. */
function LabelsTool({ print }: { print: (event: unknown) => void }) {
  return (
    <Tooltip label={labels.printLabels}>
      <ActionIcon size={36} variant="default" aria-label={labels.printLabels} onClick={print}>
        <IconTags size={17} />
      </ActionIcon>
    </Tooltip>
  )
}

/** The sheet, or why there is none. */
function Content({ stock, toFinder }: { stock: Stock; toFinder: () => void }) {
  const { state, outlets, reason, setReason, history } = stock
  const { view, setView, list, rows } = state
  const failure = outlets.query.error ?? list.error
  const isLoading = outlets.query.isPending || list.isPending
  if (failure && (rows.length === 0 || outlets.all.length === 0))
    return (
      <Failure
        error={failure}
        retry={() => {
          void outlets.query.refetch()
          void list.refetch()
        }}
      />
    )
  if (!isLoading && outlets.shown.length === 0) return <NoOutlets />
  if (!isLoading && rows.length === 0 && !list.hasNextPage)
    return isNarrowed(view) ? <NothingFits showAll={() => setView({})} /> : <NoVariants />
  if (isLoading) return <SheetOutline />
  return (
    <VariantSheet {...{ state, toFinder }} isCounted label={text.grid} history={history.show}>
      <Reason value={reason} onChange={setReason} />
    </VariantSheet>
  )
}
