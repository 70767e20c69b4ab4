// Inventory: how much of a variant lies at an outlet.
import { flag, quantity, reference, required, serverOwned } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

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
  async prepare(database, drafts) {
    const without = drafts.filter(({ record }) => record.productId === undefined)
    if (without.length === 0) return
    const rows = await database.query(
      `select item.ordinality::int, variant.product_id
       from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
       join variants as variant on variant.company_id = item.company_id and variant.id = item.id`,
      [without.map(({ scope }) => scope.companyId), without.map(({ record }) => record.variantId)],
    )
    for (const [ordinal, productId] of rows) Object.assign(without[ordinal - 1]?.record ?? {}, { productId })
  },
  raises: (now, before) => (now.stock !== before?.stock ? ['inventory.stock_changed'] : []),
  unique: ['variantId', 'outletId'],
  conflict: 'There is a live inventory record of this variant at this outlet already.',
  remove: 'soft',
  list: { sort: ['stock'], exact: ['productId', 'variantId', 'outletId'] },
  styleA: null,
  styleB: { one: 'inventory', many: 'inventories' },
  example: { variantId: '6740a1f2c3d4e5f6a7b8c9d4', outletId: '6740a1f2c3d4e5f6a7b8c9d2', stock: 12 },
})
