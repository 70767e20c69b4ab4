// The finished backups that a database remembers, for those that watch their age.

import type { Queryable } from '../connect.ts'
import type { TakenBackup } from './take.ts'

const REMEMBERED = 100

/** Remembers a finished backup. */
export async function rememberBackup(database: Queryable, { folder, bytes, manifest }: TakenBackup): Promise<void> {
  await database.query('insert into backups (finished_at, folder, bytes) values ($1, $2, $3) on conflict do nothing', [
    manifest.stop.at,
    folder,
    bytes,
  ])
  await database.query(
    `delete from backups where finished_at not in (select finished_at from backups order by finished_at desc limit ${REMEMBERED})`,
  )
}
