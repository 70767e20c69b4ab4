// The sheet of a page: the grid, the choice at a conflict, and the lines below.
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { text } from '../../texts/sheet.ts'
import { Failure } from '../Failure.tsx'
import { PrintedTable } from '../paper/PrintedTable.tsx'
import { RecordName } from '../RecordName.tsx'
import { CellLine } from './CellLine.tsx'
import { Decision, decisionId } from './Decision.tsx'
import { shownIn } from './format.ts'
import type { Row } from './rows.ts'
import { SaveBar } from './SaveBar.tsx'
import { type CellPlace, SheetGrid } from './SheetGrid.tsx'
import classes from './SheetPage.module.css'
import type { Lead } from './SheetRow.tsx'
import { Stepper } from './Stepper.tsx'
import type { VariantSheetState } from './variant-sheet.ts'

const wideLead: Lead = { name: 260, code: 160 }
const narrowLead: Lead = { name: 150, code: 0 }

interface VariantSheetProps {
  readonly state: VariantSheetState
  readonly label: string
  /** Whether the values are counted, which on a phone has buttons. */
  readonly isCounted?: boolean
  /** Shows the history of the active cell, where it has one. */
  readonly history?: () => void
  /** An input for what is saved along. */
  readonly children?: ReactNode
  /** Focuses the input that finds a row. */
  readonly toFinder: () => void
}

export function VariantSheet({ state, label, history, toFinder, isCounted = false, children }: VariantSheetProps) {
  const { sheet, edits, names, list, undo, redo } = state
  const { fetchNextPage, isFetching, isFetchNextPageError } = list
  const isNarrow = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) === true
  return (
    <>
      <SheetGrid
        {...{ sheet, label, edits, undo, redo, ...names }}
        lead={isNarrow ? narrowLead : wideLead}
        count={list.data?.pages[0]?.count}
        hasMore={list.hasNextPage && !isFetching && !isFetchNextPageError}
        loadMore={() => void fetchNextPage()}
        leave={toFinder}
        find={toFinder}
        {...(history && { history })}
        decide={() => document.querySelector<HTMLElement>(`#${decisionId} button`)?.focus()}
      >
        {(place) => <Conflict state={state} place={place} />}
      </SheetGrid>
      <PrintedSheet state={state} />
      {isFetchNextPageError && <Failure error={list.error} retry={() => void fetchNextPage()} />}
      <Foot state={state} history={history} hasSteps={isCounted && isNarrow}>
        {children}
      </Foot>
    </>
  )
}

/** The sheet on paper, with what is typed in it. */
function PrintedSheet({ state: { sheet, list } }: Pick<VariantSheetProps, 'state'>) {
  const { rows, heads } = sheet
  const leads = [
    { key: 'product', title: text.product },
    { key: 'codes', title: text.code },
  ]
  const cellAt = (index: number, column: number): ReactNode => {
    const { productId, attributes, sku, barcode } = rows[index] as Row
    if (column === 0)
      return (
        <>
          <RecordName many="products" id={productId} isPlain /> {attributes}
        </>
      )
    if (column === 1) return [sku, barcode].filter(Boolean).join(' · ')
    const place = { row: index, column: column - leads.length }
    const format = sheet.formatAt(place)
    return format && shownIn(format, sheet.valueAt(place))
  }
  return (
    <PrintedTable
      columns={[...leads, ...heads.map(({ id, name }) => ({ key: id, title: name, align: 'right' as const }))]}
      count={rows.length}
      keyAt={(index) => (rows[index] as Row).id}
      {...{ cellAt, list }}
    />
  )
}

/** The choice at the active cell, if it was not saved. */
function Conflict({ state: { sheet, problems, focusCell }, place }: { state: VariantSheetState; place: CellPlace }) {
  const cell = sheet.cellAt(sheet.active)
  const format = sheet.formatAt(sheet.active)
  const edit = sheet.editAt(sheet.active)
  if (
    cell === undefined ||
    format === undefined ||
    edit === undefined ||
    sheet.editing !== undefined ||
    !problems.has(edit)
  )
    return null
  return (
    <Decision
      key={`${cell.variantId} ${cell.headId}`}
      {...{ edit, format, place }}
      saved={cell.saved}
      overwrite={() => problems.overwrite([edit])}
      take={() => problems.take([edit])}
      leave={focusCell}
    />
  )
}

interface FootProps extends Pick<VariantSheetProps, 'state' | 'history' | 'children'> {
  readonly hasSteps: boolean
}

function Foot({ state, history, hasSteps, children }: FootProps) {
  const { canWrite, sheet, edits, typing, problems, saving, say, undo, redo } = state
  const cell = sheet.cellAt(sheet.active)
  const format = sheet.formatAt(sheet.active)
  const edit = sheet.editAt(sheet.active)
  const label = cell ? sheet.labelAt(sheet.active) : ''
  return (
    <div className={`${classes.foot} screen-only`}>
      {hasSteps && canWrite && <Stepper sheet={sheet} />}
      <CellLine
        {...{ label, edit, format, canWrite, undo, redo }}
        saved={cell?.saved}
        canUndo={typing.canUndo}
        canRedo={typing.canRedo}
        revert={() => {
          if (edit === undefined || format === undefined) return
          problems.take([edit])
          say(text.said.reverted(label, shownIn(format, cell?.saved)))
        }}
        {...(history && { history })}
      />
      {canWrite && (
        <SaveBar
          message={state.message}
          isSaving={saving.isSaving}
          failure={saving.failure}
          unsaved={edits.size}
          conflicts={problems.all.length}
          save={() => void state.saveAll()}
          discard={state.discard}
          showConflict={problems.showNext}
          overwriteAll={() => problems.overwrite(problems.all)}
          takeAll={() => problems.take(problems.all)}
        >
          {children}
        </SaveBar>
      )}
    </div>
  )
}
