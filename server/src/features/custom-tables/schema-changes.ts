// Changes of tables and fields: each with an exclusive lock on its table, checked against existing rows, and reported
// to every server.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { isId, type RowKey } from '../../core/ids.ts'
import { bodyError, conflict, conflictAt, orThrow, Problem } from '../../core/problem.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import type { Oid } from '../../engine/field.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { ETAG_MEMBER } from '../../engine/record-etag.ts'
import { bodySchema } from '../../engine/schema.ts'
import { customer } from '../../resources/customer.ts'
import { type HeldTable, lockKey, lockTables } from './locks.ts'
import { purgeLater } from './purge.ts'
import { customTable, customTableField, refusedMember } from './resources.ts'
import { notifySchemaChange, type SchemaCache } from './schema-cache.ts'
import { customers, dangling } from './table.ts'

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
  /** Writes with `own`, the engine's operations, and what else belongs to the change. */
  const serialized = <I extends Item>(
    own: Operations,
    change: (own: Operations, ...args: Parameters<Work<I>>) => Promise<ItemResult>,
  ) =>
    serializedWrites<I>(database, semaphores.contended, change.bind(undefined, own), ({ scope }) =>
      schemas.drop(scope.companyId),
    )
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

/** The work of one item, in its transaction; a Problem, thrown or returned, rolls it back. */
type Work<I extends Item> = (transaction: Queryable, item: I) => Promise<ItemResult>

/**
 * Makes an operation for single items of such work. Those of a company run one after the other, since schemas change rarely. If an
 * item's caller is gone when its turn comes, it does not begin (503). `done` is called once the change is committed, before the answer.
 */
export const serializedWrites =
  <I extends Item>(database: Database, contended: FairSemaphore, work: Work<I>, done: (item: I) => void) =>
  (item: I): Promise<ItemResult> =>
    contended({ tenant: item.scope.companyId, isGone: item.isGone ?? never, kind: 'schema' }, () =>
      retriedTransaction(database, async (transaction) => orThrow(await work(transaction, item))).finally(() =>
        done(item),
      ),
    )
const never = () => false

/** The result of one item of the engine's own operation. */
const only = async (results: Promise<ItemResult[]>): Promise<ItemResult> => (await results)[0] as ItemResult

async function createTable(tables: Operations, transaction: Queryable, item: Item): Promise<ItemResult> {
  const { companyId } = item.scope
  await lockForTransaction(transaction, limitLock(companyId))
  const [row] = await transaction.query('select count(*) from custom_tables where company_id = $1', [companyId])
  if (row?.[0] >= CUSTOM_TABLES)
    return conflict(
      'tables_full',
      `The company has reached the limit of ${CUSTOM_TABLES} custom tables; delete one first.`,
    )
  const outcome = await only(tables.createMany([item], transaction))
  if (!(outcome instanceof Problem)) await notifySchemaChange(transaction, companyId, false)
  return outcome
}

async function updateTable(tables: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  const isExtension = (await lockTable(transaction, companyId, item.id))?.isExtension === true
  const outcome = await only(tables.updateMany([item], transaction))
  if (outcome instanceof Problem) return outcome
  const clashing = isExtension ? clash(JSON.parse(outcome.text).name, 'name') : undefined
  if (clashing) return clashing
  await notifySchemaChange(transaction, companyId, isExtension)
  return outcome
}

async function removeTable(tables: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  const isExtension = (await lockTable(transaction, companyId, item.id))?.isExtension === true
  const outcome = await only(tables.removeMany([item], transaction))
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
  const held = await lockTable(transaction, companyId, id)
  if (held === undefined) return refusedMember('tableId', 'is not a custom table of the company')
  const [row] = await transaction.query(
    'select count(*) from custom_table_fields where company_id = $1 and table_id = $2',
    [companyId, id],
  )
  if (row?.[0] >= CUSTOM_FIELDS)
    return conflict('fields_full', `The table has reached the limit of ${CUSTOM_FIELDS} fields; delete one first.`)
  const outcome = await only(fields.createMany([item], transaction))
  if (outcome instanceof Problem) return outcome
  const made = JSON.parse(outcome.text)
  const isLinked = made.referenceLinkedCollection === customers
  const wrong =
    (isLinked ? await wrongLink(transaction, companyId, held) : undefined) ??
    (await wrongDefault(transaction, companyId, made))
  if (wrong) return wrong
  await transaction.query(
    `update custom_table_fields as field set since = tables.shape from custom_tables as tables
     where field.company_id = $1 and field.id = $2 and tables.company_id = $1 and tables.id = $3`,
    [companyId, made._id.$oid, id],
  )
  return incrementVersion(transaction, { companyId, id }, outcome, { isExtension: held.isExtension || isLinked })
}

async function updateField(fields: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  const id = (await fieldOf(transaction, companyId, item.id))?.tableId
  if (id === undefined) return only(fields.updateMany([item], transaction))
  const held = await lockTable(transaction, companyId, id)
  const before = (await fieldOf(transaction, companyId, item.id))?.record
  const outcome = await only(fields.updateMany([item], transaction))
  if (outcome instanceof Problem || held === undefined || before === undefined) return outcome
  const after = JSON.parse(outcome.text)
  const fixed = ['type', ...fieldReference].filter((member) => after[member] !== before[member])
  if (fixed.length > 0 && (await hasValues(transaction, companyId, item.id))) {
    const message = `This field has values, so its ${fixed.join(' and ')} cannot be changed.`
    const errors = fixed.map((member) => bodyError(`/${member}`, 'fixed', message))
    return conflict('field_has_values', message, errors)
  }
  const isLinked = after.referenceLinkedCollection === customers
  const isNewlyLinked = isLinked && before.referenceLinkedCollection !== customers
  const wrong =
    (isNewlyLinked ? await wrongLink(transaction, companyId, held) : undefined) ??
    (await wrongDefault(transaction, companyId, after, before))
  if (wrong) return wrong
  const isRenamed = after.name !== before.name
  // What customers show is stored under the former name.
  if (isRenamed && held.isExtension && !(await rememberName(transaction, companyId, item.id, before.name)))
    return conflict('renames_full', `The field has reached the limit of ${FORMER_NAMES} renames; create another field.`)
  const isExtension = held.isExtension || isLinked
  return incrementVersion(transaction, { companyId, id }, outcome, { isExtension, isRevised: isRenamed })
}

async function removeField(fields: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> {
  const { companyId } = item.scope
  const id = (await fieldOf(transaction, companyId, item.id))?.tableId
  const held = id === undefined ? undefined : await lockTable(transaction, companyId, id)
  const outcome = await only(fields.removeMany([item], transaction))
  if (outcome instanceof Problem || id === undefined) return outcome
  await purgeLater(transaction, companyId, id, item.id)
  const isExtension = held?.isExtension === true
  return incrementVersion(transaction, { companyId, id }, outcome, { isExtension, isRevised: true })
}

/** Locks a table to change it; undefined if there is none. */
const lockTable = async (transaction: Queryable, companyId: string, id: string): Promise<HeldTable | undefined> =>
  (await lockTables(transaction, [{ companyId, id }], 'alone')).get(lockKey({ companyId, id }))

const limitLock = (companyId: string) => `custom tables ${companyId}`

/** A table that extends customers appears under its name in each of them: the name must be free there. */
function clash(name: string, member: string): Problem | undefined {
  // Inherited names too: every object has a constructor.
  if (!(name in customer.fields) && name !== ETAG_MEMBER) return undefined
  const message = `cannot be used: the table extends customers, which have a member ${name} of their own`
  return refusedMember(member, message, 'reserved')
}

/** What is wrong with a first reference to customers, after its field is written. */
async function wrongLink(transaction: Queryable, companyId: string, held: HeldTable): Promise<Problem | undefined> {
  if (held.isExtension) {
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
      `The company has reached the limit of ${EXTENDING_TABLES} tables that refer to customers; delete one of them, or its field that refers to customers, first.`,
    )
  return clash(held.name, 'referenceLinkedCollection')
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

/** Keeps a field's former name. False if it has had too many names. */
async function rememberName(
  transaction: Queryable,
  companyId: string,
  fieldId: string,
  name: string,
): Promise<boolean> {
  const renamed = await transaction.query(
    `update custom_table_fields as field set former = (field.former::jsonb || ('[[' || $3::text || ',' || tables.shape::text || ']]')::jsonb)::json
     from custom_tables as tables
     where field.company_id = $1 and field.id = $2 and tables.company_id = $1 and tables.id = field.table_id
       and json_array_length(field.former) < $4 returning 1`,
    [companyId, fieldId, JSON.stringify(name), FORMER_NAMES],
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
