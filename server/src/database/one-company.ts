// Where tables are distributed by company: makes each statement name one company, so that it runs on the node that has its rows.

import { distributedTables } from './migrations/distribution.ts'
import { type Queryable, type Row, type Statement, unseenCompany } from './statement.ts'

/** Where the tables of companies are: in one PostgreSQL, or distributed by company over the nodes of a Citus cluster. */
export type DatabaseMode = 'postgresql' | 'citus'

/** A statement that names one company, and the parameter that lists the companies of its items, if it has items. */
interface OneCompany {
  readonly text: string
  readonly list: number | undefined
}

/** The rows of items: `as item(company_id, …)`. Of idempotency keys, the owner is the company or the organization. */
const items = / as \w+ ?\((?:company_id|owner_id)\b/
/** Rows that belong to the company of an item: `stored.company_id = item.company_id`, or `join … using (company_id, id)`. */
const ofItem = /= \w+\.(?:company_id|owner_id)\b/g
const using = /\bjoin (\w+)(?: as (\w+))? using \((company_id|owner_id)\b/g

const known = new Map<string, OneCompany | undefined>()

/**
 * A statement over items, whose rows belong to the company of an item, in the form that names the company itself. The items
 * must be of one company: `byCompany` and batchers (`gathering`) group them. A statement without items already names
 * its company by a parameter. That parameter is also put where a row is joined by the company of another row.
 */
export function ofOneCompany(
  statement: Statement | string,
  values: readonly unknown[] = [],
): readonly [Statement | string, readonly unknown[]] {
  const { name, text } = typeof statement === 'string' ? { name: undefined, text: statement } : statement
  const one = known.has(text) ? known.get(text) : derived(text)
  // Of statements without a name there may be any number.
  if (name !== undefined) known.set(text, one)
  if (one === undefined) return [statement, values]
  if (one.list === undefined)
    return [typeof statement === 'string' ? one.text : { ...statement, text: one.text }, values]
  const companies = new Set(values[one.list - 1] as readonly string[])
  if (companies.size > 1) throw new Error(`The statement ${name ?? text} names several companies.`)
  const [company = ''] = companies
  return [typeof statement === 'string' ? one.text : { ...statement, text: one.text }, [...values, company]]
}

/** Tables that are distributed. Others are at the coordinator, where a statement may name several companies. */
const ofTables = new RegExp(`\\b(?:from|into|join|update) (?:${Object.keys(distributedTables).join('|')})\\b`)

function derived(text: string): OneCompany | undefined {
  if (!ofTables.test(text)) return undefined
  const found = items.exec(text)
  if (found === null) return withOwn(text)
  const before = text.slice(0, found.index)
  const list = /unnest\(\$(\d+)/.exec(before.slice(before.lastIndexOf('from ')))?.[1]
  const company = `$${Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))) + 1}`
  const own = text
    .replace(ofItem, `= ${company}`)
    .replace(
      using,
      (_, table, as = table, column) =>
        `join (select * from ${table} where ${column} = ${company}) as ${as} using (${column}`,
    )
  return list === undefined || own === text ? undefined : { text: own, list: Number(list) }
}

/** The same for a statement without items, whose company is a parameter. The planner sees its value (`unseenCompany`), since the value chooses the node. */
function withOwn(unseen: string): OneCompany | undefined {
  const text = unseen.replaceAll(`company_id = ${unseenCompany}`, 'company_id = $1')
  const [company, another] = new Set([...text.matchAll(/\bcompany_id = (\$\d+)/g)].map(([, parameter]) => parameter))
  if (company === undefined || another !== undefined) return undefined
  const own = text.replace(ofItem, `= ${company}`)
  return own === unseen ? undefined : { text: own, list: undefined }
}

/**
 * The items of each company, with companies in a fixed order; all items together if a statement may name several
 * companies.
 */
export function byCompany<Item>(
  { isSharded }: Pick<Queryable, 'isSharded'>,
  items: readonly Item[],
  companyOf: (item: Item) => string,
): (readonly Item[])[] {
  if (!isSharded) return [items]
  return [...Map.groupBy(items, companyOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => own)
}

/** Companies whose statements run at once outside of a transaction: each waits for another node. */
const AT_ONCE = 4

/** The results of a statement that runs for each company, or for all of them together: see `byCompany`. */
export async function queryByCompany<Item, Result = Row>(
  database: Pick<Queryable, 'isSharded' | 'inTransaction'>,
  items: readonly Item[],
  companyOf: (item: Item) => string,
  query: (own: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const shares = byCompany(database, items, companyOf).entries()
  const rows: (readonly Result[])[] = []
  const work = async () => {
    for (const [n, own] of shares) rows[n] = await query(own)
  }
  await Promise.all(Array.from({ length: database.inTransaction ? 1 : AT_ONCE }, work))
  return rows.flat()
}

/** Items that could not be worked on, and why. */
export interface FailedItems<Item> {
  readonly items: readonly Item[]
  readonly error: unknown
}

/**
 * Works on the items of each company separately, outside of a transaction and in the order of their first items. A failure for
 * one company, for example because its node is down, affects no other. If a statement may name several companies, it works on
 * all items together, and throws what fails.
 */
export async function attemptByCompany<Item>(
  { isSharded }: Pick<Queryable, 'isSharded'>,
  items: readonly Item[],
  companyOf: (item: Item) => string,
  attempt: (own: readonly Item[]) => Promise<void>,
): Promise<FailedItems<Item>[]> {
  const failures: FailedItems<Item>[] = []
  if (!isSharded) {
    await attempt(items)
    return failures
  }
  const shares = Map.groupBy(items, companyOf).values()
  const work = async () => {
    for (const own of shares) await attempt(own).catch((error: unknown) => failures.push({ items: own, error }))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failures
}

/** How a batcher collects the items of its callers: separately for each company if a statement names one company. */
export const gathering = ({ isSharded }: Pick<Queryable, 'isSharded'>) => ({ isByCompany: isSharded })
