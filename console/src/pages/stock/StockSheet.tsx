// The sheet of the stock page: the grid, the choice at a conflict, and the lines below.
import { useMediaQuery } from '@mantine/hooks'
import { Failure } from '../../parts/Failure.tsx'
import { text } from '../../texts/stock.ts'
import { CellLine } from './CellLine.tsx'
import { Decision, decisionId } from './Decision.tsx'
import { quantityOf } from './problems.ts'
import { SaveBar } from './SaveBar.tsx'
import { type CellPlace, StockGrid } from './StockGrid.tsx'
import classes from './StockPage.module.css'
import type { Lead } from './StockRow.tsx'
import type { Stock } from './stock.ts'

const wideLead: Lead = { name: 260, code: 160 }
const narrowLead: Lead = { name: 150, code: 0 }

interface StockSheetProps {
  readonly stock: Stock
  /** Focuses the input that finds a row. */
  readonly toFinder: () => void
}

export function StockSheet({ stock, toFinder }: StockSheetProps) {
  const { sheet, edits, names, list, undo, redo, history } = stock
  const { fetchNextPage, isFetching, isFetchNextPageError } = list
  const isNarrow = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) === true
  return (
    <>
      <StockGrid
        {...{ sheet, edits, undo, redo, ...names }}
        lead={isNarrow ? narrowLead : wideLead}
        count={list.data?.pages[0]?.count}
        hasMore={list.hasNextPage && !isFetching && !isFetchNextPageError}
        loadMore={() => void fetchNextPage()}
        leave={toFinder}
        find={toFinder}
        history={history.show}
        decide={() => document.querySelector<HTMLElement>(`#${decisionId} button`)?.focus()}
      >
        {(place) => <Conflict stock={stock} place={place} />}
      </StockGrid>
      {isFetchNextPageError && <Failure error={list.error} retry={() => void fetchNextPage()} />}
      <Foot stock={stock} />
    </>
  )
}

/** The choice at the active cell, if it was not saved. */
function Conflict({ stock: { sheet, problems, focusCell }, place }: { stock: Stock; place: CellPlace }) {
  const level = sheet.levelAt(sheet.active)
  const edit = sheet.editAt(sheet.active)
  if (level === undefined || edit === undefined || sheet.editing !== undefined || !problems.has(edit)) return null
  return (
    <Decision
      key={`${level.variantId} ${level.outletId}`}
      {...{ edit, place }}
      stock={level.stock}
      overwrite={() => problems.overwrite([edit])}
      take={() => problems.take([edit])}
      leave={focusCell}
    />
  )
}

function Foot({ stock }: { stock: Stock }) {
  const { canWrite, sheet, edits, typing, problems, saving, say, undo, redo, history } = stock
  const level = sheet.levelAt(sheet.active)
  const edit = sheet.editAt(sheet.active)
  const label = level ? sheet.labelAt(sheet.active) : ''
  return (
    <div className={classes.foot}>
      <CellLine
        {...{ label, edit, canWrite, undo, redo }}
        stock={level?.stock}
        canUndo={typing.canUndo}
        canRedo={typing.canRedo}
        revert={() => {
          if (edit === undefined) return
          problems.take([edit])
          say(text.said.reverted(label, quantityOf(level)))
        }}
        history={history.show}
      />
      {canWrite && (
        <SaveBar
          message={stock.message}
          reason={saving.reason}
          isSaving={saving.isSaving}
          failure={saving.failure}
          unsaved={edits.size}
          conflicts={problems.all.length}
          onReason={saving.setReason}
          save={() => void stock.saveAll()}
          discard={stock.discard}
          showConflict={problems.showNext}
          overwriteAll={() => problems.overwrite(problems.all)}
          takeAll={() => problems.take(problems.all)}
        />
      )}
    </div>
  )
}
