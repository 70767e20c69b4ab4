// `cashwrap import …`: imports the catalogue, the customers or the orders of another shop, any number of times.
import { basename } from 'node:path'
import type { Command } from 'commander'
import { OperatorError } from '../core/operator-error.ts'
import { Problem } from '../core/problem.ts'
import type { Database } from '../database/connect.ts'
import type { RefusedRows } from '../features/file-import/csv.ts'
import type { ImportKind, Load, ShopName } from '../features/file-import/load.ts'
import type { ImportSummary, KindCounts, RecordKind } from '../features/file-import/records.ts'
import type { UndoTally } from '../features/imports/import.ts'
import type { LeftRecord } from '../features/imports/undo-routes.ts'
import type { WorkParts } from '../features/imports/work.ts'
import { readId } from './arguments.ts'
import { describe, type Output, print, printNote, table } from './output.ts'
import { withProgress } from './progress-bar.ts'
import { idFrom, withDatabase } from './with-database.ts'

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

/** The commands, and what each loads. */
const titles: Readonly<Record<ShopName, string>> = {
  woocommerce: 'the products, customers or orders export of WooCommerce',
  shopify: 'the products, customers or orders export of Shopify',
  square: 'the customers export of Square',
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
        "the outlet of the stock (default: the company's first outlet), or of the orders (default: none)",
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

async function importFile(name: ShopName, path: string, options: CatalogueImportOptions): Promise<void> {
  const { company: companyId, dryRun = false } = options
  const [{ openCsv, refusedRows }, { formatOf }, { scopeOf }] = await Promise.all([
    import('../features/file-import/csv.ts'),
    import('../features/file-import/formats.ts'),
    import('../features/tenants/tenants.ts'),
  ])
  const file = await openCsv(path)
  // A file of another shop is refused before a database is opened for it.
  const format = formatOf(file, name)
  // A dry run leaves no file behind either, unless one is named.
  const refused = refusedRows(options.refused ?? (dryRun ? undefined : `${path}.refused.csv`))
  try {
    const { outletId, importId, ...summary } = await withProgress((progress) =>
      withDatabase(async (database) => {
        const scope = await idFrom('--company', scopeOf(database, companyId))
        const what = { database, scope, file, refused: refused.add, progress }
        const wanted = { ...what, format, outlet: options.outlet }
        return dryRun ? check(wanted) : run({ ...wanted, path })
      }),
    )
    const about = { kind: format.kind, shop: name, file: path, companyId, ...(outletId && { outletId }), dryRun }
    const lines = { refused: refused.first, ...(refused.path() && { refusedFile: refused.path() }) }
    const record = importId === undefined ? {} : { importId }
    print(options, { ...about, ...record, ...summary, ...lines }, () => counts(format.kind, summary, dryRun, importId))
    if (summary.rowsRefused === 0) return
    if (!options.json) printNote(refusals(summary.rowsRefused, refused))
    process.exitCode = SOME_REFUSED
  } finally {
    refused.close()
  }
}

/** What a check and a run of a file share. */
interface FileToImport extends Pick<Load, 'database' | 'scope' | 'format' | 'file' | 'refused'> {
  readonly progress: (done: number, total: number) => void
  readonly outlet: string | undefined
}

/** Counts what would be done. */
async function check({ outlet, ...load }: FileToImport) {
  const { loadFile } = await import('../features/file-import/load.ts')
  const outletId = await foreseenOutlet(load, outlet)
  return { outletId, importId: undefined, ...(await loadFile({ ...load, outletId, dryRun: true })) }
}

/** Loads the file, and records the import. */
async function run({ database, scope, outlet, path, ...load }: FileToImport & { path: string }) {
  const { importCommanded } = await import('../features/imports/commanded.ts')
  // An impossible import leaves no record: its outlet does not exist, or the plan does not allow one.
  await foreseenOutlet({ database, scope, format: load.format }, outlet)
  const { parts, notify } = await workOn(database, scope.companyId)
  try {
    return await importCommanded({ ...load, parts, scope, fileName: basename(path), outletId: outlet })
  } finally {
    await notify()
  }
}

/** The outlet if it exists already; '' if there is none yet, or none is needed. */
async function foreseenOutlet(
  { database, scope, format }: Pick<Load, 'database' | 'scope' | 'format'>,
  named: string | undefined,
): Promise<string> {
  if (format.kind !== 'catalog' && named === undefined) return ''
  const { outletOf } = await import('../features/file-import/catalog/stored.ts')
  return idFrom('--outlet', known(outletOf(database, scope, named, true)))
}

/** What imports need in a command. */
async function workOn(database: Database, companyId: string) {
  const [{ scopeOf }, { notifyEvents }] = await Promise.all([
    import('../features/tenants/tenants.ts'),
    import('../features/events/write-notifications.ts'),
  ])
  const parts: WorkParts = {
    database,
    scopeOf,
    wrote: () => {},
    failed: (error) => printNote(error instanceof Error ? error.message : String(error)),
  }
  // Feed subscribers also look by themselves, some seconds later.
  return { parts, notify: () => notifyEvents(database, [companyId]).catch(() => {}) }
}

async function undo(id: string, options: Output): Promise<void> {
  const { tally, left } = await withDatabase(async (database) => {
    const [{ findImport, undoCommanded }, { readLeft }, { readUndo }, { scopeOf }] = await Promise.all([
      import('../features/imports/commanded.ts'),
      import('../features/imports/undo-routes.ts'),
      import('../features/imports/undo-decisions.ts'),
      import('../features/tenants/tenants.ts'),
    ])
    const key = await idFrom('<id>', findImport(database, id))
    const scope = await scopeOf(database, key.companyId)
    const { parts, notify } = await workOn(database, key.companyId)
    try {
      await known(undoCommanded(parts, scope, key))
    } finally {
      await notify()
    }
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

/** A plan limit or an import that cannot be undone exits as an operator error: the same command may succeed later. */
async function known<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Problem && /^(plan_limit|conflict)$/.test(error.code)
      ? new OperatorError(error.message)
      : error
  }
}

/** What files of each kind write. */
const kindsOf: Readonly<Record<ImportKind, readonly RecordKind[]>> = {
  catalog: ['products', 'variants', 'categories'],
  customers: ['customers'],
  orders: ['orders', 'transactions', 'refunds'],
}

function counts(kind: ImportKind, summary: ImportSummary, dryRun: boolean, importId: string | undefined): string {
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
  const stock = kind === 'catalog' ? ['', `Stock set for ${stockSet} ${stockSet === 1 ? 'variant' : 'variants'}.`] : []
  const record = importId === undefined ? [] : ['', `Import ${importId}: "cashwrap import undo ${importId}" undoes it.`]
  return [...(dryRun ? ['Nothing was written. This would be done:', ''] : []), lines, ...stock, ...record].join('\n')
}

function refusals(count: number, refused: RefusedRows): string {
  const path = refused.path()
  return [
    `\n${count} ${count === 1 ? 'line was' : 'lines were'} refused:`,
    ...refused.first.slice(0, LISTED).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(count > LISTED ? [`  and ${count - LISTED} more`] : []),
    path ? `All are in ${path}.` : 'Name a file with --refused to get all of them.',
  ].join('\n')
}
