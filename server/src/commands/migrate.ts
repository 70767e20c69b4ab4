// `cashwrap migrate`: updates a database before servers of a new version start on it.
import type { Command } from 'commander'
import { describe, type Output, print } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addMigrate(program: Command): void {
  describe(program.command('migrate'), 'bring the database up to date and stop', 'cashwrap migrate').action(
    async (output: Output) => {
      let applied: readonly string[] = []
      const place = await withDatabase(
        async (database, where) => {
          const { keepViews } = await import('../features/sql-access/views.ts')
          await keepViews(database)
          return where
        },
        (names) => {
          applied = names
        },
      )
      print(output, { applied, database: place }, () =>
        applied.length === 0 ? `Nothing to do: ${place} is up to date.` : `Applied ${applied.join(', ')} to ${place}.`,
      )
    },
  )
}
