// `cashwrap restore`: a new data folder from a backup.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Restored } from '../database/backup/restore.ts'
import { readMoment } from './arguments.ts'
import { describe, type Output, print, printNote, sheet } from './output.ts'
import { withProgress } from './progress-bar.ts'

interface RestoreOptions extends Output {
  readonly into: string
  readonly to?: string
  readonly archive?: string
}

export function addRestore(program: Command): void {
  describe(
    program.command('restore'),
    'make a new data folder from a backup, at its newest moment or at a point in time',
    'cashwrap restore /mnt/backups --into /srv/cashwrap/restored --to 2026-11-23T09:30:00Z',
  )
    .argument('<folder>', 'the folder of backups, or one backup in it')
    .requiredOption('--into <folder>', 'the new data folder; it must be empty, or hold only the file secret')
    .option(
      '--to <time>',
      'a point in time, for which the log must have been archived (default: the newest moment)',
      readMoment,
    )
    .option('--archive <folder>', 'where the log was archived (default: CASHWRAP_ARCHIVE)')
    .action(restore)
}

async function restore(
  from: string,
  { into, to, archive = readConfig().archive, ...output }: RestoreOptions,
): Promise<void> {
  const [{ restoreBackup }, { markRestored }] = await Promise.all([
    import('../database/backup/restore.ts'),
    import('../features/restores/restored.ts'),
  ])
  const restored = await withProgress((progress) =>
    restoreBackup({
      from,
      into,
      to,
      archive: archive && resolve(archive),
      progress,
      log: printNote,
      recovered: (connection, moment) => markRestored(connection, moment, printNote),
    }),
  )
  const { folder, moment, backup, missing, undoneFrom } = restored
  const { secretKey } = backup.manifest
  const said = { folder, moment, backup: backup.folder, secretKey }
  print(output, { ...said, ...(missing && { missing }), ...(undoneFrom && { undoneFrom }) }, () => summary(restored))
}

/** What the operator must know of calls. */
export const silent =
  'Until you run `cashwrap resume`, Cashwrap sends no webhooks or mail, does not call the payment processor, and deletes no stored files.'

function summary({ folder, moment, backup, missing, undoneFrom }: Restored): string {
  return [
    sheet('Restored', {
      Folder: folder,
      Moment: moment,
      Backup: backup.folder,
      'Secret key': `${backup.manifest.secretKey ?? 'none'} (the fingerprint of the key that it needs)`,
    }),
    '',
    ...(missing === undefined
      ? []
      : [`The archive has later segments, but lacks ${missing}: nothing after that could be restored.`]),
    ...(undoneFrom === undefined
      ? []
      : [`An earlier restore undid what was written from ${undoneFrom} on: this is the moment before.`]),
    `Before the first start, put the secret key into ${folder}/secret, or set CASHWRAP_SECRET_KEY.`,
    `${silent} It archives nothing until then either.`,
  ].join('\n')
}
