// The report of what the stock is worth: units on hand by outlet, at cost and at selling prices.

import { currencyDigits } from '../../core/currency.ts'
import { decimalText } from '../../core/exact.ts'
import { type JsonSchema, object, string } from '../../core/json-schema.ts'
import type { Database, Statement } from '../../database/connect.ts'
import { unseenCompany } from '../../database/statement.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { json, type Route } from '../../http/route.ts'
import { reportsTag } from '../reports/documents.ts'

// Reads each variant that has a level: 100,000 in about a second. The planner does not see its company
// (`unseenCompany`): for one that is new to the statistics, it would read all variants for each level.
const valued: Statement = {
  name: 'reports_stock_value',
  text: `
  with level as (
    select level.outlet_id, level.stock, "costPrice" as cost, case when "isOnSale" then "salePrice" else variant_of.price end as price
    from inventories as level
    join variants as variant on variant.company_id = ${unseenCompany} and variant.id = level.variant_id
    cross join lateral json_to_record(variant.body) as variant_of(
      "manageStock" boolean, "costPrice" numeric, price numeric, "salePrice" numeric, "isOnSale" boolean
    )
    where level.company_id = $1 and not level.is_deleted and level.stock > 0 and "manageStock"
  ), summed as (
    select outlet_id, grouping(outlet_id) as is_total, count(*)::int as levels, sum(stock) as units, sum(stock * cost) as cost,
      sum(stock * price) as retail
    from level group by grouping sets ((), (outlet_id))
  )
  select company.currency, summed.outlet_id, outlet.body ->> 'name', levels, units, cost, retail
  from companies as company cross join summed
  left join outlets as outlet on outlet.company_id = $1 and outlet.id = summed.outlet_id
  where company.id = $1 order by is_total desc, cost desc nulls last, outlet_id`,
}

const amount = (description: string): JsonSchema => ({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$', description })
const sums = {
  levels: { type: 'integer', description: 'Variants with stock above zero, counted at each outlet.' },
  units: { type: 'number', description: 'Their units on hand.', examples: [42] },
  cost: amount('Units times `costPrice`. Variants without one add nothing.'),
  retail: amount(
    'Units times the current price: `salePrice` if `isOnSale`, else `price`. Variants without one add nothing.',
  ),
} satisfies Record<string, JsonSchema>
const schema: JsonSchema = object(
  'StockValueReport',
  {
    currency: string('The company’s currency, in which variants have their prices.', 'EUR'),
    totals: {
      title: 'StockValue',
      type: 'object',
      properties: sums,
      required: Object.keys(sums),
      description: 'All outlets together.',
    },
    outlets: {
      type: 'array',
      description: 'A sum for each outlet that has stock, the highest cost first.',
      items: object(
        'OutletStockValue',
        {
          outletId: string('Where the stock is.'),
          outletName: string('Display name of the outlet.'),
          ...sums,
        },
        ['outletId', ...Object.keys(sums)],
      ),
    },
  },
  ['totals', 'outlets'],
)
const some = { levels: 2, units: 14, cost: '86.80', retail: '175.00' }
const example = {
  currency: 'EUR',
  totals: some,
  outlets: [{ outletId: '6740a1f2c3d4e5f6a7b8c9d2', outletName: 'Main Street', ...some }],
}

/** The route. */
export const stockValueRoutes = (database: Database, { lists }: OperationSemaphores): Route[] => [
  {
    method: 'GET',
    surface: 'company',
    tag: reportsTag,
    semaphore: 'none',
    path: '/v1/reports/stock-value',
    operationId: 'reportStockValue',
    summary: 'Read the value of the stock',
    description:
      'The stock of variants whose `manageStock` is true, at cost and at current prices, as of now. Stock below zero counts as zero.',
    replies: { 200: { description: 'The report.', schema, example } },
    handle: async ({ scope: { companyId }, isGone }) => {
      const rows = await lists({ tenant: companyId, isGone }, () => database.query(valued, [companyId]))
      const currency: string | undefined = rows[0]?.[0] ?? undefined
      const amount = (number: string) => decimalText(number, currencyDigits(currency))
      const [totals, ...outlets] = rows.map(([, outletId, outletName, levels, units, cost, retail]) => ({
        ...(outletId !== null && { outletId, outletName: outletName ?? undefined }),
        levels,
        units: Number(decimalText(units ?? '0')),
        cost: amount(cost ?? '0'),
        retail: amount(retail ?? '0'),
      }))
      return json({ currency, totals, outlets })
    },
  },
]
