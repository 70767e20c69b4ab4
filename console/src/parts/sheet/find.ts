// Finds a variant by its code: goes to its row, or filters to all matches.
import type { InfiniteQueryObserverResult } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import type { Page } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { Variant } from '../../api/schemas.ts'
import { text } from '../../texts/sheet.ts'
import { type Row, type RowsData, type View, variantsOf } from './rows.ts'
import type { Sheet } from './sheet.ts'

interface FindParts {
  readonly list: Pick<InfiniteQueryObserverResult<RowsData>, 'fetchNextPage' | 'hasNextPage'>
  readonly rowOf: (variant: Variant) => Row
  readonly view: View
  readonly setView: (view: View) => void
  readonly sheet: Sheet
  readonly say: (message: string) => void
  /** A row's name, once it is read. */
  readonly readName: (row: Row) => Promise<string>
  readonly focusCell: () => void
}

/** Pages to read in search of a row; a row further down is shown by itself. */
const mostPages = 40

export function useFind({ list, rowOf, view, setView, sheet, say, readName, focusCell }: FindParts) {
  const scope = useScope()

  async function show(rows: readonly Row[], index: number) {
    const row = rows[index]
    if (row === undefined) return
    sheet.go({ row: index, column: sheet.active.column })
    // The row may be rendered only after the next page is loaded.
    requestAnimationFrame(focusCell)
    say(text.found(await readName(row)))
  }

  return async (code: string): Promise<void> => {
    const isMeant = ({ barcode, sku }: Row) => barcode === code || sku === code
    const here = sheet.rows.findIndex(isMeant)
    if (here >= 0) return show(sheet.rows, here)
    say(text.looking)
    try {
      const ask = (query: Record<string, string>) =>
        get<Page>(scope, '/v1/variants', { query: { ...query, limit: 2 } }).then(({ data }) => data)
      const [byBarcode, bySku] = await Promise.all([ask({ barcode: code }), ask({ sku: code })])
      const exact = [...byBarcode, ...bySku]
      if (exact.length === 0) {
        const [inSku, inBarcode] = await Promise.all([ask({ searchBySku: code }), ask({ searchByBarcode: code })])
        if (inSku.length + inBarcode.length === 0) return say(text.notFound(code))
        say(text.fitting(code))
        return setView({ ...(view.productId !== undefined && { productId: view.productId }), q: code })
      }
      const isInView = view.q === undefined && view.below === undefined
      const isOfProduct = view.productId === undefined || exact.some(({ productId }) => productId === view.productId)
      if (isInView && isOfProduct) {
        let isMore = list.hasNextPage
        for (let page = 0; isMore && page < mostPages; page++) {
          const { data, hasNextPage } = await list.fetchNextPage()
          const rows = variantsOf(data).map(rowOf)
          const index = rows.findIndex(isMeant)
          if (index >= 0) return show(rows, index)
          isMore = hasNextPage
        }
      }
      say(text.fitting(code))
      setView({ q: code })
    } catch (error) {
      say(asProblem(error).message)
    }
  }
}
