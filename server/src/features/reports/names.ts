// What the records of groups are called: by the records, or by lines of orders where goods have none.
import { timeOf } from '../../core/local-days.ts'
import type { Row, Statement } from '../../database/connect.ts'
import { account } from '../../resources/account.ts'
import { customer } from '../../resources/customer.ts'
import { variantName } from '../../resources/variant.ts'
import { sizeOf } from '../events/pages.ts'
import type { Snapshot } from './answer.ts'
import type { Dimension, Grouping } from './dimensions.ts'
import { rowsOfIds } from './group-lookups.ts'
import type { Group } from './groups.ts'
import { momentColumn } from './sums/sources.ts'

/** What a record of a dimension is called. */
interface Naming {
  /** The members that have it, in the order of the columns that the statement returns after the id. */
  readonly members: readonly NameMember[]
  /** Selects them for the records $2. */
  readonly text: string
  /** The resource that a key must reach to see names of people. */
  readonly resource?: string
}

/** The members with names, as the reference describes them. */
// biome-ignore format: a table
export const nameMembers = {
  outletName: 'Name of the outlet of `outletId`; without `outletId`, the outlet of the station.',
  stationName: 'Display name of the station.',
  sessionNumber: 'The number that the till gave the session.',
  openTime: '`openTime` of the session, or else its `createdAt`.',
  employeeName: '`name` of the account, or else its e-mail address. Only for keys that can read accounts.',
  categoryName: 'Display name of the category.',
  productName: 'Name of the product; without `productId`, the product of the variant. If there is no record, the name in its last line among the last 5,000 orders of the period.',
  variantName: 'The values of the variant’s attributes.',
  sku: '`sku` of the variant; if the variant has no record, that of the same line.',
  customerName: '`firstName` and `lastName` of the customer, also of a deleted one, or else the e-mail address or phone number. Only for keys that can read customers.',
} as const
type NameMember = keyof typeof nameMembers
/** Names that records of two dimensions have: they are those of this one, if it is among the dimensions. */
const ownerOf: Partial<Record<NameMember, Dimension>> = { outletName: 'outletId', productName: 'productId' }

const plain = (table: string) => `select id, name from ${table} where company_id = $1 and id = any($2)`
const namings: Partial<Record<Dimension, Naming>> = {
  outletId: { members: ['outletName'], text: plain('outlets') },
  stationId: {
    members: ['stationName', 'outletName'],
    text: `
      select station.id, station.name, outlet.name from stations as station
      left join outlets as outlet on outlet.company_id = $1 and outlet.id = station.outlet_id
      where station.company_id = $1 and station.id = any($2)`,
  },
  sessionId: {
    members: ['sessionNumber', 'openTime'],
    text: `select id, session_number, coalesce(nullif(open_time, ''), created_at) from sessions where company_id = $1 and id = any($2)`,
  },
  employee: {
    members: ['employeeName'],
    text: `select id, coalesce(nullif(name, ''), email) from accounts where company_id = $1 and id = any($2)`,
    resource: account.name.one,
  },
  categoryId: { members: ['categoryName'], text: plain('categories') },
  productId: { members: ['productName'], text: plain('products') },
  variantId: {
    members: ['productName', 'variantName', 'sku'],
    text: `
      select variant.id, product.name, variant.body -> 'attributes', variant.sku from variants as variant
      left join products as product on product.company_id = $1 and product.id = variant.product_id
      where variant.company_id = $1 and variant.id = any($2)`,
  },
  customerId: {
    members: ['customerName'],
    text: `
      select id, coalesce(nullif(concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')), ''), nullif(email, ''), phone)
      from customers where company_id = $1 and id = any($2)`,
    resource: customer.name.one,
  },
}

/** The dimensions whose records a caller sees by id alone. */
export const unnamedOf = ({ by }: Grouping, mayUse: (resource: string) => boolean): readonly Dimension[] =>
  by.filter((dimension) => {
    const resource = namings[dimension]?.resource
    return resource !== undefined && !mayUse(resource)
  })

/** The names of records by id, in the order of the members. */
type Names = Map<string, readonly (string | null)[]>

const rowNames = (dimension: Dimension, [, ...names]: Row): (string | null)[] =>
  dimension === 'variantId' ? [names[0], variantName(names[1]) ?? null, names[2]] : names

/**
 * Orders in which a report looks for names of products without a record, some 10 ms; then those in which it looks for
 * what is left, at last some 0.1 s; and characters of such an order.
 */
const REPORT_NAMING_ORDERS = [200, 1_000, 5_000]
const REPORT_NAMING_CHARACTERS = 64 * 1024

/** The member of a line that names its product or its variant. */
type LineReference = 'productId' | 'variantId'

/** The names and SKUs in the newest lines of products or variants, among the last $5 orders from the moment $3 to before $4. */
const namedLines = (member: LineReference): Statement => ({
  name: `reports_line_names_${member}`,
  text: `
  select distinct on (id) id, name, sku
  from (
    select moment, line ->> '${member}' as id, line ->> 'name' as name, line ->> 'sku' as sku
    from (
      select ${momentColumn} as moment, body -> 'lineItems' as lines
      from orders as stored
      where company_id = $1 and ${momentColumn} >= $3 and ${momentColumn} < $4 and ${sizeOf('body')} < ${REPORT_NAMING_CHARACTERS}
      order by 1 desc limit $5
    ) as newest
    cross join lateral json_array_elements(case json_typeof(lines) when 'array' then lines else '[]' end) as line
  ) as line
  where id in (select unnest($2::text[])) and name <> '' order by id, moment desc`,
})

/** Adds the names of goods without a record: those of their newest lines in the last orders, also in the period before. */
async function addLineNames({ query, period }: Snapshot, member: LineReference, ids: readonly string[], names: Names) {
  const since = timeOf(period.previous?.first ?? period.first)
  for (const orders of REPORT_NAMING_ORDERS) {
    const unknown = ids.filter((id) => !names.get(id)?.[0])
    if (unknown.length === 0) return
    for (const [id, name, sku] of await query(namedLines(member), unknown, since, timeOf(period.end), orders)) {
      const [, ...others] = names.get(id) ?? [null, null, sku]
      names.set(id, [name, ...others])
    }
  }
}

/** Reads the names of a dimension's records: one statement for 2,000 records, and for goods without a record, their lines. */
export async function namesOf(snapshot: Snapshot, dimension: Dimension, ids: readonly string[]): Promise<Names> {
  const text = namings[dimension]?.text
  const rows =
    text === undefined ? [] : await rowsOfIds(snapshot.query, { name: `reports_names_${dimension}`, text }, ids)
  const names: Names = new Map(rows.map((row) => [row[0], rowNames(dimension, row)]))
  if (dimension === 'productId' || dimension === 'variantId') await addLineNames(snapshot, dimension, ids, names)
  return names
}

/** A column of groups. */
interface GroupColumn {
  readonly name: string
  readonly of: (group: Group) => string | number | null
}

/** The columns of the dimensions, with the names of their records except for the dimensions `unnamed`; a name is null where there is none. */
export async function groupColumns(
  snapshot: Snapshot,
  { by }: Grouping,
  groups: readonly Group[],
  unnamed: readonly Dimension[],
): Promise<GroupColumn[]> {
  const columns: GroupColumn[] = []
  for (const [place, dimension] of by.entries()) {
    const keyOf = ({ values }: Group) => values[place] ?? null
    columns.push({ name: dimension, of: keyOf })
    const naming = namings[dimension]
    if (naming === undefined || unnamed.includes(dimension)) continue
    const ids = [...new Set(groups.map(keyOf))].filter((id) => typeof id === 'string')
    const names = await namesOf(snapshot, dimension, ids)
    for (const [n, name] of naming.members.entries()) {
      const owner = ownerOf[name] ?? dimension
      if (owner !== dimension && by.includes(owner)) continue
      columns.push({ name, of: (group) => names.get(String(keyOf(group)))?.[n] || null })
    }
  }
  return columns
}
