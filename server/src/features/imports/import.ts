// Import: a file of another shop system that is loaded into a company, as the API shows it, and what an undo of it did.
// Callers send a file, and say whether to run it.

import { IMPORT_CATEGORIES, IMPORT_COLUMNS } from '../../core/limits.ts'
import { conflict, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { type Queryable, type Row, requireRow } from '../../database/connect.ts'
import {
  choice,
  dateTime,
  described,
  flag,
  number,
  object,
  reference,
  required,
  serverOwned,
  text,
} from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { refusedHeader } from '../file-import/csv.ts'
import { importKinds, shopNames } from '../file-import/layout.ts'
import {
  FILE_NAME_CHARACTERS,
  IMPORT_KEPT_MS,
  IMPORT_REFUSED,
  IMPORT_ROWS,
  IMPORT_UNDO_MS,
  IMPORTS_KEPT,
  IMPORTS_KEPT_BYTES,
} from './limits.ts'

/** The kinds of records, in the order of an undo; payments and refunds of its orders go with them. */
export const changeKinds = [
  'orders',
  'transactions',
  'refunds',
  'customers',
  'variants',
  'products',
  'categories',
  'outlets',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** Records of a kind: deleted again, restored, or left unchanged, in whole or in part. */
export interface UndoCounts {
  readonly deleted: number
  readonly restored: number
  readonly left: number
}

/** Levels: those whose stock is restored, and those that stay because stock moved later. */
export interface UndoTally extends Readonly<Record<ChangeKind, UndoCounts>> {
  readonly stock: { readonly restored: number; readonly left: number }
}

export const noUndoTally = (): UndoTally => ({
  ...(Object.fromEntries(changeKinds.map((kind) => [kind, { deleted: 0, restored: 0, left: 0 }])) as Record<
    ChangeKind,
    UndoCounts
  >),
  stock: { restored: 0, left: 0 },
})

const count = (description: string) => required(number({ description }))
const undoCounts = (description: string) => required(undoCountsOf(description))
const undoCountsOf = (description: string) =>
  described(
    object(
      {
        deleted: count('How many records that the import created are deleted again.'),
        restored: count('How many records get their earlier values back.'),
        left: count('How many records stay, in whole or in part, since they changed after the import.'),
      },
      { title: 'UndoCounts', description: 'Records of one kind, by what the undo does with them.' },
    ),
    description,
  )

/** The tally as the API shows it. */
export const undoTally = object(
  {
    products: undoCounts('What happens to products.'),
    variants: undoCounts('What happens to variants.'),
    categories: undoCounts('What happens to categories.'),
    outlets: undoCounts('What happens to the outlet that the run created.'),
    customers: undoCountsOf('What happens to customers.'),
    orders: undoCountsOf('What happens to orders.'),
    transactions: undoCountsOf('What happens to payments.'),
    refunds: undoCountsOf('What happens to refunds.'),
    stock: required(
      object(
        {
          restored: count('How many levels get their earlier stock back.'),
          left: count('How many levels stay, since stock moved after the import.'),
        },
        { title: 'UndoStock', description: 'What happens to stock.' },
      ),
    ),
  },
  {
    title: 'ImportUndo',
    description:
      'Counts of what an undo has done so far, or would do. Records changed since the import stay unchanged.',
  },
)

/** The states of an import: it is checked, waits until it is run, ends in one of three ways, and may be undone. */
export const importStates = [
  'checking',
  'ready',
  'running',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const

const counts = (description: string) =>
  required(
    described(
      object(
        {
          created: count('How many records are new.'),
          updated: count('How many existing records change.'),
          unchanged: count('How many existing records already match the file.'),
        },
        { title: 'ImportCounts', description: 'Records of one kind, by what the run does with them.' },
      ),
      description,
    ),
  )
const said = (count: number) => count.toLocaleString('en')
const days = IMPORT_KEPT_MS / 24 / 60 / 60 / 1000
const undoDays = IMPORT_UNDO_MS / 24 / 60 / 60 / 1000

export const importJob = {
  ...resource({
    name: { one: 'import', many: 'imports' },
    title: 'Imports',
    description: `The CSV export of another shop: its catalogue (products, variants, categories, images, attributes, prices and stock), its customers, or its orders with payments and refunds, which move no stock. An import is first checked and shows what it would do; it runs only on request. It can run any number of times; records that are already up to date are not written again. Imports of one company run one after the other. An import and its file are kept for ${days} days after its last check or run, and the import for ${undoDays} days if it wrote something: until then it can be undone, once. If a company has more than ${IMPORTS_KEPT_BYTES / 1024 / 1024} MB of files, or ${said(IMPORTS_KEPT)} imports, the oldest are deleted sooner. A file has at most ${said(IMPORT_ROWS)} rows and ${said(IMPORT_COLUMNS)} columns; a file with more than ${said(IMPORT_REFUSED)} lines that cannot be imported, or more than ${said(IMPORT_CATEGORIES)} categories, is refused as a whole.`,
    fields: {
      fileName: serverOwned(text({ max: FILE_NAME_CHARACTERS, description: 'Original name of the file.' })),
      bytes: serverOwned(number({ description: 'Size of the file in bytes.' })),
      kind: serverOwned(
        choice(importKinds, {
          description:
            'What the file is: the products of a shop (`catalog`), its customers, or its orders with payments.',
        }),
      ),
      shop: serverOwned(
        choice(shopNames, {
          description: 'The shop software that exported the file; `plain` is the format that the guide describes.',
        }),
      ),
      outletId: reference({
        description:
          'The outlet of the stock: the one that the request named. Without it, the first outlet if the file names no location, or a single one whose name no outlet has; the run creates the first outlet if there is none. Absent if locations decide. For orders, the outlet where they were made, if one was named.',
      }),
      state: serverOwned(
        choice(importStates, {
          description:
            'The state. An import is checked, waits to be run (`ready`), runs, ends as done, failed or cancelled, and can be undone.',
        }),
      ),
      progress: serverOwned(number({ description: 'From 0 to 1: first for the check, then for the run.' })),
      summary: object(
        {
          products: counts('What happens to products.'),
          variants: counts('What happens to variants.'),
          categories: counts('What happens to categories.'),
          stockSet: count('How many variants get their stock from the file.'),
          customers: counts('What happens to customers.'),
          orders: counts('What happens to orders.'),
          transactions: counts('What happens to payments.'),
          refunds: counts('What happens to refunds.'),
        },
        {
          title: 'ImportSummary',
          description:
            'After the check, what would be done; once the run begins, what has been done so far. `stockSet` counts the variants whose stock is set. Kinds that the file does not contain are zero.',
        },
      ),
      rowsRefused: number({
        description: 'The number of lines that are not imported; each is listed with its reason.',
      }),
      problem: text({ description: 'Why it failed, in a sentence.' }),
      stock: flag({ description: 'False if the run leaves stock unchanged; otherwise absent.' }),
      startedAt: dateTime({ description: 'When the run began.' }),
      finishedAt: dateTime({ description: 'When the import ended.' }),
      undoUntil: dateTime({ description: 'The time until which it can be undone; absent if it cannot.' }),
      undo: undoTally,
      undoneAt: dateTime({ description: 'When the undo ended.' }),
      fileUntil: dateTime({
        description:
          'The time until which the file is kept; absent if there is no file, or while the import is in progress.',
      }),
      keptUntil: serverOwned(dateTime({ description: 'When it is deleted.' })),
    },
    remove: 'hard',
    list: { exact: ['state', 'shop', 'kind'] },
    styleA: null,
    styleB: null,
    example: {
      fileName: 'products.csv',
      bytes: 18153,
      kind: 'catalog',
      shop: 'woocommerce',
      outletId: '6740a1f2c3d4e5f6a7b8c9d2',
      state: 'ready',
      progress: 1,
      summary: {
        products: { created: 15, updated: 0, unchanged: 0 },
        variants: { created: 21, updated: 0, unchanged: 0 },
        categories: { created: 6, updated: 0, unchanged: 0 },
        stockSet: 0,
        customers: { created: 0, updated: 0, unchanged: 0 },
        orders: { created: 0, updated: 0, unchanged: 0 },
        transactions: { created: 0, updated: 0, unchanged: 0 },
        refunds: { created: 0, updated: 0, unchanged: 0 },
      },
      rowsRefused: 1,
      keptUntil: '2026-11-28T09:30:00.000Z',
    },
  }),
  // The projection that makes records of the rows.
  table: 'import_records',
}

/** Columns of an import, which is locked `for update` if that is asked for. Throws `not_found`. */
export function importRow(
  database: Queryable,
  { companyId }: Scope,
  id: string,
  columns: string,
  lock: '' | 'for update' = '',
): Promise<Row> {
  const statement = `select ${columns} from imports where company_id = $1 and id = $2 and state <> 'sending' ${lock}`
  return requireRow(database, 'import', id, statement, [companyId, id])
}

/** The company of an import, and its state. Throws `not_found`. */
export async function companyOf(database: Queryable, id: string): Promise<{ companyId: string; state: string }> {
  const ofAny = `select company_id, state from imports where id = $1 and state <> 'sending'`
  const [companyId, state] = await requireRow(database, 'import', id, ofAny, [id])
  return { companyId, state }
}

/** The record's text. Throws `not_found`. */
export async function readImport(database: Queryable, { companyId }: Scope, id: string): Promise<string> {
  const statement = {
    name: 'import_read',
    text: 'select stored.body from import_records as stored where stored.company_id = $1 and stored.id = $2',
  }
  return (await requireRow(database, 'import', id, statement, [companyId, id]))[0]
}

/** The results of the check or the run. Throws `not_found`; `conflict` before the first check has ended. */
async function made(database: Queryable, scope: Scope, id: string, what: 'preview' | 'refused') {
  const [text, state, problem] = await importRow(database, scope, id, `${what}, state, problem`)
  if (text === null && state === 'checking')
    throw conflict('import_checking', 'The import is still being checked. Ask again when its state is "ready".')
  return { text, problem } as { text: string | null; problem: string | null }
}

/** Its preview as JSON. Throws `conflict` if the check failed or was cancelled. */
export async function readPreview(database: Queryable, scope: Scope, id: string): Promise<string> {
  const { text, problem } = await made(database, scope, id, 'preview')
  if (text !== null) return text
  throw new Problem('conflict', problem ?? 'The import was cancelled before it was checked, so there is no preview.')
}

/** Its refused lines as CSV: only the header if there are none. */
export const readRefused = async (database: Queryable, scope: Scope, id: string): Promise<string> =>
  (await made(database, scope, id, 'refused')).text ?? refusedHeader
