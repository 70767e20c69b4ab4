// `cashwrap import …`: brings the catalogue of another shop in, as often as its owner likes.
import type { Command } from 'commander'
import type { Summary } from '../features/catalog-import/records.ts'
import type { RefusedRows } from '../features/catalog-import/refused-rows.ts'
import { Problem } from '../http/problem.ts'
import { OperatorError } from '../operator-error.ts'
import { readId } from './arguments.ts'
import { describe, note, type Output, print, table } from './output.ts'
import { idFrom, withDatabase } from './with-database.ts'

interface Options extends Output {
  readonly company: string
  readonly outlet?: string
  readonly dryRun?: boolean
  readonly refused?: string
}

/** Exit code when some lines of the file were refused. */
const SOME_REFUSED = 3
/** Refused lines that are told on the terminal. */
const TOLD = 5

const titles = { woocommerce: 'WooCommerce', shopify: 'Shopify' }
type ShopName = keyof typeof titles

const exitCodes = `
Exit codes:
  0  every line was taken
  1  it cannot be done: no such file, another shop's file, no database
  2  what was typed: an unknown option, or a company or an outlet that does not exist
  3  some lines were refused; all others were taken
`

export function addImport(program: Command): void {
  const group = program.command('import').description('load the catalogue of another shop from its CSV export')
  for (const name of Object.keys(titles) as ShopName[])
    describe(
      group.command(name),
      `load a product export of ${titles[name]}; at any time again, then only what differs is written`,
      `cashwrap import ${name} products.csv --company 6740a1f2c3d4e5f6a7b8c900`,
    )
      .argument('<file>', 'the CSV file')
      .requiredOption('--company <id>', 'the company to load it into', readId)
      .option('--outlet <id>', "where the stock lies (default: the company's first outlet)", readId)
      .option('--dry-run', 'say what would be done, and write nothing')
      .option('--refused <path>', 'file for refused lines (default: <file>.refused.csv)')
      .addHelpText('after', exitCodes)
      .action((path: string, options: Options) => importFile(name, path, options))
}

async function importFile(name: ShopName, path: string, options: Options): Promise<void> {
  const { company: companyId, dryRun = false } = options
  const [{ openCsv }, { shops }, { loadCatalog }, { outletOf }, { refusedRows }, ...others] = await Promise.all([
    import('../features/catalog-import/csv.ts'),
    import('../features/catalog-import/shops.ts'),
    import('../features/catalog-import/load.ts'),
    import('../features/catalog-import/outlet.ts'),
    import('../features/catalog-import/refused-rows.ts'),
    import('../features/tenants/tenants.ts'),
    import('../features/events/wakes.ts'),
  ])
  const [{ scopeOf }, { notifyEvents }] = others
  const shop = shops[name]
  const file = await openCsv(path)
  // A file of another shop is refused before a database is opened for it.
  shop.spoken(file)
  // A dry run leaves no file behind either, unless one is named.
  const refused = refusedRows(options.refused ?? (dryRun ? undefined : `${path}.refused.csv`))
  const bar = await progressBar()
  try {
    const { outletId, ...summary } = await withDatabase(async (database) => {
      const scope = await idFrom('--company', scopeOf(database, companyId))
      const outletId = await idFrom('--outlet', known(outletOf(database, scope, options.outlet, dryRun)))
      const load = { database, scope, shop, file, outletId, dryRun, refused: refused.add, progress: bar.update }
      try {
        return { outletId, ...(await loadCatalog(load)) }
      } finally {
        // Those who follow the events look by themselves too, some seconds later.
        if (!dryRun) await notifyEvents(database, [companyId]).catch(() => {})
      }
    })
    bar.stop()
    const about = { shop: name, file: path, companyId, ...(outletId && { outletId }), dryRun }
    const lines = { refused: refused.first, ...(refused.path() && { refusedFile: refused.path() }) }
    print(options, { ...about, ...summary, ...lines }, () => counts(summary, dryRun))
    if (summary.rowsRefused === 0) return
    if (!options.json) note(refusals(summary.rowsRefused, refused))
    process.exitCode = SOME_REFUSED
  } finally {
    bar.stop()
    refused.close()
  }
}

/** That a plan allows no outlet is told as it is: the same command may be right once the plan is another. */
async function known<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Problem && error.code === 'plan_limit' ? new OperatorError(error.message) : error
  }
}

/** A bar on a terminal, by bytes of the file; elsewhere nothing. */
async function progressBar(): Promise<{ update: (done: number, total: number) => void; stop: () => void }> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} }
  const { default: progress } = await import('cli-progress')
  // The terminal's own settings are left alone, so that Ctrl-C leaves nothing to put right.
  const settings = { format: '{bar} {percentage} %', linewrap: true }
  const bar = new progress.SingleBar(settings, progress.Presets.shades_classic)
  return {
    update(done, total) {
      if (!bar.isActive) bar.start(total, 0)
      bar.setTotal(total)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}

function counts({ products, variants, categories, stockSet }: Summary, dryRun: boolean): string {
  const lines = table(
    Object.entries({ products, variants, categories }),
    {
      '': ([kind]) => kind,
      created: ([, { created }]) => String(created),
      updated: ([, { updated }]) => String(updated),
      unchanged: ([, { unchanged }]) => String(unchanged),
    },
    '',
  )
  const stock = `Stock set for ${stockSet} ${stockSet === 1 ? 'variant' : 'variants'}.`
  return [...(dryRun ? ['Nothing was written. This would be done:', ''] : []), lines, '', stock].join('\n')
}

function refusals(count: number, refused: RefusedRows): string {
  const path = refused.path()
  return [
    `\n${count} ${count === 1 ? 'line was' : 'lines were'} refused:`,
    ...refused.first.slice(0, TOLD).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(count > TOLD ? [`  and ${count - TOLD} more`] : []),
    path ? `All are in ${path}.` : 'Name a file with --refused to have them all.',
  ].join('\n')
}
