// `cashwrap import …`: imports the catalogue, the customers or the orders of another shop, any number of times.
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { fileError } from '../core/file-errors.ts'
import { OperatorError } from '../core/operator-error.ts'
import { Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Database, Queryable } from '../database/connect.ts'
import type { ImportKind, ShopName } from '../features/file-import/layout.ts'
import type { KindCounts, RecordKind, Tally } from '../features/file-import/records.ts'
import type { UndoTally } from '../features/imports/import.ts'
import type { LeftRecord } from '../features/imports/undo-decisions.ts'
import { readId } from './arguments.ts'
import { describe, type Output, print, printNote, table } from './output.ts'
import { withProgress } from './progress-bar.ts'
import { idFrom, isOfDatabase, withDatabase } from './with-database.ts'

interface CatalogueImportOptions extends Output {
  readonly company: string
  readonly outlet?: string
  readonly dryRun?: boolean
  readonly refused?: string
}

/** Exit code when some lines of the file were refused. */
const SOME_REFUSED = 3
/** Refused lines that are shown on the terminal. */
const LISTED = 5
/** Refused lines in the JSON document. */
const REPORTED = 100

/** The commands, and what each loads. */
const titles: Readonly<Record<ShopName, string>> = {
  woocommerce: 'the products, customers or orders export of WooCommerce',
  shopify: 'the products, inventory, customers or orders export of Shopify',
  square: 'the item library or the customers export of Square',
  lightspeed: 'the product export of Lightspeed Retail (X-Series)',
  plain: 'a plain file of customers or orders',
}

const exitCodes = `
Exit codes:
  0  every line was imported
  1  the import failed: no such file, another shop's file, no database
  2  wrong usage: an unknown option, or a company or an outlet that does not exist
  3  some lines were refused; all others were imported
`

export function addImport(program: Command): void {
  const group = program
    .command('import')
    .description('load the catalogue, the customers or the orders of another shop from CSV files')
  for (const name of Object.keys(titles) as ShopName[])
    describe(
      group.command(name),
      `load ${titles[name]}; run again at any time, it writes only what differs`,
      `cashwrap import ${name} ${name === 'square' ? 'customers' : name === 'plain' ? 'orders' : 'products'}.csv --company 6740a1f2c3d4e5f6a7b8c900`,
    )
      .argument('<file>', 'the CSV file')
      .requiredOption('--company <id>', 'the company to load it into', readId)
      .option(
        '--outlet <id>',
        "the outlet of the stock (default: that of each location in the file, else the company's first), or of the orders (default: none)",
        readId,
      )
      .option('--dry-run', 'show what would be done, and write nothing')
      .option('--refused <path>', 'file for refused lines (default: <file>.refused.csv)')
      .addHelpText('after', exitCodes)
      .action((path: string, options: CatalogueImportOptions) => importFile(name, path, options))
  describe(
    group.command('undo'),
    'undo an import, once, within 30 days: restores records that are unchanged since, and lists those that stay',
    'cashwrap import undo 6740a1f2c3d4e5f6a7b8c9e4',
  )
    .argument('<id>', 'the id that the import printed, or that the API and the console show', readId)
    .action(undo)
}

async function importFile(shop: ShopName, path: string, options: CatalogueImportOptions): Promise<void> {
  const { company: companyId, dryRun = false, outlet: outletId } = options
  const [{ sendLocal }, { readRefused }, { noTally }, { scopeOf }] = await Promise.all([
    import('../features/imports/upload.ts'),
    import('../features/imports/import.ts'),
    import('../features/file-import/records.ts'),
    import('../features/tenants/tenants.ts'),
  ])
  const { record, refused } = await withProgress((progress) =>
    withDatabase(async (database) => {
      const scope = await idFrom('--company', scopeOf(database, companyId))
      const sent = sendLocal(database, scope, { path, shop, outletId, run: !dryRun })
      const { id } = await idFrom('--outlet', known(sent))
      try {
        const ended = await workedOn({ database, scope, progress }, id).catch(dryRun ? undefined : noteUnfinished)
        return { record: ended, refused: await readRefused(database, scope, id) }
      } finally {
        if (dryRun) await removeDryRun(database, scope, id)
      }
    }),
  )
  const { id, kind, rowsRefused = 0, problem, summary = noTally() } = record
  // A dry run leaves no file behind either, unless one is named.
  const refusedFile = rowsRefused > 0 ? (options.refused ?? (dryRun ? undefined : `${path}.refused.csv`)) : undefined
  const unwritten = refusedFile === undefined ? undefined : await writeRefused(refusedFile, refused)
  if (problem !== undefined) throw new OperatorError(problem)
  if (record.state === 'cancelled') throw new OperatorError('The import was cancelled. What it wrote before stays.')
  const first = await firstRefused(refused)
  const about = { kind, shop, file: path, companyId, outletId: record.outletId, dryRun }
  const written = unwritten === undefined ? refusedFile : undefined
  const result = { importId: dryRun ? undefined : id, ...summary, rowsRefused, refused: first, refusedFile: written }
  print(options, { ...about, ...result }, () => counts(kind, summary, dryRun, id))
  if (rowsRefused === 0) return
  if (!options.json) printNote(refusals(rowsRefused, first, written))
  if (unwritten !== undefined) throw unwritten
  process.exitCode = SOME_REFUSED
}

/** Removes the import of a dry run, also if its check has not ended. If that fails, a server checks it, and it is never run. */
async function removeDryRun(database: Database, scope: Scope, id: string): Promise<void> {
  const { cancelImport, removeImport } = await import('../features/imports/actions.ts')
  const remove = async (transaction: Queryable) => {
    // It cannot be cancelled if it has ended.
    await cancelImport(transaction, scope, id).catch(() => {})
    await removeImport(transaction, scope, id)
  }
  await database.transaction(remove).catch(() => {})
}

interface Working {
  readonly database: Database
  readonly scope: Scope
  readonly progress: (done: number, total: number) => void
}

/** Works on an import until it has ended, also on those before it; returns its record. Ctrl-C cancels a check or a run. */
async function workedOn({ database, scope, progress }: Working, id: string) {
  const cancelled = new AbortController()
  const cancel = async () => {
    const { cancelImport } = await import('../features/imports/actions.ts')
    await database.transaction((transaction) => cancelImport(transaction, scope, id))
    // It may be at work on an earlier import, which a server or the next command continues.
    cancelled.abort()
  }
  const onSignal = () => void cancel().catch(noteError)
  // Before anything is awaited: otherwise Ctrl-C would end the command, and a server would still run the import.
  process.once('SIGINT', onSignal)
  const [{ workUntilEnded }, { notifyEvents }, { scopeOf }] = await Promise.all([
    import('../features/imports/work.ts'),
    import('../features/events/write-notifications.ts'),
    import('../features/tenants/tenants.ts'),
  ])
  try {
    const parts = {
      database,
      scopeOf,
      wrote: () => {},
      failed: noteError,
      progress: (share: number) => progress(share, 1),
    }
    return await workUntilEnded(parts, { scope, id }, cancelled.signal)
  } finally {
    process.off('SIGINT', onSignal)
    // Feed subscribers also look by themselves, some seconds later.
    await notifyEvents(database, [scope.companyId]).catch(() => {})
  }
}

/** Says that an import which the database interrupted is not lost. */
function noteUnfinished(error: unknown): never {
  if (isOfDatabase(error))
    printNote(
      'The rows already written are kept. A running server continues the import; without one, the next `cashwrap import` of this company does.',
    )
  throw error
}

const noteError = (error: unknown) => printNote(error instanceof Error ? error.message : String(error))

/** Returns the error if the file cannot be written: what was imported is said first. */
const writeRefused = (path: string, csv: string): Promise<unknown> =>
  writeFile(path, csv).then(
    () => undefined,
    (error) => fileError(`The file of refused lines ${path}`, 'write', error),
  )

/** The first refused lines of the CSV. */
async function firstRefused(csv: string) {
  const { parse } = await import('csv-parse/sync')
  const rows = parse(csv, { columns: true, to: REPORTED }) as { line: string; column: string; reason: string }[]
  return rows.map(({ line, column, reason }) => ({ line: Number(line), reason, ...(column && { column }) }))
}

async function undo(id: string, options: Output): Promise<void> {
  const { tally, left } = await withDatabase(async (database) => {
    const [{ companyOf }, { undoImport }, { readLeft }, { readUndo }, { scopeOf }] = await Promise.all([
      import('../features/imports/import.ts'),
      import('../features/imports/actions.ts'),
      import('../features/imports/undo-decisions.ts'),
      import('../features/imports/undo-decisions.ts'),
      import('../features/tenants/tenants.ts'),
    ])
    const { companyId, state } = await idFrom('<id>', companyOf(database, id))
    const scope = await scopeOf(database, companyId)
    // Continues one that was interrupted.
    if (state !== 'undoing') await known(database.transaction((transaction) => undoImport(transaction, scope, id)))
    const { problem } = await workedOn({ database, scope, progress: () => {} }, id).catch(noteUnfinished)
    if (problem !== undefined) throw new OperatorError(problem)
    const { lines } = await readLeft(database, scope, id)
    return { tally: JSON.parse(await readUndo(database, scope, id)) as UndoTally, left: lines }
  })
  print(options, { importId: id, undo: tally, left }, () => undone(tally, left))
}

function undone(tally: UndoTally, left: readonly LeftRecord[]): string {
  const { stock, ...kinds } = tally
  const lines = table(
    Object.entries(kinds).filter(([, counts]) => Object.values(counts).some((count) => count > 0)),
    {
      '': ([kind]) => kind,
      deleted: ([, { deleted }]) => String(deleted),
      restored: ([, { restored }]) => String(restored),
      left: ([, own]) => String(own.left),
    },
    '',
  )
  const all = Object.values(kinds).reduce((sum, own) => sum + own.left, 0)
  return [
    lines,
    ...(stock.restored + stock.left === 0
      ? []
      : ['', `Stock restored for ${stock.restored} variants; for ${stock.left} it stays.`]),
    ...(all === 0 ? [] : ['', `${all} ${all === 1 ? 'record was' : 'records were'} left:`]),
    ...left.slice(0, LISTED).map(({ resource, id, name, reason }) => `  ${resource} ${name ?? id}: ${reason}`),
    ...(all > LISTED ? [`  and ${all - LISTED} more: --json lists them`] : []),
  ].join('\n')
}

/** A conflict exits as an operator error: the same command may succeed later. */
const known = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw error instanceof Problem && error.code === 'conflict' ? new OperatorError(error.message) : error
  })

/** What files of each kind write. */
const kindsOf: Readonly<Record<ImportKind, readonly RecordKind[]>> = {
  catalog: ['products', 'variants', 'categories'],
  stock: ['variants'],
  customers: ['customers'],
  orders: ['orders', 'transactions', 'refunds'],
}

function counts(kind: ImportKind, summary: Tally, dryRun: boolean, id: string): string {
  const lines = table(
    kindsOf[kind].map((own): [RecordKind, KindCounts] => [own, summary[own]]),
    {
      '': ([kind]) => kind,
      created: ([, { created }]) => String(created),
      updated: ([, { updated }]) => String(updated),
      unchanged: ([, { unchanged }]) => String(unchanged),
    },
    '',
  )
  const { stockSet } = summary
  const stock =
    kind === 'catalog' || kind === 'stock'
      ? ['', `Stock set for ${stockSet} ${stockSet === 1 ? 'variant' : 'variants'}.`]
      : []
  const record = dryRun ? [] : ['', `Import ${id}: "cashwrap import undo ${id}" undoes it.`]
  return [...(dryRun ? ['Nothing was written. This would be done:', ''] : []), lines, ...stock, ...record].join('\n')
}

function refusals(count: number, first: readonly { line: number; reason: string }[], path: string | undefined): string {
  return [
    `\n${count} ${count === 1 ? 'line was' : 'lines were'} refused:`,
    ...first.slice(0, LISTED).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(count > LISTED ? [`  and ${count - LISTED} more`] : []),
    path ? `All are in ${path}.` : 'Name a file with --refused to get all of them.',
  ].join('\n')
}
