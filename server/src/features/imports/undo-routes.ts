// Undoing an import on the wire: what it would do, starting it, what it did, and what it left.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { csvLine } from '../../core/csv-line.ts'
import { isId } from '../../core/ids.ts'
import { SKIP_MAXIMUM } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { requireUndoable } from './changes.ts'
import { noUndoTally, type UndoTally, undoTally } from './import.ts'
import { IMPORT_LEFT_LINES } from './limits.ts'
import { goes, orderStays, remains } from './undo-conditions.ts'

/** Counts of a kind as SQL: the results so far, and the expected results of the rest. */
const counted = (deleted: string, restored: string) => `
  count(*) filter (where coalesce(change.result = 'deleted', false) or (change.result is null and change.was_created and (${deleted})))::int,
  count(*) filter (where coalesce(change.result = 'restored', false) or (change.result is null and not change.was_created and (${restored})))::int,
  count(*)::int`

const of = (kind: string) => `change.company_id = $1 and change.import_id = $2 and change.kind = '${kind}'`
const join = (table: string) =>
  `left join ${table} as stored on stored.company_id = change.company_id and stored.id = change.record_id`
const isSame = 'stored.version = change.version'
/** Of payments and refunds: an order that stays keeps them. */
const isFree = `${isSame} and not ${orderStays('stored.order_id')}`
const level = `left join inventories as level on level.company_id = change.company_id and level.id = change.inventory_id
  and not level.is_deleted`
const isStill = 'change.inventory_id is null or level.version = change.inventory_version'
const isUnmoved = `(change.inventory_id is null or (level.version = change.inventory_version and not change.was_moved))
  and not exists (select from inventories as another where another.company_id = $1 and another.variant_id = change.record_id
    and not another.is_deleted and another.id <> coalesce(change.inventory_id, ''))`
/** Variants of a product that are not deleted before it: others, touched ones, and those whose stock has moved. */
const hasVariantsThatStay = (product: string) => `exists (
  select from variants as own where own.company_id = $1 and own.product_id = ${product} and not exists (
    select from import_changes as change ${level} where ${of('variants')} and change.record_id = own.id
      and change.was_created and change.version = own.version and ${isUnmoved}))`
/**
 * Categories with products that are not deleted before them, and are not set back, which could take them out of the
 * category.
 */
const occupied = `select distinct category from products as held, jsonb_array_elements_text(held.categories) as category
  where held.company_id = $1 and not exists (
    select from import_changes as other where other.company_id = $1 and other.import_id = $2 and other.kind = 'products'
      and other.record_id = held.id and other.version = held.version
      and (other.before::jsonb ? 'categories' or other.was_created and not ${hasVariantsThatStay('held.id')}))`

const statements = {
  variants: `select ${counted(`${isSame} and ${isUnmoved}`, `stored.id is not null and (change.version is null or ${isSame}) and (${isStill})`)},
      count(*) filter (where change.inventory_id is not null and stored.id is not null
        and case when change.was_created then ${isSame} and ${isUnmoved} else ${isStill} end)::int,
      count(*) filter (where change.inventory_id is not null)::int
    from import_changes as change ${join('variants')} ${level} where ${of('variants')}`,
  products: `select ${counted(`${isSame} and not ${hasVariantsThatStay('change.record_id')}`, isSame)}
    from import_changes as change ${join('products')} where ${of('products')}`,
  // A category stays with a product or a category in it. The categories that stay are the inner ones, and all above them.
  categories: `with recursive staying as (
      select own.id, own.parent_id from categories as own where own.company_id = $1
        and (not ${goes('categories', 'own.id', 'own.version')} or own.id in (${occupied}))
      union
      select above.id, above.parent_id from staying
      join categories as above on above.company_id = $1 and above.id = staying.parent_id
    ) select ${counted(`${isSame} and change.record_id not in (select id from staying)`, isSame)}
    from import_changes as change ${join('categories')} where ${of('categories')}`,
  outlets: `select ${counted(isSame, isSame)} from import_changes as change ${join('outlets')} where ${of('outlets')}`,
  customers: `select ${counted(
    `${isSame} and not ${remains('orders', 'customer_id', 'change.record_id')}`,
    isSame,
  )} from import_changes as change ${join('customers')} where ${of('customers')}`,
  orders: `select ${counted(
    `${isSame} and not ${orderStays('change.record_id')}`,
    isSame,
  )} from import_changes as change ${join('orders')} where ${of('orders')}`,
  transactions: `select ${counted(isFree, isSame)} from import_changes as change ${join('transactions')} where ${of('transactions')}`,
  refunds: `select ${counted(
    `${isFree} and not ${remains('transactions', 'refund_id', 'change.record_id')}`,
    isSame,
  )} from import_changes as change ${join('refunds')} where ${of('refunds')}`,
} as const

/**
 * What an undo would do now, or did. A record found to be in use at its turn stays nevertheless. Throws `not_found`,
 * and `conflict` if the import cannot be undone.
 */
export async function readUndo(database: Queryable, scope: Scope, id: string): Promise<string> {
  const { companyId } = scope
  const [row] = isId(id)
    ? await database.query(
        `select undo, state in ('undoing', 'undone') from imports where company_id = $1 and id = $2 and state <> 'sending'`,
        [companyId, id],
      )
    : []
  if (row === undefined) throw notFound('import', id)
  if (row[1]) return JSON.stringify({ ...noUndoTally(), ...(row[0] !== null && JSON.parse(row[0])) })
  await requireUndoable(database, scope, id)
  let tally: UndoTally = noUndoTally()
  for (const [kind, text] of Object.entries(statements)) {
    const [counts] = await database.query(text, [companyId, id])
    const [deleted, restored, all, levels = 0, allLevels = 0] = (counts ?? []) as number[]
    const left = (all ?? 0) - (deleted ?? 0) - (restored ?? 0)
    tally = { ...tally, [kind]: { deleted, restored, left } }
    if (kind === 'variants') tally = { ...tally, stock: { restored: levels, left: allLevels - levels } }
  }
  return JSON.stringify(tally)
}

const singular: Readonly<Record<string, string>> = {
  variants: 'variant',
  products: 'product',
  categories: 'category',
  outlets: 'outlet',
  customers: 'customer',
  orders: 'order',
  transactions: 'transaction',
  refunds: 'refund',
}

/** The header line of the list. */
const leftHeader = 'resource,id,name,reason\n'

/** A record that an undo left, and why. */
export interface LeftRecord {
  readonly resource: string
  readonly id: string
  readonly name?: string
  readonly reason: string
}

/** Records as CSV. */
const leftCsv = (lines: readonly LeftRecord[]): string =>
  leftHeader + lines.map(({ resource, id, name = '', reason }) => csvLine([resource, id, name, reason])).join('')

/** What an undo left, in pages; `next` is the start of the next page. Throws `not_found`. */
export async function readLeft(
  database: Queryable,
  { companyId }: Scope,
  id: string,
  after = 0,
): Promise<{ lines: LeftRecord[]; next: number | undefined }> {
  const [row] = isId(id)
    ? await database.query(`select 1 from imports where company_id = $1 and id = $2 and state <> 'sending'`, [
        companyId,
        id,
      ])
    : []
  if (row === undefined) throw notFound('import', id)
  const rows = await database.query(
    `select number, kind, record_id, name, reason from import_changes
     where company_id = $1 and import_id = $2 and result = 'left' and number > $3 order by number limit ${IMPORT_LEFT_LINES + 1}`,
    [companyId, id, after],
  )
  const page = rows.slice(0, IMPORT_LEFT_LINES)
  const lines = page.map(([, kind, recordId, name, reason]) => ({
    resource: singular[kind] ?? kind,
    id: recordId,
    ...(name !== null && { name }),
    reason: reason ?? '',
  }))
  return { lines, next: rows.length > page.length ? Number(page.at(-1)?.[0]) : undefined }
}

const undoExample = {
  ...noUndoTally(),
  products: { deleted: 14, restored: 3, left: 1 },
  variants: { deleted: 20, restored: 3, left: 1 },
  stock: { restored: 21, left: 1 },
}
const leftExample = `${leftHeader}variant,6740a1f2c3d4e5f6a7b8c9d4,TEE-R,Its stock has moved since the import.\n`

/** The routes that show an undo; `one` is what the routes of an import share. */
export function undoRoutes(
  database: Database,
  lists: FairSemaphore,
  one: Pick<Route, 'surface' | 'tag' | 'path'>,
): Route[] {
  return [
    {
      ...one,
      method: 'GET',
      path: `${one.path}/undo`,
      semaphore: 'none',
      operationId: 'readImportUndo',
      summary: 'Read what an undo would do, or did',
      description:
        'Before the undo: what it would do now; records that change before the undo reaches them stay. After it has begun: what it has done so far.',
      problems: ['not_found', 'conflict'],
      replies: { 200: { description: 'The numbers of records.', schema: undoTally.schema, example: undoExample } },
      handle: async ({ scope, params, isGone }) => ({
        status: 200,
        body: await lists({ tenant: scope.companyId, isGone }, () => readUndo(database, scope, params.id as string)),
      }),
    },
    {
      ...one,
      method: 'GET',
      path: `${one.path}/left`,
      semaphore: 'none',
      operationId: 'readImportLeft',
      summary: 'Read what an undo left',
      description: `A CSV file with each record that was left and the reason: it was changed since the import, its stock has moved, it was already deleted, or other records use it. At most ${IMPORT_LEFT_LINES.toLocaleString('en')} lines per answer; if there are more, the header \`Link\` (RFC 8288) names the next page.`,
      query: {
        after: {
          type: 'integer',
          minimum: 0,
          maximum: SKIP_MAXIMUM,
          description: 'Where the page begins, from the `Link` of the previous page.',
        },
      },
      problems: ['not_found'],
      replies: {
        200: {
          description: 'One line for each record, after the header.',
          contentType: 'text/csv',
          schema: { type: 'string' },
          headers: {
            'Content-Disposition': 'The file name for saving.',
            Link: 'The first page, and the next one if there is one.',
          },
          example: leftExample,
        },
      },
      handle: (call) => leftAnswer(database, lists, call),
    },
  ]
}

async function leftAnswer(
  database: Database,
  lists: FairSemaphore,
  { scope, params, query, path, isGone }: Call,
): Promise<Answer> {
  const id = params.id as string
  const { lines, next } = await lists({ tenant: scope.companyId, isGone }, () =>
    readLeft(database, scope, id, query.after),
  )
  const pages = [
    `<${path}?after=0>; rel="first"`,
    ...(next === undefined ? [] : [`<${path}?after=${next}>; rel="next"`]),
  ]
  return {
    status: 200,
    body: leftCsv(lines),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="import-${id}-left.csv"`, link: pages.join(', ') },
  }
}
