// Stock: all variants at all outlets in one sheet, edited like a spreadsheet and saved as a whole.
import { Text } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/stock.ts'
import { CellLine } from './CellLine.tsx'
import { Choices } from './Choices.tsx'
import { Decision, decisionId } from './Decision.tsx'
import { type Level, useEdits } from './edits.ts'
import { Finder } from './Finder.tsx'
import { useFind } from './find.ts'
import { History } from './History.tsx'
import { NoOutlets, NothingFits, NoVariants } from './Nothing.tsx'
import { useProductNames } from './names.ts'
import { quantityOf, useProblems } from './problems.ts'
import { rowsOf, rowsQuery } from './rows.ts'
import { SaveBar } from './SaveBar.tsx'
import { SheetOutline } from './SheetOutline.tsx'
import { StockGrid } from './StockGrid.tsx'
import classes from './StockPage.module.css'
import { type Lead, nameOf, type ShownOutlet } from './StockRow.tsx'
import { useSaving } from './saving-state.ts'
import { useSheet } from './sheet.ts'
import { isNarrowed, useView } from './view.ts'

const wideLead: Lead = { name: 260, code: 160 }
const narrowLead: Lead = { name: 150, code: 0 }

export function StockPage() {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const format = useFormat()
  const client = useQueryClient()
  const isNarrow = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) === true
  const lead = isNarrow ? narrowLead : wideLead
  const [view, setView] = useView()
  const finder = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const [message, say] = useState('')
  const [past, setPast] = useState<Level & { label: string; isManaged: boolean }>()
  const { edits, ...typing } = useEdits()
  const { productName, onSight } = useProductNames()

  const outletsQuery = useQuery({
    ...someQuery(whose, 'outlets', { limit: 1000, sortBy: 'sequenceNumber' }),
    staleTime: 60_000,
  })
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `cashwrap-stock-hidden-${whose.companyId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const allOutlets = useMemo(
    () => (outletsQuery.data?.data ?? []).map(({ id, name }): ShownOutlet => ({ id, name: name ?? id })),
    [outletsQuery.data],
  )
  const outlets = useMemo(() => {
    const shown = allOutlets.filter(({ id }) => !hidden.includes(id))
    return shown.length > 0 ? shown : allOutlets
  }, [allOutlets, hidden])

  const list = useInfiniteQuery(rowsQuery(whose, view))
  const rows = useMemo(() => rowsOf(list.data), [list.data])
  const count = list.data?.pages[0]?.count
  const { fetchNextPage, isFetching, isFetchNextPageError } = list

  const sheet = useSheet({
    ...{ rows, outlets, edits, canWrite, say },
    type: typing.type,
    nameOf: (row) => nameOf(row, productName(row.productId)),
    scanned: (code) => void find(code),
  })
  const focusCell = () =>
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>('[role="gridcell"][data-active]')?.focus({ preventScroll: true }),
    )
  const find = useFind({
    list,
    view,
    setView,
    sheet,
    say,
    nameOf: (row) => nameOf(row, productName(row.productId)),
    focusCell,
  })
  const { isSaving, failure: saveFailure, reason, setReason, save } = useSaving({ edits, settle: typing.settle, say })
  const problems = useProblems({ edits, rows, outlets, put: typing.put, sheet, focusCell, say })

  const latestFind = useRef(find)
  latestFind.current = find
  const findLatest = useCallback((code: string) => latestFind.current(code), [])
  const { companyId } = whose
  const refresh = useCallback(
    () => void client.invalidateQueries({ queryKey: rowsQuery({ companyId }, view).queryKey }),
    [client, companyId, view],
  )

  const { active } = sheet
  const level = sheet.levelAt(active)
  const edit = sheet.editAt(active)
  const label = level ? sheet.labelAt(active) : ''
  const step = (go: () => void, done: string) => () => {
    go()
    say(done)
  }
  const undo = () => typing.canUndo && step(typing.undo, text.said.undone)()
  const redo = () => typing.canRedo && step(typing.redo, text.said.redone)()
  const showHistory = () => level && setPast({ ...level, label, isManaged: rows[active.row]?.isManaged ?? true })

  async function saveAll() {
    const isOpen = sheet.editing !== undefined
    if (isOpen && !sheet.commit()) return
    await save(isOpen)
  }

  const failure = outletsQuery.error ?? list.error
  const isLoading = outletsQuery.isPending || list.isPending
  const isEmpty = !isLoading && rows.length === 0 && !list.hasNextPage

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one shortcut for the whole page, whatever has the focus.
    <div
      ref={grid}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (canWrite) void saveAll()
      }}
    >
      <PageBody size="sheet">
        <LeaveGuard isDirty={edits.size > 0} />
        <PageHeader
          title={text.title}
          aside={
            count !== undefined && (
              <Text c="dimmed" size="sm" className="numbers">
                {text.variants(count, format.number(count))}
              </Text>
            )
          }
        />
        <div className={classes.bar}>
          <Finder input={finder} find={findLatest} />
          <Choices {...{ view, hidden, outlets: allOutlets }} onView={setView} onHidden={setHidden} refresh={refresh} />
        </div>
        {failure && rows.length === 0 ? (
          <Failure
            error={failure}
            retry={() => {
              void outletsQuery.refetch()
              void list.refetch()
            }}
          />
        ) : !isLoading && outlets.length === 0 ? (
          <NoOutlets />
        ) : isEmpty ? (
          isNarrowed(view) ? (
            <NothingFits showAll={() => setView({})} />
          ) : (
            <NoVariants />
          )
        ) : isLoading ? (
          <SheetOutline />
        ) : (
          <>
            <StockGrid
              {...{ sheet, edits, lead, productName, count, onSight, undo, redo }}
              hasMore={list.hasNextPage && !isFetching && !isFetchNextPageError}
              loadMore={() => void fetchNextPage()}
              leave={() => finder.current?.focus()}
              find={() => finder.current?.focus()}
              history={showHistory}
              decide={() => document.querySelector<HTMLElement>(`#${decisionId} button`)?.focus()}
            >
              {(place) =>
                level !== undefined &&
                edit !== undefined &&
                sheet.editing === undefined &&
                problems.has(edit) && (
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
            </StockGrid>
            {isFetchNextPageError && <Failure error={list.error} retry={() => void fetchNextPage()} />}
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
                history={showHistory}
              />
              {canWrite && (
                <SaveBar
                  {...{ message, reason, isSaving }}
                  failure={saveFailure}
                  unsaved={edits.size}
                  conflicts={problems.all.length}
                  onReason={setReason}
                  save={() => void saveAll()}
                  discard={step(typing.discard, text.said.discarded)}
                  showConflict={problems.showNext}
                  overwriteAll={() => problems.overwrite(problems.all)}
                  takeAll={() => problems.take(problems.all)}
                />
              )}
            </div>
          </>
        )}
        <History level={past} close={() => setPast(undefined)} />
      </PageBody>
    </div>
  )
}
