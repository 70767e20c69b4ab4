// SQL of the sums of a session's orders or refunds: totals, employees, taxes by rate, categories.

import { digitsOfCurrencies } from '../../core/currency.ts'
import { areUnitsNegative, paidBack } from '../../resources/order-sums.ts'
import { recordsOf } from './records.ts'

/** Employees, categories, taxes and payment methods that have entries of their own, those with the most sales: any text is one. */
export const GROUPS_LISTED = 500

const rowsOf = (lines: string, members: string) =>
  `json_to_recordset(case json_typeof(${lines}) when 'array' then ${lines} else '[]' end) as of(${members})`

/** SQL: the currency of a refund's order. With `offset 0` PostgreSQL looks it up by key, however old its statistics are. */
const orderCurrency = `(
      select nullif(sold.currency, '') from orders as sold where sold.company_id = $1 and sold.id = stored.order_id offset 0
    )`

/** SQL: an amount of a summary; of a refund, as it pays back. */
const amountSql = (amount: string, table: 'orders' | 'refunds'): string =>
  table === 'refunds' ? paidBack(amount, total) : amount
const total = `coalesce((summary ->> 'total')::numeric, 0)`
const tip = `coalesce((summary -> 'tip' ->> 'amount')::numeric, 0)`
const shipping = `coalesce((summary ->> 'shippingTotal')::numeric, 0)`
/** SQL: the taxes of a summary, which may only name them one by one. */
const totalTaxes = `coalesce((summary ->> 'totalTaxes')::numeric,
        (select sum(amount) from ${rowsOf(`(summary -> 'taxes')`, 'amount numeric')}), 0)`

/** SQL: what a line without a total costs before its discounts, in units of its currency. */
const undiscounted = `coalesce(sub_total, round(price * coalesce(quantity, 1), case currency ${[...digitsOfCurrencies].map(([code, digits]) => `when '${code}' then ${digits}`).join(' ')} else 2 end))`
const discountSql = (name: string) => `coalesce((discount -> '${name}' ->> 'amount')::numeric, 0)`

/** SQL: what a line of a refund pays back, with its tax. */
const lineWorth = `total + case when is_inclusive then 0
        else coalesce(total_tax, (select sum(amount) from ${rowsOf('taxes', 'amount numeric')}), 0) end`

/**
 * SQL: 1, or -1 for lines of a refund that was written as a record with negative lines, as in `itemsOfRefund` of reports; and
 * whether their quantities are negative too, as on orders. Otherwise negative lines are goods that the customer gave in exchange. A session
 * has many lines of orders: they are not sorted for this.
 */
const signsSql = (table: 'orders' | 'refunds'): string =>
  table === 'orders'
    ? '1 as sign, false as is_negated'
    : `case when sum(${lineWorth}) over (partition by id) < 0
        and (bool_or(place is null) over (partition by id) or (summary ->> 'total')::numeric < 0) then -1 else 1 end as sign,
        ${areUnitsNegative('quantity', 'coalesce(nullif(total, 0), price * quantity, 0)', '(partition by id)')} as is_negated`

/** SQL: the sum of fees, one or a list, of which any JSON is stored. */
const feesIn = (fees: string): string => `case when ${fees} is null then 0 else coalesce((
          select sum((one ->> 'amount')::numeric)
          from json_array_elements(case json_typeof(${fees}) when 'array' then ${fees} else json_build_array(${fees}) end) as of(one)
          where one ->> 'amount' ~ '^-?[0-9]{1,15}([.][0-9]{1,6})?$'
        ), 0) end`

/**
 * SQL: `goods`, what the lines of each order come to; and `contained`, the orders that do not say whether their prices contain the tax and add up only if they do, as in `itemsOfOrder` of
 * reports. Discounts that only the summary names may be in the lines or not, and so may its taxes.
 */
const containedSql = `goods as materialized (
    select id, bool_and(is_inclusive is null) as is_open, sum(total + ${feesIn('fee')}) as worth,
      nullif(sum(coalesce(total_tax, (select sum(amount) from ${rowsOf('taxes', 'amount numeric')}), 0)), 0) as of_lines
    from line group by id
  ), contained as materialized (
    select id from (
      select record.id, of_lines, nullif(${totalTaxes}, 0) as of_summary,
        worth + ${feesIn('fees')} + ${tip} + ${shipping} - (summary ->> 'total')::numeric as more,
        array[0, coalesce((summary ->> 'discountTotal')::numeric, 0), coalesce((cart_discount ->> 'amount')::numeric, 0)] as discounts
      from record join goods on goods.id = record.id
      where is_open
    ) as read
    where more = any (discounts)
      and more + coalesce(of_lines, of_summary) <> all (discounts) and more + coalesce(of_summary, of_lines) <> all (discounts)
  )`

/**
 * SQL: `tax`, those of lines (`line_tax`), and what the taxes of a summary have beyond them, such as the tax on delivery, if these
 * add up to its total. Their names are those of lines with the same rate, so that they count there.
 */
const taxSql = (table: 'orders' | 'refunds'): string => {
  const taxes = amountSql(totalTaxes, table)
  // In a refund with negative amounts, those of goods that were given in exchange are positive.
  const sign =
    table === 'refunds' ? `case when refunded < 0 and sum(amount) over (partition by id) < 0 then -1 else 1 end * ` : ''
  return `lined as (
    select id, sum(amount) as of_lines from line_tax group by id
  ), named_tax as materialized (
    select id, currency, is_late, name, percentage, amount, is_alone, sum(amount) over (partition by id) = total as is_whole
    from (
      select id, currency, is_late, name, percentage, is_alone, total, ${sign}amount as amount
      from (
        select record.id, currency, is_late, name, percentage, coalesce(amount, 0) as amount, ${total} as refunded,
          ${taxes} as total, of_lines is null as is_alone
        from record left join lined on lined.id = record.id
        cross join lateral (select summary -> 'taxes' as taxes offset 0) as whole
        cross join lateral ${rowsOf('taxes', 'name text, percentage numeric, amount numeric')}
        where of_lines is null or of_lines <> ${taxes}
      ) as named
    ) as signed
  ), tax as (
    select * from line_tax
    union all
    select id, currency, is_late, name, percentage, amount, null from named_tax where is_alone
    union all
    select id, currency, is_late, coalesce(max(name) filter (where is_of_line), max(name)), percentage, sum(amount), null
    from (
      select id, currency, is_late, name, percentage, amount, false as is_of_line from named_tax where is_whole and not is_alone
      union all
      select id, currency, is_late, name, percentage, -amount, true from line_tax
      where id in (select id from named_tax where is_whole and not is_alone)
    ) as beyond
    group by id, currency, is_late, percentage having sum(amount) <> 0`
}

/**
 * SQL of the sums of orders or refunds: totals, employees, taxes and categories. `currency` is the placeholder of the company's, and `read`
 * that of a JSON object with the JSON of orders that are summed as they are read.
 */
export const saleSql = (picked: string, table: 'orders' | 'refunds', currency: string, read: string): string => `
  with ${picked}, record as materialized (
    select stored.id, coalesce(nullif(stored.currency, ''), ${table === 'refunds' ? orderCurrency : 'null'}, ${currency}) as currency, picked.is_late,
      ${table === 'orders' ? 'stored.employee' : 'stored.refunded_by'} as employee,
      summary, "lineItems" as lines, "customSales" as customs, "cartFees" as fees, "cartDiscount" as cart_discount
    from ${recordsOf(table)}
    -- One row, of which PostgreSQL expects a hundred: it expects two records of a new session, and would join many without a hash.
    cross join json_array_elements('[0]') as many
    -- Each body is parsed once.
    cross join lateral json_to_record(${table === 'orders' ? `coalesce((${read}::jsonb ->> stored.id)::json, body)` : 'body'}) as members(summary json, "lineItems" json, "customSales" json, "cartFees" json, "cartDiscount" json)
  ), listed as (
    select row_number() over () as number, record.id, currency, is_late, summary, product_id, place, coalesce(quantity, 1) as quantity,
      coalesce(total, ${undiscounted} - ${discountSql('itemDiscount')} - ${discountSql('cartDiscount')}, 0) as total, price, total_tax, taxes, fee, discount, summary ->> 'isTaxInclusive' = 'true' as is_inclusive
    from record cross join lateral (
      select "productId", position, quantity, total, price, "subTotal", "totalTax", taxes, fee, discount
      from ${rowsOf('lines', '"productId" text, "position" text, quantity numeric, total numeric, price numeric, "subTotal" numeric, "totalTax" numeric, taxes json, fee json, discount json')}
      union all
      select null, '', quantity, total, price, null, "totalTax", taxes, null, null
      from ${rowsOf('customs', 'quantity numeric, total numeric, price numeric, "totalTax" numeric, taxes json')}
    ) as of(product_id, place, quantity, total, price, sub_total, total_tax, taxes, fee, discount)
  ), line as materialized (
    select number, id, currency, is_late, product_id, sign * total as total, total_tax, taxes, fee, discount, is_inclusive, sign,
      case when sign < 0 and is_negated then -quantity else quantity end as quantity
    from (select *, ${signsSql(table)} from listed) as listed
  ), ${table === 'orders' ? `${containedSql}, ` : ''}line_tax as materialized (
    select id, currency, is_late, name, percentage, sign * coalesce(amount, 0) as amount,
      total - case when is_inclusive${table === 'orders' ? ' or id in (select id from contained)' : ''} then sum(sign * coalesce(amount, 0)) over (partition by number) else 0 end as net
    from line cross join lateral ${rowsOf('taxes', 'name text, percentage numeric, amount numeric')}
  ), ${taxSql(table)}
  ), sold as (
    select currency, is_late, product_id, sum(quantity) as quantity, sum(total) as total from line group by 1, 2, 3
  ), grouped as (
    select currency, is_late, 'total' as kind, null as key, null as name, count(*)::numeric as count,
      sum(${amountSql(total, table)}) as amount,
      sum(coalesce((summary ->> 'discountTotal')::numeric, 0)) as second, sum(${table === 'orders' ? `coalesce(nullif(${totalTaxes}, 0), of_lines, 0)` : '0'}) as third,
      sum(${amountSql(tip, table)}) as fourth,
      sum(${amountSql(shipping, table)}) as fifth,
      sum(${amountSql(`${total} + coalesce((summary ->> 'cashRounding')::numeric, 0)`, table)} - ${amountSql(total, table)}) as sixth
    from record${table === 'orders' ? ' left join goods on goods.id = record.id' : ''} group by 1, 2
    union all
    select currency, is_late, 'employee', nullif(employee, ''), null, count(*)::numeric,
      sum(${amountSql(total, table)}), 0, 0, 0, 0, 0
    from record group by 1, 2, 4
    union all
    select currency, is_late, 'tax', percentage::text, name, 0, sum(amount), coalesce(sum(net), 0), 0, 0, 0, 0
    from tax group by 1, 2, percentage, name
    union all
    select sold.currency, sold.is_late, 'category', category.id, category.name, sum(sold.quantity), sum(sold.total), 0, 0, 0, 0, 0
    from sold
    left join products as product on product.company_id = $1 and product.id = sold.product_id
    left join categories as category on category.company_id = $1 and category.id = product.body -> 'categories' ->> 0
    group by 1, 2, 4, 5
  )
  select currency, is_late, kind,
    case when nth <= ${GROUPS_LISTED} then key end as key, case when nth <= ${GROUPS_LISTED} then name end as name,
    sum(count), sum(amount), sum(second), sum(third), sum(fourth), sum(fifth), sum(sixth)
  from (
    select *, row_number() over (partition by currency, is_late, kind order by amount desc, key) as nth from grouped
  ) as numbered
  group by 1, 2, 3, 4, 5`
