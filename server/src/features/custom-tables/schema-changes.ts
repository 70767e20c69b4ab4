// Changes of tables and fields: each with an exclusive lock on its table, checked against existing rows, and reported
// to every server.

import { isId, type RowKey } from '../../core/ids.ts'
import { bodyError, conflict, conflictAt, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import type { Oid } from '../../engine/field.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { ETAG_MEMBER } from '../../engine/record-etag.ts'
import { bodySchema } from '../../engine/schema.ts'
import { customer } from '../../resources/customer.ts'
import { type HeldTable, lockTables } from './locks.ts'
import { purgeLater } from './purge.ts'
import { customTable, customTableField, refusedMember } from './resources.ts'
import { notifySchemaChange, type SchemaCache } from './schema-cache.ts'
import { customers, dangling } from './table.ts'
import { createOne, removeOne, serializedWrites, updateOne, type Work } from './write-batches.ts'

/** Custom tables of a company, and fields of a table: as many as people can still manage. */
const CUSTOM_TABLES = 200
const CUSTOM_FIELDS = 200
/** Earlier names of fields of a table that extends customers: each is remembered, in some 60 bytes. */
export const FORMER_NAMES = 200
/** Tables that may extend customers: with 200 columns each, a company's reference takes half a second to generate. */
export const EXTENDING_TABLES = 50

/** Makes the operations of tables and of fields. */
export function schemaOperations(
  database: Database,
  semaphores: OperationSemaphores,
  schemas: SchemaCache,
): { tables: Operations; fields: Operations } {
  const forget = ({ scope }: Item) => schemas.drop(scope.companyId)
  /** Writes with `own`, the engine's operations, and what else belongs to the change. */
  const serialized = <I extends Item>(
    own: Operations,
    change: (own: Operations, ...args: Parameters<Work<I>>) => Promise<ItemResult>,
  ) =>
    serializedWrites<I>(database, semaphores.contended, (transaction, item) => change(own, transaction, item), forget)
  const tables = operations(customTable, database, semaphores)
  const fields = operations(customTableField, database, semaphores)
  return {
    tables: {
      ...tables,
      create: serialized(tables, createTable),
      update: serialized(tables, updateTable),
      remove: serialized(tables, removeTable),
    },
    fields: {
      ...fields,
      create: serialized(fields, createField),
      update: serialized(fields, updateField),
      remove: serialized(fields, removeField),
    },
  }
}

async function createTable(tables: Operations, transaction: Queryable, item: Item): Promise<ItemResult> {
  const { companyId } = item.scope
  await lockForTransaction(transaction, limitLock(companyId))
  const [row] = await transaction.query('select count(*) from custom_tables where company_id = $1', [companyId])
  if (row?.[0] >= CUSTOM_TABLES)
    return conflict('tables_full', `The company has reached the limit of ${CUSTOM_TABLES} custom tables.`)
  const outcome = await createOne(tables, transaction, item)
  if (!(outcome instanceof Problem)) await notifySchemaChange(transaction, companyId, false)
  return outcome
}

async function updateTable(tables: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  await lockTables(transaction, [{ companyId, id: item.id }], 'alone')
  const outcome = await updateOne(tables, transaction, item)
  if (outcome instanceof Problem) return outcome
  const isExtension = (await linksOf(transaction, companyId, item.id)).length > 0
  const clashing = isExtension ? clash(JSON.parse(outcome.text).name, 'name') : undefined
  if (clashing) return clashing
  await notifySchemaChange(transaction, companyId, isExtension)
  return outcome
}

async function removeTable(tables: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  await lockTables(transaction, [{ companyId, id: item.id }], 'alone')
  const isExtension = (await linksOf(transaction, companyId, item.id)).length > 0
  const outcome = await removeOne(tables, transaction, item)
  if (outcome instanceof Problem) return outcome
  const own = [companyId, item.id]
  await transaction.query('delete from custom_table_fields where company_id = $1 and table_id = $2', own)
  await purgeLater(transaction, companyId, item.id)
  await notifySchemaChange(transaction, companyId, isExtension)
  return outcome
}

const fieldSchema = bodySchema(customTableField)
const fieldReference = ['referenceLinkedCollection', 'referenceLinkedField']

async function createField(fields: Operations, transaction: Queryable, item: Item): Promise<ItemResult> {
  const change = fieldSchema.create(item.value)
  if (change instanceof Problem) return change
  const { companyId } = item.scope
  const id = (change.set.tableId as Oid).$oid
  const held = await lockTables(transaction, [{ companyId, id }], 'alone')
  if (held.size === 0) return refusedMember('tableId', 'is not a custom table of the company')
  const [row] = await transaction.query(
    'select count(*) from custom_table_fields where company_id = $1 and table_id = $2',
    [companyId, id],
  )
  if (row?.[0] >= CUSTOM_FIELDS)
    return conflict('fields_full', `The table has reached the limit of ${CUSTOM_FIELDS} fields.`)
  const outcome = await createOne(fields, transaction, item)
  if (outcome instanceof Problem) return outcome
  const made = JSON.parse(outcome.text)
  const wrong =
    (await wrongLinks(transaction, item.scope, id, made)) ?? (await wrongDefault(transaction, companyId, made))
  if (wrong) return wrong
  await transaction.query(
    `update custom_table_fields as field set since = tables.shape from custom_tables as tables
     where field.company_id = $1 and field.id = $2 and tables.company_id = $1 and tables.id = $3`,
    [companyId, made._id.$oid, id],
  )
  const isExtension = (await linksOf(transaction, companyId, id)).length > 0
  return incrementVersion(transaction, { companyId, id }, outcome, { isExtension })
}

async function updateField(fields: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  const id = (await fieldOf(transaction, companyId, item.id))?.tableId
  if (id === undefined) return updateOne(fields, transaction, item)
  const held = await lockTables(transaction, [{ companyId, id }], 'alone')
  const before = (await fieldOf(transaction, companyId, item.id))?.record
  const outcome = await updateOne(fields, transaction, item)
  if (outcome instanceof Problem || before === undefined) return outcome
  const after = JSON.parse(outcome.text)
  const fixed = ['type', ...fieldReference].filter((member) => after[member] !== before[member])
  if (fixed.length > 0 && (await hasValues(transaction, companyId, item.id))) {
    const message = `This field has values, so its ${fixed.join(' and ')} cannot be changed.`
    return conflict(
      'field_has_values',
      message,
      fixed.map((member) => bodyError(`/${member}`, 'fixed', message)),
    )
  }
  const isLinked = after.referenceLinkedCollection !== before.referenceLinkedCollection
  const wrong =
    (isLinked ? await wrongLinks(transaction, item.scope, id, after) : undefined) ??
    (await wrongDefault(transaction, companyId, after, before))
  if (wrong) return wrong
  const isRenamed = after.name !== before.name
  if (isRenamed && !(await rememberName(transaction, companyId, id, item.id, before.name)))
    return conflict('renames_full', `The field has reached the limit of ${FORMER_NAMES} renames; create another field.`)
  const isExtension = isExtending(held) || after.referenceLinkedCollection === customers
  return incrementVersion(transaction, { companyId, id }, outcome, { isExtension, isRevised: isRenamed })
}

async function removeField(fields: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  const id = (await fieldOf(transaction, companyId, item.id))?.tableId
  const held = await lockTables(transaction, id === undefined ? [] : [{ companyId, id }], 'alone')
  const outcome = await removeOne(fields, transaction, item)
  if (outcome instanceof Problem || id === undefined) return outcome
  await purgeLater(transaction, companyId, id, item.id)
  return incrementVersion(transaction, { companyId, id }, outcome, {
    isExtension: isExtending(held),
    isRevised: true,
  })
}

/** Whether the locked table extends customers. */
const isExtending = (held: ReadonlyMap<string, HeldTable>) => [...held.values()].some(({ isExtension }) => isExtension)

const limitLock = (companyId: string) => `custom tables ${companyId}`

/** A table that extends customers appears under its name in each of them: the name must be free there. */
function clash(name: string, member: string): Problem | undefined {
  // Inherited names too: every object has a constructor.
  if (!(name in customer.fields) && name !== ETAG_MEMBER) return undefined
  const message = `cannot be used: the table extends customers, which have a member ${name} of their own`
  return refusedMember(member, message, 'reserved')
}

/** What is wrong with a table's references to customers after a field is written. */
async function wrongLinks(
  transaction: Queryable,
  { companyId }: Scope,
  tableId: string,
  field: Readonly<Record<string, unknown>>,
): Promise<Problem | undefined> {
  if (field.referenceLinkedCollection !== customers) return undefined
  const links = await linksOf(transaction, companyId, tableId)
  if (links.length > 1) {
    const message = 'The table already has a field that refers to customers.'
    return conflictAt('/referenceLinkedCollection', 'taken', 'customer_field_exists', message)
  }
  await lockForTransaction(transaction, limitLock(companyId))
  const [row] = await transaction.query(
    'select count(*) from custom_table_fields where company_id = $1 and linked = $2',
    [companyId, customers],
  )
  if (row?.[0] > EXTENDING_TABLES)
    return conflict(
      'customer_tables_full',
      `The company has reached the limit of ${EXTENDING_TABLES} tables that refer to customers.`,
    )
  return clash(links[0] as string, 'referenceLinkedCollection')
}

/** Refuses a new default of a reference to a record that does not exist. */
async function wrongDefault(
  transaction: Queryable,
  companyId: string,
  field: Readonly<Record<string, any>>,
  before: Readonly<Record<string, any>> = {},
): Promise<Problem | undefined> {
  const { defaultValue: value, referenceLinkedCollection: collection, referenceLinkedField: member = 'id' } = field
  const isNew = ['defaultValue', ...fieldReference].some((name) => field[name] !== before[name])
  if (!isNew || value === undefined || collection === undefined) return undefined
  const [missing] = await dangling(transaction, [{ companyId, collection, member, value }])
  return missing && refusedMember('defaultValue', `must be the ${member} of an existing record in ${collection}`)
}

/** The name of the table, once for each of its fields that refer to customers. */
async function linksOf(transaction: Queryable, companyId: string, tableId: string): Promise<string[]> {
  if (!isId(tableId)) return []
  const rows = await transaction.query(
    `select stored.name from custom_tables as stored
     join custom_table_fields as field on field.company_id = stored.company_id and field.table_id = stored.id and field.linked = $3
     where stored.company_id = $1 and stored.id = $2`,
    [companyId, tableId, customers],
  )
  return rows.map(([name]) => name)
}

async function fieldOf(transaction: Queryable, companyId: string, fieldId: string) {
  if (!isId(fieldId)) return undefined
  const text = 'select table_id, body from custom_table_fields where company_id = $1 and id = $2'
  const [row] = await transaction.query(text, [companyId, fieldId])
  return row && { tableId: row[0] as string, record: JSON.parse(row[1]) }
}

async function hasValues(transaction: Queryable, companyId: string, fieldId: string): Promise<boolean> {
  const [row] = await transaction.query(
    `select exists (select from custom_table_values as stored
       where stored.company_id = $1 and stored.field_id = $2 and not stored.is_deleted)`,
    [companyId, fieldId],
  )
  return row?.[0]
}

/**
 * Keeps a field's former name if its table extends customers, whose stored columns still use it. False if it has had
 * too many names.
 */
async function rememberName(
  transaction: Queryable,
  companyId: string,
  tableId: string,
  fieldId: string,
  name: string,
): Promise<boolean> {
  if ((await linksOf(transaction, companyId, tableId)).length === 0) return true
  const renamed = await transaction.query(
    `update custom_table_fields as field set former = (field.former::jsonb || ('[[' || $4::text || ',' || tables.shape::text || ']]')::jsonb)::json
     from custom_tables as tables
     where field.company_id = $1 and field.id = $3 and tables.company_id = $1 and tables.id = $2
       and json_array_length(field.former) < $5 returning 1`,
    [companyId, tableId, fieldId, JSON.stringify(name), FORMER_NAMES],
  )
  return renamed.length > 0
}

/** Increments a table's version, and its schema revision if a column was renamed or removed. */
async function incrementVersion(
  transaction: Queryable,
  { companyId, id }: RowKey,
  outcome: ItemResult,
  { isExtension, isRevised = false }: { isExtension: boolean; isRevised?: boolean },
): Promise<ItemResult> {
  await transaction.query(
    'update custom_tables set version = version + 1, shape = shape + $3::int where company_id = $1 and id = $2',
    [companyId, id, isRevised ? 1 : 0],
  )
  await notifySchemaChange(transaction, companyId, isExtension)
  return outcome
}
