// Stock by outlet as the sheet shows it: each variant is a row, and each outlet a column.
import type { QueryClient } from '@tanstack/react-query'
import type { Variant } from '../../api/schemas.ts'
import { rowMaker, showVariants } from '../../parts/sheet/rows.ts'
import { text } from '../../texts/stock.ts'

const badge = { label: text.unmanaged, hint: text.unmanagedHint }

/** The row of a variant. */
export const rowOf = rowMaker(({ manageStock, inventory }) => ({
  ...(manageStock !== true && { badge }),
  values: new Map(inventory.map(({ outletId, stock }) => [outletId, stock])),
}))

/** Stock by outlet, by variant. */
export type Levels = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Updates stock wherever a sheet shows it. */
export const showLevels = (client: QueryClient, scope: { readonly companyId: string }, levels: Levels): void =>
  showVariants(client, scope, new Set(levels.keys()), (variant) => {
    const own = levels.get(variant.id) ?? new Map<string, number>()
    const others = variant.inventory.filter(({ outletId }) => !own.has(outletId))
    return { ...variant, inventory: [...others, ...[...own].map(([outletId, stock]) => ({ outletId, stock }))] }
  })

/** Stock by outlet, in the form of a variant. */
export const levelsOf = (variants: readonly Variant[]): Levels =>
  new Map(variants.map((variant) => [variant.id, rowOf(variant).values]))
