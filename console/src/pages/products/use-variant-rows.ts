// The state of the variants grid: the stored variants, what is typed over them, and saving both with the product.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useScope } from '../../api/company.ts'
import { listQuery, type RecordData, refresh } from '../../api/records.ts'
import { notify, warn } from '../../parts/notices.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/catalog.ts'
import { text as records } from '../../texts/records.ts'
import { type Outcomes, saveRows } from './saving.ts'
import { isReadable, isToSave, type Row, rowOf, withAdded } from './variant-rows.ts'
import { variantsQuery } from './variants.ts'

interface Typed {
  /** New rows, and rows that differ from the stored variant. */
  readonly rows: readonly Row[]
  /** Messages of the last save, by the row's key and the pointer within the variant. */
  readonly refused: ReadonlyMap<string, string>
}

/** Rows of products that were created but not all of their variants, for the pages of these products. */
const handedOver = new Map<string, Typed>()

export type VariantRows = ReturnType<typeof useVariantRows>

/** For the input of the product's attributes, which contains the grid. */
export const VariantRowsContext = createContext<VariantRows | undefined>(undefined)

/** Without a product, all rows are new. */
export function useVariantRows(product: RecordData | undefined, initial: readonly Row[] = []) {
  const scope = useScope()
  const client = useQueryClient()
  const id = product?.id ?? ''
  const list = useInfiniteQuery({ ...listQuery(scope, 'variants', variantsQuery(id)), enabled: id !== '' })
  const [typed, setTyped] = useState<Typed>(() => handedOver.get(id) ?? { rows: initial, refused: new Map() })
  useEffect(() => void handedOver.delete(id), [id])
  const latest = useRef(typed)
  const { isBusy, run } = useAction()
  const stored = list.data?.pages.flatMap(({ data }) => data) ?? []
  const over = new Map(typed.rows.map((row) => [row.key, row]))
  const isStored = new Set(stored.map((variant) => variant.id))
  const isRefused = (row: Row) => [...typed.refused.keys()].some((at) => at.startsWith(row.key))
  // A variant that was deleted meanwhile keeps its row, which says so.
  const added = typed.rows.filter((row) => row.variant === undefined || (!isStored.has(row.key) && isRefused(row)))
  const rows = [...stored.map((variant) => over.get(variant.id) ?? rowOf(variant)), ...added]

  function put(next: Partial<Typed>) {
    latest.current = { ...latest.current, ...next }
    setTyped(latest.current)
  }

  /** Saves what is typed; rows that are refused stay, with the server's messages. A product that was just saved has its own notice. */
  const save = (productId: string, isWithProduct = false): Promise<void> =>
    run(async () => {
      const sent = new Map(latest.current.rows.filter(isToSave).map((row) => [row.key, row]))
      const outcomes = await saveRows(scope, productId, [...sent.values()])
      await refresh(client, scope.companyId, 'variants')
      const refused = refusedIn(outcomes)
      // At once, so that nothing counts as unsaved when the page is left.
      flushSync(() =>
        put({ rows: latest.current.rows.flatMap((row) => after(row, sent.get(row.key), outcomes)), refused }),
      )
      if (refused.size > 0) warn(text.variantsRefused)
      else if (!isWithProduct) notify(records.saved)
    })

  return {
    rows,
    list,
    product,
    refused: typed.refused,
    isBusy,
    save,
    isDirty: rows.some(isToSave),
    /** Whether all numbers can be read; a notice says that some cannot. */
    check(): boolean {
      const areReadable = latest.current.rows.every(isReadable)
      if (!areReadable) warn(text.unreadableRows)
      return areReadable
    },
    add: (more: readonly Row[]) => put({ rows: withAdded(latest.current.rows, more) }),
    change(row: Row) {
      const others = latest.current.rows
      const isThere = others.some(({ key }) => key === row.key)
      const next = isThere ? others.map((one) => (one.key === row.key ? row : one)) : [...others, row]
      put({ rows: next.filter((one) => one.variant === undefined || isToSave(one)) })
    },
    remove: (row: Row) => put({ rows: latest.current.rows.filter(({ key }) => key !== row.key) }),
    discard: () => put({ rows: [], refused: new Map() }),
    /** What is not saved leaves this page for that of the product. */
    handOver(productId: string) {
      const left = latest.current.rows.filter(isToSave)
      if (left.length > 0) handedOver.set(productId, { ...latest.current, rows: left })
      flushSync(() => put({ rows: [] }))
    },
  }
}

const refusedIn = (outcomes: Outcomes): ReadonlyMap<string, string> =>
  new Map(
    [...outcomes].flatMap(([key, { refused }]) => [...refused].map(([pointer, message]) => [key + pointer, message])),
  )

/** A row after it was sent: gone if all of it is saved, else over the variant as it is now. */
function after(row: Row, sent: Row | undefined, outcomes: Outcomes): Row[] {
  const outcome = outcomes.get(row.key)
  if (outcome === undefined || (outcome.refused.size === 0 && row === sent)) return outcome === undefined ? [row] : []
  const { variant } = outcome
  return variant === undefined ? [row] : [{ ...row, key: variant.id, variant, base: { ...variant } }]
}
