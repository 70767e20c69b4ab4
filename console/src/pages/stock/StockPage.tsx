// Stock: all variants at all outlets in one sheet, edited like a spreadsheet and saved as a whole.
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useWhose } from '../../api/company.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/stock.ts'
import { Choices } from './Choices.tsx'
import { Finder } from './Finder.tsx'
import { History } from './History.tsx'
import { NoOutlets, NothingFits, NoVariants } from './Nothing.tsx'
import { rowsQuery, type View } from './rows.ts'
import { SheetOutline } from './SheetOutline.tsx'
import classes from './StockPage.module.css'
import { StockSheet } from './StockSheet.tsx'
import { type Stock, useStock } from './stock.ts'
import { isNarrowed } from './view.ts'

export function StockPage() {
  const format = useFormat()
  const page = useRef<HTMLDivElement>(null)
  const finder = useRef<HTMLInputElement>(null)
  const stock = useStock(page)
  const { canWrite, edits, view, setView, outlets, list, history } = stock
  const find = useLatest(stock.find)
  const refresh = useRefresh(view)
  const count = list.data?.pages[0]?.count
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one shortcut for the whole page, whatever has the focus.
    <div
      ref={page}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (canWrite) void stock.saveAll()
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
          <Finder input={finder} find={find} />
          <Choices
            {...{ view, refresh }}
            outlets={outlets.all}
            hidden={outlets.hidden}
            onView={setView}
            onHidden={outlets.setHidden}
          />
        </div>
        <Content stock={stock} toFinder={() => finder.current?.focus()} />
        <History level={history.level} close={history.close} />
      </PageBody>
    </div>
  )
}

/** The sheet, or why there is none. */
function Content({ stock, toFinder }: { stock: Stock; toFinder: () => void }) {
  const { view, setView, outlets, list, rows } = stock
  const failure = outlets.query.error ?? list.error
  const isLoading = outlets.query.isPending || list.isPending
  if (failure && rows.length === 0)
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
  return isLoading ? <SheetOutline /> : <StockSheet stock={stock} toFinder={toFinder} />
}

/** Reads the shown rows again. */
function useRefresh(view: View): () => void {
  const { companyId } = useWhose()
  const client = useQueryClient()
  return useCallback(
    () => void client.invalidateQueries({ queryKey: rowsQuery({ companyId }, view).queryKey }),
    [client, companyId, view],
  )
}

/** The same function in every render, which calls the latest one. */
function useLatest<Argument, Result>(run: (argument: Argument) => Result): (argument: Argument) => Result {
  const latest = useRef(run)
  latest.current = run
  return useCallback((argument: Argument) => latest.current(argument), [])
}
