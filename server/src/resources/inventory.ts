// Inventory: the stock of a variant at an outlet, one record for each product, variant and outlet.
import type { Queryable } from '../database/connect.ts'
import { always, quantity, reference, required } from '../engine/field.ts'
import { type RecordChange, resource } from '../engine/resource.ts'
import { holdVariants, showLevels, variantKey, wrongProduct } from './held-variants.ts'
import { appendHistory } from './inventory-history.ts'
import { isDeleted } from './shapes.ts'

export const inventory = resource({
  name: { one: 'inventory', many: 'inventories', record: 'inventory record' },
  alsoCalled: ['inventory-level', 'stock-level', 'stock'],
  title: 'Inventory',
  description:
    'The stock of a variant at an outlet. Each product, variant and outlet has at most one live record. An existing variant has one product, so it has one live record at an outlet; a `variantId` that matches no variant can have one for each product. Deleting flags the record and keeps it.',
  fields: {
    productId: reference({
      description: 'Defaults to the product of the variant. For an existing variant, it must be that product.',
    }),
    variantId: required(
      reference({ description: 'The variant that is in stock. It need not exist in the catalogue.' }),
    ),
    outletId: required(reference({ description: 'Where the stock is.' })),
    stock: always(
      quantity({
        description:
          'Units on hand, 0 by default, with at most six decimals for weighed goods. Below zero if more was sold than was counted.',
        example: 12,
      }),
    ),
    isDeleted: isDeleted(),
  },
  derive: ({ stock }) => ({ stock: stock ?? 0 }),
  // Variants are locked before a level is created, as in every creation: two of them never wait for each other.
  async prepare(transaction, drafts) {
    const meant = drafts.map(({ scope, record }) => ({ scope, variantId: record.variantId as string }))
    const variants = await holdVariants(transaction, meant)
    return drafts.map(({ record }, n) => {
      const variant = variants.get(variantKey(meant[n] as (typeof meant)[number]))
      // A retried transaction looks it up again, since the variant may have another product then.
      if (record.productId !== undefined && !completed.has(record)) return wrongProduct(record.productId, variant)
      completed.add(Object.assign(record, { productId: variant?.productId }))
      return undefined
    })
  },
  // The side effects have locked these variants before the records, except that of a record that has moved meanwhile.
  async amend(transaction, edits) {
    const meant = edits.map(({ scope, before, change }) => ({
      scope,
      variantId: String(change.set.variantId ?? before.variantId),
    }))
    const variants = await holdVariants(transaction, meant, { waits: false })
    return edits.map(({ change }, n) => {
      const variant = variants.get(variantKey(meant[n] as (typeof meant)[number]))
      if (variant?.productId === undefined) return change
      const { productId } = variant
      const clear = change.clear.filter((member) => member !== 'productId')
      return wrongProduct(change.set.productId, variant) ?? { set: { ...change.set, productId }, clear }
    })
  },
  sideEffects: {
    applies: (before, after) => changesOf(before, after).length > 0 || before?.productId !== after.productId,
    locksFirst: {
      isNeeded: () => true,
      keysOf: ({ scope, before, after }) => [before ?? after, after].map(({ variantId }) => ({ scope, id: variantId })),
      async lock(transaction, keys) {
        await holdVariants(
          transaction,
          keys.map(({ scope, id }) => ({ scope, variantId: id })),
        )
      },
    },
    write: tell,
  },
  raises: { stock_changed: (now, before) => now.stock !== before?.stock },
  unique: ['variantId', 'outletId', 'productId'],
  conflict: 'A live inventory record of this product, variant and outlet already exists.',
  remove: 'soft',
  list: { sort: ['stock'], exact: ['productId', 'variantId', 'outletId'], selective: ['variantId'] },
  styleA: null,
  styleB: { one: 'inventory', many: 'inventories' },
  example: { variantId: '6740a1f2c3d4e5f6a7b8c9d4', outletId: '6740a1f2c3d4e5f6a7b8c9d2', stock: 12 },
})

type LevelMembers = Readonly<Record<string, any>>
/** Records whose product comes from the variant instead of the request. */
const completed = new WeakSet<object>()

/** The effect of a record's write on its level, or on the two levels between which it moved. */
function changesOf(before: LevelMembers | undefined, after: LevelMembers) {
  const [old, now] = [before, after].map((record) => (record?.isDeleted ? undefined : record))
  if (old && now && old.variantId === now.variantId && old.outletId === now.outletId)
    return old.stock === now.stock ? [] : [{ record: now, previousStock: old.stock, newStock: now.stock, isLive: true }]
  return [
    ...(old ? [{ record: old, previousStock: old.stock, newStock: 0, isLive: false }] : []),
    ...(now ? [{ record: now, previousStock: 0, newStock: now.stock, isLive: true }] : []),
  ]
}

/** The changes of levels in a write of a record. */
const levelsOf = ({ scope, before, after }: RecordChange) =>
  changesOf(before, after).map(({ record, isLive, ...stocks }) => {
    const { id: inventoryId, productId, variantId, outletId } = record
    const stock: number | undefined = isLive ? stocks.newStock : undefined
    return { scope, inventoryId, productId, variantId, outletId, ...stocks, stock, at: after.updatedAt }
  })

/** Updates what the variants show, and puts the changes of managed ones into the history. */
async function tell(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
  const changes = steps.flatMap(levelsOf)
  if (changes.length === 0) return
  // Locked before, except the variant of a record that has moved meanwhile.
  const variants = await holdVariants(transaction, changes, { waits: false })
  await showLevels(transaction, variants, changes)
  const managed = changes.filter(
    (change) => change.newStock !== change.previousStock && variants.get(variantKey(change))?.isManaged,
  )
  await appendHistory(
    transaction,
    managed.map((change) => ({ ...change, kind: 'ADJUSTMENT', reason: undefined })),
  )
}
