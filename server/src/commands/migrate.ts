// `cashwrap migrate`: updates a database before servers of a new version start on it, and distributes its tables over a Citus cluster.
import type { Command } from 'commander'
import { describe, note, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

interface Options extends Output {
  readonly distribute?: true
}

export function addMigrate(program: Command): void {
  describe(program.command('migrate'), 'bring the database up to date and stop', 'cashwrap migrate')
    .option(
      '--distribute',
      'then distribute the tables of companies over the nodes of a Citus cluster; stop all servers before',
    )
    .action(async (options: Options) => {
      let applied: readonly string[] = []
      const { place, distributed } = await withDatabase(
        async (database, place) => {
          const { keepViews } = await import('../features/sql-access/views.ts')
          await keepViews(database)
          if (!options.distribute) return { place, distributed: undefined }
          const { distribute } = await import('../database/distribute.ts')
          return { place, distributed: await distribute(database, note) }
        },
        (names) => {
          applied = names
        },
        { isUnchecked: true },
      )
      print(options, { applied, ...(distributed && { distributed }), database: place }, () =>
        [
          applied.length === 0
            ? `Nothing to do: ${place} is up to date.`
            : `Applied ${applied.join(', ')} to ${place}.`,
          ...(distributed === undefined ? [] : [sentenceOf(distributed)]),
        ].join('\n'),
      )
    })
}

const sentenceOf = (distributed: readonly string[]): string =>
  distributed.length === 0 ? 'All tables of companies are distributed.' : `Distributed ${distributed.join(', ')}.`
