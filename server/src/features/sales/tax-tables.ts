// Which tax table applies to each line of some sales that names no taxes: that of its product, else of its outlet and type.

import { Problem } from '../../core/problem.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan, unseenCompany } from '../../database/statement.ts'
import type { TaxTable, TaxTables } from './amounts/priced-items.ts'
import type { Sale } from './amounts/sale.ts'

/** Tables of a company for products that name none, the oldest first: each is compared with each kind of product. */
const TABLES = 1_000
/** Characters of the tables of one request. A table can be as long as any record, and each line can have a different one. */
const TABLE_CHARACTERS = 16 * 1024 * 1024

// Products that name a table find it by an index. All others of one type have the same table at an outlet, so it is looked
// for once. A product without a record, and what is sold without a product (''), can only get a table that is for all types.
const applying: Statement = {
  name: 'sales_tax_tables',
  text: `
  with asked as materialized (
    select asked.product_id, asked.outlet_id, coalesce(product.tax_table, '') as named, coalesce(product.body ->> 'productType', '') as type
    from unnest($2::text[], $3::text[]) with ordinality as asked(product_id, outlet_id, number)
    left join products as product on product.company_id = ${unseenCompany} and product.id = asked.product_id
    where ${keepsPlan('asked.number')}
  ), meant as materialized (
    select body, created_at, id, nullif(product_types, '[]') as types, nullif(outlet_ids, '[]') as outlets
    from tax_tables
    where company_id = $1
      and (body ->> 'isDefault' = 'true' or nullif(product_types, '[]') is not null or nullif(outlet_ids, '[]') is not null)
    order by created_at, id limit ${TABLES}
  ), kind as materialized (
    select distinct outlet_id, named, type from asked
  ), found as materialized (
    select kind.outlet_id, kind.named, kind.type, applies.id, applies.body
    from kind cross join lateral (
      (
        select own.id, own.body from tax_tables as own
        where kind.named <> '' and own.company_id = $1 and (own.id = kind.named or own.name = kind.named)
          and (nullif(own.outlet_ids, '[]') is null or own.outlet_ids ? kind.outlet_id)
          and (nullif(own.product_types, '[]') is null or own.product_types ? kind.type)
        order by own.id = kind.named desc, nullif(own.outlet_ids, '[]') is not null desc,
          nullif(own.product_types, '[]') is not null desc, own.created_at, own.id
        limit 1
      ) union all (
        select meant.id, meant.body from meant
        where kind.named = '' and (outlets is null or outlets ? kind.outlet_id) and (types is null or types ? kind.type)
        order by outlets is not null desc, types is not null desc, created_at, id
        limit 1
      )
    ) as applies
  )
  select asked.product_id, asked.outlet_id, found.id,
    case row_number() over (partition by found.id) when 1 then found.body::text else '' end
  from asked join found using (outlet_id, named, type)`,
  most: TABLE_CHARACTERS,
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
  if (rows.at(-1)?.at(-1) === null)
    throw new Problem(
      'payload_too_large',
      `The tax tables of the lines have more than ${TABLE_CHARACTERS} characters in total.`,
    )
  // The text of a table is in one of its rows.
  const parsed = new Map(rows.flatMap(([, , id, text]) => (text === '' ? [] : [[id, JSON.parse(text) as TaxTable]])))
  const tables = new Map(rows.map(([product, outlet, id]) => [keyOf(product, outlet), parsed.get(id)]))
  return asked.map(({ products, outletId }) => {
    const own = [...products].map((product) => [product, tables.get(keyOf(product, outletId))] as const)
    return new Map(own.flatMap(([product, table]) => (table ? [[product, table]] : [])))
  })
}

const keyOf = (product: string, outlet: string): string => JSON.stringify([product, outlet])
