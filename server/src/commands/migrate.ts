// `cashwrap migrate`: updates a database before servers of a new version start on it, and distributes its tables over a Citus cluster.
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Connection, Database } from '../database/connect.ts'
import { describe, type Output, print, printNote } from './output.ts'
import { withDatabase } from './with-database.ts'

interface MigrateOptions extends Output {
  readonly distribute?: true
}

export function addMigrate(program: Command): void {
  describe(program.command('migrate'), 'bring the database up to date and stop', 'cashwrap migrate')
    .option(
      '--distribute',
      'then distribute the tables of companies over the nodes of a Citus cluster; stop all servers first',
    )
    .action(async (options: MigrateOptions) => {
      let applied: readonly string[] = []
      const { place, distributed, rowSecurity } = await withDatabase(
        async (database, place, connection) => {
          const { keepViews } = await import('../features/sql-access/views.ts')
          await keepViews(database)
          if (!options.distribute)
            return { place, rowSecurity: await setUp(database, connection), distributed: undefined }
          const { distribute } = await import('../database/distribute.ts')
          return { place, rowSecurity: undefined, distributed: await distribute(database, printNote) }
        },
        (names) => {
          applied = names
        },
        { isUnchecked: true, mayCreate: true },
      )
      print(options, { applied, ...(distributed && { distributed }), ...rowSecurity, database: place }, () =>
        [
          applied.length === 0
            ? `Nothing to do: ${place} is up to date.`
            : `Applied ${applied.join(', ')} to ${place}.`,
          ...(distributed === undefined ? [] : [sentenceOf(distributed)]),
          ...(rowSecurity === undefined ? [] : saidOf(rowSecurity)),
        ].join('\n'),
      )
    })
}

/** What is reported of row-level security, and what a superuser has to run. */
interface RowSecurity {
  readonly rowSecurity: {
    readonly isOn: boolean
    readonly problem?: string
    readonly statements?: readonly string[] | undefined
  }
}

/** Makes the views and the role of row-level security, if it is wanted. The role's password comes from the secret key, which a migration alone does not need. */
async function setUp(database: Database, connection: Connection): Promise<RowSecurity | undefined> {
  const config = readConfig()
  if (!config.rowSecurity) return undefined
  if (config.databaseUrl !== undefined && config.secretKeys.length === 0) {
    printNote('Row-level security is not checked: set CASHWRAP_SECRET_KEY, from which its role gets a password.')
    return undefined
  }
  const [{ setUpRowSecurity }, { readSecretKeys }] = await Promise.all([
    import('../database/row-security/set-up.ts'),
    import('../secret.ts'),
  ])
  const result = await setUpRowSecurity(database, connection, await readSecretKeys(config), { warn: printNote })
  return { rowSecurity: 'login' in result ? { isOn: true } : { isOn: false, ...result } }
}

const saidOf = ({ rowSecurity: { isOn, problem, statements = [] } }: RowSecurity): string[] => {
  if (isOn) return ['Row-level security keeps companies apart.']
  if (statements.length === 0) return [`Row-level security is off: ${problem}.`]
  return [
    `Row-level security is off: ${problem}. As a superuser, run in this database, and then this command again:`,
    ...statements,
  ]
}

const sentenceOf = (distributed: readonly string[]): string =>
  distributed.length === 0 ? 'All tables of companies are distributed.' : `Distributed ${distributed.join(', ')}.`
