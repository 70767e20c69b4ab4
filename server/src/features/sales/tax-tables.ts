// Which tax table applies to each line of some sales that names no taxes: that of its product, else of its outlet and type.

import type { Queryable, Statement } from '../../database/connect.ts'
import type { TaxTable, TaxTables } from './priced-items.ts'
import type { Sale } from './sale.ts'

/** Tables of a company that are considered, the oldest first: each is compared with each product. */
const TABLES = 1_000

// A product without a record, and what is sold without a product (''), can only get a table that is for all types.
const applying: Statement = {
  name: 'sales_tax_tables',
  text: `
  with own as materialized (
    select id, name, body, created_at, nullif(product_types, '[]') as types, nullif(outlet_ids, '[]') as outlets,
      coalesce(body ->> 'isDefault' = 'true', false) as is_default
    from tax_tables where company_id = $1 order by created_at, id limit ${TABLES}
  )
  select asked.product_id, asked.outlet_id, applies.body::text
  from unnest($2::text[], $3::text[]) as asked(product_id, outlet_id)
  left join products as product on product.company_id = $1 and product.id = asked.product_id
  cross join lateral (
    select own.body from own
    where (own.outlets is null or own.outlets ? asked.outlet_id)
      and (own.types is null or own.types ? (product.body ->> 'productType'))
      and case when product.tax_table <> '' then product.tax_table in (own.id, own.name)
        else own.is_default or own.outlets is not null or own.types is not null end
    order by own.id = product.tax_table desc, own.outlets is not null desc, own.types is not null desc, own.created_at, own.id
    limit 1
  ) as applies`,
}

/** The tax tables of each sale, by product. Lines with taxes of their own need none. */
export async function taxTablesOf(
  database: Queryable,
  companyId: string,
  sales: readonly Sale[],
): Promise<readonly TaxTables[]> {
  const asked = sales.map(({ lineItems = [], customSales = [], outletId = '' }) => {
    const products = lineItems.flatMap(({ taxes, productId = '' }) => (taxes === undefined ? productId : []))
    const isCustom = customSales.some(({ taxes, applyTaxes }) => taxes === undefined && applyTaxes === true)
    return { products: new Set([...products, ...(isCustom ? [''] : [])]), outletId }
  })
  const pairs = new Map(
    asked.flatMap(({ products, outletId }) =>
      [...products].map((product) => [keyOf(product, outletId), [product, outletId]]),
    ),
  )
  if (pairs.size === 0) return sales.map(() => new Map())
  const all = [...pairs.values()]
  const rows = await database.query(applying, [
    companyId,
    all.map(([product]) => product),
    all.map(([, outlet]) => outlet),
  ])
  const parsed = new Map<string, TaxTable>()
  const tables = new Map<string, TaxTable>()
  for (const [product, outlet, text] of rows) {
    const table = parsed.get(text) ?? (JSON.parse(text) as TaxTable)
    parsed.set(text, table)
    tables.set(keyOf(product, outlet), table)
  }
  return asked.map(({ products, outletId }) => {
    const own = [...products].map((product) => [product, tables.get(keyOf(product, outletId))] as const)
    return new Map(own.flatMap(([product, table]) => (table ? [[product, table]] : [])))
  })
}

const keyOf = (product: string, outlet: string): string => JSON.stringify([product, outlet])
