// Rows that belong to customers: every writer locks them after their customer, and shows them in the customer's own
// row.

import { RECORD_CHARACTERS } from '../../core/limits.ts'
import type { Queryable } from '../../database/connect.ts'
import { tooLarge } from '../../engine/writing.ts'
import { type HeldRow, inOrder, type LockedRows, lockRows, type Place, placeKey } from './locks.ts'
import { customers } from './references.ts'

/**
 * The row meanwhile belongs to a customer that is not locked: reported as a serialization failure, so that everything
 * is retried.
 */
const movedMeanwhile = (): Error =>
  Object.assign(new Error('A concurrent request gave the row to another customer.'), { code: '40001' })

/** Locks customers until the transaction ends, in the order of all code that writes customers; skips missing ones. */
export async function holdCustomers(transaction: Queryable, places: readonly Place[]): Promise<void> {
  const ordered = inOrder(places)
  if (ordered.length === 0) return
  await transaction.query(
    {
      name: 'customers_hold',
      text: `
      select from unnest($1::text[], $2::text[]) as item(company_id, id)
      join customers as stored on stored.company_id = item.company_id and stored.id = item.id
      order by stored.company_id, stored.id for no key update of stored`,
    },
    [ordered.map(({ companyId }) => companyId), ordered.map(({ id }) => id)],
  )
}

/** The customers that rows currently belong to; locks nothing. */
export async function customersOf(transaction: Queryable, rows: readonly Place[]): Promise<Place[]> {
  if (rows.length === 0) return []
  const found = await transaction.query(
    {
      name: 'custom_rows_customers',
      text: `
      select stored.company_id, stored.linked_id
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_table_rows as stored on stored.company_id = item.company_id and stored.id = item.id
      where stored.linked_by is not null`,
    },
    [rows.map(({ companyId }) => companyId), rows.map(({ id }) => id)],
  )
  return found.map(([companyId, id]) => ({ companyId, id }))
}

/** Locked customers, by `placeKey`. */
type HeldCustomers = ReadonlySet<string>

/** Throws `movedMeanwhile` if a row belongs to a customer that is not locked. */
export function checkHeld(held: HeldCustomers, owners: readonly Place[]): void {
  if (owners.some((owner) => !held.has(placeKey(owner)))) throw movedMeanwhile()
}

/**
 * Locks the customers that rows currently belong to, and `others`; returns them. After locking the rows, the caller
 * must check that they still belong to these customers (`checkHeld`): only then is it certain, and then it is too late
 * to wait for a customer.
 */
export async function holdCustomersOf(
  transaction: Queryable,
  rows: readonly Place[],
  others: readonly Place[] = [],
): Promise<HeldCustomers> {
  const places = [...(await customersOf(transaction, rows)), ...others]
  await holdCustomers(transaction, places)
  return new Set(places.map(placeKey))
}

/** A row to be locked. */
export interface RowPlace extends Place {
  /** Whether it is in a table that extends customers. */
  readonly isExtension: boolean
}

/**
 * Locks rows, and before them the customers that they belong to or will belong to. Throws `movedMeanwhile`. Rows of
 * tables that extend no customers cost no statement for it.
 */
export async function holdRows(
  transaction: Queryable,
  rows: readonly RowPlace[],
  named: readonly Place[],
): Promise<LockedRows> {
  const extending = rows.filter(({ isExtension }) => isExtension)
  const held = await holdCustomersOf(transaction, extending, named)
  const locked = await lockRows(transaction, rows)
  const keys = new Set(extending.map(placeKey))
  checkHeld(
    held,
    [...locked.rows].flatMap(([key, row]) => (keys.has(key) ? ownerOf(row) : [])),
  )
  return locked
}

/** The customer that a locked row belongs to, if any. */
export const ownerOf = ({ companyId, linkedId }: HeldRow): Place[] =>
  linkedId === null ? [] : [{ companyId, id: linkedId }]

/**
 * Updates what customers show of their rows: the columns of their live rows, of all tables that extend customers. It
 * reads the rows as the transaction left them, so call it last, for the old and the new customers; the customers are
 * locked before the rows. The customer's version grows; its record, its times and its events stay. Throws 413 if a
 * customer would show more than a record may hold; removals are never refused.
 */
export async function showRows(transaction: Queryable, owners: readonly Place[]): Promise<void> {
  if (owners.length === 0) return
  const rows = await transaction.query({ name: 'customers_show', text: showing }, [
    RECORD_CHARACTERS,
    owners.map(({ companyId }) => companyId),
    owners.map(({ id }) => id),
    customers,
  ])
  if (rows.some(([isTooLong]) => isTooLong)) throw tooLarge()
}

// The text is made here as customers show it, so that readers need not parse it (`customer-columns.ts`).
const showing = `
  with item as materialized (
    select distinct company_id, customer_id from unnest($2::text[], $3::text[]) as item(company_id, customer_id)
  ), part as materialized (
    select item.company_id, item.customer_id, link.id as link, tables.shape, '{' || coalesce((
        select string_agg(to_json(field.name)::text || ':' || case when field.body ->> 'type' in ('number', 'boolean')
          then cell.value else to_json(cell.value)::text end, ',' order by field.created_at, field.id)
        from json_each_text(own.cells) as cell
        join custom_table_fields as field on field.company_id = item.company_id and field.id = cell.key and field.id <> link.id
      ), '') || '}' as columns
    from item
    join custom_table_fields as link on link.company_id = item.company_id and link.linked = $4
    join custom_tables as tables on tables.company_id = item.company_id and tables.id = link.table_id
    join custom_table_rows as own on own.company_id = item.company_id and own.linked_by = link.id
      and own.linked_id = item.customer_id and own.linked_by is not null and not own.is_deleted
  ), fresh as (
    select item.company_id, item.customer_id, ('{"' || string_agg(part.link || ' ' || part.shape, ',' order by part.link) || '":['
      || string_agg(part.columns, ',' order by part.link) || ']}')::json as shown
    from item left join part on part.company_id = item.company_id and part.customer_id = item.customer_id
    group by item.company_id, item.customer_id
  )
  update customers as stored set version = stored.version + 1, shown = fresh.shown
  from fresh join customers as old on old.company_id = fresh.company_id and old.id = fresh.customer_id
  where stored.company_id = fresh.company_id and stored.id = fresh.customer_id
  returning length(stored.shown::text) > coalesce(length(old.shown::text), 0)
    and length(stored.body::text) + length(stored.shown::text) > $1::int`
