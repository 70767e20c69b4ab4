// What the lines of orders and refunds mean as sums, in SQL: the only place that says which member is which amount.

import { REPORT_LINES } from './limits.ts'

/** Orders that count: those that are neither pending, parked nor cancelled. */
export const isCounted = `status not in ('pending', 'parked', 'cancelled')`

/** The members of a line that amounts are computed from. */
const lineColumns = `"productId" text, "variantId" text, name text, quantity numeric, price numeric,
          "subTotal" numeric, total numeric, "totalTax" numeric, discount json, taxes json`
const customColumns = 'quantity numeric, price numeric, total numeric, "totalTax" numeric, taxes json'
const array = (list: string) => `case json_typeof(${list}) when 'array' then ${list} else '[]' end`

/** Discounts that a line names; read only where its other members do not say enough. */
const named = `(coalesce((discount -> 'itemDiscount' ->> 'amount')::numeric, 0)
          + coalesce((discount -> 'cartDiscount' ->> 'amount')::numeric, 0))`
const ofTaxes = `(select sum(amount) from json_to_recordset(${array('taxes')}) as tax(amount numeric))`
const units = 'coalesce(quantity, 1)'

const amountOf = (json: string) => `coalesce((${json} ->> 'amount')::numeric, 0)`

/**
 * Common table expressions from `record`: `sale`, with the parts of its body, and `read_line`, its lines and custom
 * sales: gross is before discounts, paid after them.
 */
const linesOf = (which: string) => `
    sale as materialized (
      select record.*, parts.*, totals.*, coalesce("isTaxInclusive", false) as is_inclusive
      from (select * from record where ${which}) as record
      cross join lateral json_to_record(record.body) as parts("lineItems" json, "customSales" json, summary json, "cartDiscount" json)
      cross join lateral json_to_record(coalesce(parts.summary, '{}')) as totals(
        "subTotal" numeric, "discountTotal" numeric, "totalTaxes" numeric, "isTaxInclusive" boolean, total numeric, tip json
      )
    ), read_line as materialized (
      select sale.id, coalesce("productId", '') as product, coalesce("variantId", '') as variant, item.name, ${units} as quantity,
        taxes, coalesce(item."subTotal", price * ${units}, item.total + ${named}, 0) as gross,
        coalesce(item.total, coalesce(item."subTotal", price * ${units}, 0) - ${named}) as paid,
        coalesce("totalTax", ${ofTaxes}, 0) as tax
      from sale cross join lateral rows from (
        json_to_recordset(${array('"lineItems"')}) as (${lineColumns})
      ) with ordinality as item(
        "productId", "variantId", name, quantity, price, "subTotal", total, "totalTax", discount, taxes, nth
      )
      where item.nth <= ${REPORT_LINES}
      union all
      select sale.id, '', '', null, ${units}, taxes, coalesce(price * ${units}, item.total, 0),
        coalesce(item.total, price * ${units}, 0), coalesce("totalTax", ${ofTaxes}, 0)
      from sale cross join lateral rows from (
        json_to_recordset(${array('"customSales"')}) as (${customColumns})
      ) with ordinality as item(quantity, price, total, "totalTax", taxes, nth)
      where "customSales" is not null and item.nth <= ${REPORT_LINES}
    )`

const keys = 'number, chunk, moment, currency, outlet, station, session, employee, customer'
const netOf = (paid: string, tax: string) => `${paid} - case when is_inclusive then ${tax} else 0 end`

/**
 * Common table expressions from `record`: `item`, the sums of each line, and of a line without a product for what only
 * the summary has: the tip, and discounts, taxes or amounts that no line has; `whole`, the sums of each order.
 */
export const itemsOfOrders = `${linesOf(isCounted)}, basket as (
      select id, sum(gross - paid) as discount, sum(tax) as tax from read_line group by id
    ), rest as materialized (
      select ${keys}, sale.id, is_inclusive, basket.id is null as is_bare,
        case when basket.id is null then coalesce("subTotal", total + coalesce("discountTotal", 0) - ${amountOf('tip')}
          - case when is_inclusive then 0 else coalesce("totalTaxes", 0) end, 0) else 0 end as gross,
        case when coalesce(discount, 0) = 0 then coalesce("discountTotal", ${amountOf('"cartDiscount"')}) else 0 end as discount,
        case when coalesce(tax, 0) = 0 then coalesce("totalTaxes", 0) else 0 end as tax, ${amountOf('tip')} as tip
      from sale left join basket using (id)
    ), item as (
      select ${keys}, id, product, variant, name, taxes, 1::numeric as count, read_line.gross, read_line.gross - paid as discount,
        ${netOf('paid', 'read_line.tax')} as net, read_line.tax, 0::numeric as tip, quantity
      from read_line join rest using (id)
      union all
      select ${keys}, id, '', '', null, null, is_bare::int, gross, discount, ${netOf('gross - discount', 'tax')}, tax, tip, 0
      from rest where is_bare or (gross, discount, tax, tip) <> (0, 0, 0, 0)
    ), whole as (
      select ${keys}, 1::numeric as count, sum(gross) as gross, sum(discount) as discount, sum(net) as net, sum(tax) as tax,
        sum(tip) as tip, sum(quantity) as quantity
      from item group by ${keys}, id
    )`

/**
 * The same of refunds: what each line pays back, with its tax, and in a line without a product what the refund's total
 * pays back beyond its lines. A custom sale is refunded as a product of this name.
 */
export const itemsOfRefunds = `${linesOf('true')}, line_back as materialized (
      select ${keys}, id, case product when 'custom-sale' then '' else product end as product,
        case product when 'custom-sale' then '' else variant end as variant, taxes,
        abs(paid + case when is_inclusive then 0 else read_line.tax end) as refund
      from read_line join sale using (id)
    ), item as (
      select * from line_back
      union all
      select ${keys}, id, '', '', null, abs(total) - coalesce(lines, 0)
      from sale left join (select id, sum(refund) as lines from line_back group by id) as basket using (id)
      where abs(total) <> coalesce(lines, 0)
    ), whole as (
      select ${keys}, 1::numeric as refund_count, coalesce(sum(refund), 0) as refund from sale left join (
        select id, refund from item
      ) as item using (id) group by ${keys}, id
    )`

/** A common table expression from `item`: each item by its tax rates, with its tax at each. */
export const byRate = (sums: readonly string[]) => `
    rated as (
      select number, chunk, currency, outlet, station, session, employee, customer, product, variant,
        ${sums.map((sum) => (sum === 'tax' ? 'coalesce(amount, tax) as tax' : sum)).join(', ')}, coalesce(trim_scale(percentage)::text, '') as rate
      from item left join lateral (
        select percentage, sum(amount) as amount
        from json_to_recordset(${array('taxes')}) as entry(percentage numeric, amount numeric) group by percentage
      ) as entry on true
    )`
