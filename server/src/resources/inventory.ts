// Inventory: how much of a variant lies at an outlet.
import type { Queryable } from '../database/connect.ts'
import { flag, quantity, reference, required, serverOwned } from '../engine/field.ts'
import { resource, type Step } from '../engine/resource.ts'
import { holdVariants, keyOf, showLevels, variantKey } from './held-variants.ts'
import { appendHistory } from './inventory-history.ts'

export const inventory = resource({
  name: { one: 'inventory', many: 'inventories' },
  title: 'Inventory',
  description:
    'The stock of a variant at an outlet. There is one live record for each pair; deleting flags it and keeps it.',
  fields: {
    productId: reference({ description: 'Taken from the variant when left out.' }),
    variantId: required(reference()),
    outletId: required(reference()),
    stock: quantity(),
    isDeleted: serverOwned(flag()),
  },
  derive: ({ stock }) => ({ stock: stock ?? 0 }),
  // Variants are held before a level is made, as all do who make one: two of them never wait for each other.
  async prepare(transaction, drafts) {
    const meant = drafts.map(({ scope, record }) => ({ scope, variantId: record.variantId as string }))
    const variants = await holdVariants(transaction, meant)
    for (const { scope, record } of drafts)
      if (record.productId === undefined)
        Object.assign(record, { productId: variants.get(keyOf(scope.companyId, String(record.variantId)))?.productId })
  },
  trail: {
    concerns: (before, after) => changesOf(before, after).length > 0,
    async hold(transaction, steps) {
      await holdVariants(transaction, steps.flatMap(levelsOf))
    },
    write: tell,
  },
  raises: { stock_changed: (now, before) => now.stock !== before?.stock },
  unique: ['variantId', 'outletId'],
  conflict: 'There is a live inventory record of this variant at this outlet already.',
  remove: 'soft',
  list: { sort: ['stock'], exact: ['productId', 'variantId', 'outletId'] },
  styleA: null,
  styleB: { one: 'inventory', many: 'inventories' },
  example: { variantId: '6740a1f2c3d4e5f6a7b8c9d4', outletId: '6740a1f2c3d4e5f6a7b8c9d2', stock: 12 },
})

type Known = Readonly<Record<string, any>>

/** What a write of a record does to its level, or to the two between which it moved the record. */
function changesOf(before: Known | undefined, after: Known) {
  const [old, now] = [before, after].map((record) => (record?.isDeleted ? undefined : record))
  if (old && now && old.variantId === now.variantId && old.outletId === now.outletId)
    return old.stock === now.stock ? [] : [{ record: now, previousStock: old.stock, newStock: now.stock, isLive: true }]
  return [
    ...(old ? [{ record: old, previousStock: old.stock, newStock: 0, isLive: false }] : []),
    ...(now ? [{ record: now, previousStock: 0, newStock: now.stock, isLive: true }] : []),
  ]
}

/** The changes of levels that a write of a record is. */
const levelsOf = ({ scope, before, after }: Step) =>
  changesOf(before, after).map(({ record, isLive, ...stocks }) => {
    const { id: inventoryId, productId, variantId, outletId } = record
    const stock: number | undefined = isLive ? stocks.newStock : undefined
    return { scope, inventoryId, productId, variantId, outletId, ...stocks, stock, at: after.updatedAt }
  })

/** Lets the variants show the changes, and puts those of managed ones into the history. */
async function tell(transaction: Queryable, steps: readonly Step[]): Promise<void> {
  const changes = steps.flatMap(levelsOf)
  const variants = await holdVariants(transaction, changes)
  await showLevels(transaction, variants, changes)
  const managed = changes.filter(
    (change) => change.newStock !== change.previousStock && variants.get(variantKey(change))?.isManaged,
  )
  await appendHistory(
    transaction,
    managed.map((change) => ({ ...change, kind: 'ADJUSTMENT', reason: undefined })),
  )
}
