// `cashwrap company delete`: removes a company for good. It has to be suspended, and its name typed.
import type { Command } from 'commander'
import { describeOne, type Output, print, printNote, sheet } from './output.ts'
import { idFrom, typed, withDatabase } from './with-database.ts'

async function deleteFor(companyId: string, { confirm: confirmed, ...output }: Output & { confirm: string }) {
  const { deleteCompany } = await import('../features/company-file/delete.ts')
  const waits = (seconds: number) =>
    printNote(`Waiting ${seconds} s for requests from before the company was suspended or changed.`)
  const { revoked, ...deleted } = await withDatabase((database) =>
    typed(idFrom('<id>', deleteCompany(database, { companyId, confirmed, waits }))),
  )
  const rows = Object.values(deleted.counts).reduce((sum, count) => sum + count, 0)
  print(output, { ...deleted, rows }, () =>
    sheet(`${deleted.name} was deleted`, {
      'Company id': deleted.companyId,
      Rows: String(rows),
      'Payment customer':
        deleted.paymentCustomer === null ? undefined : `${deleted.paymentCustomer} is still at the payment processor`,
    }),
  )
  if (revoked?.left !== undefined) printNote(revoked.left)
}

/** Adds the command to `cashwrap company`. */
export function addCompanyDelete(group: Command): void {
  describeOne(
    group,
    'delete',
    'delete a suspended company with all of its records, keys, files and events, for good',
    "6740a1f2c3d4e5f6a7b8c900 --confirm 'Corner Shop'",
  )
    .requiredOption('--confirm <name>', 'the name of the company, exactly')
    .action(deleteFor)
}
