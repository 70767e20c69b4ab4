// Which of PostgreSQL's files a base backup consists of (its manual, "Backing Up the Data Directory").

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { unreadableIfThere } from './disk.ts'

/** The files to copy, with their sizes now, and all folders; paths are relative to PostgreSQL's folder. */
export interface BaseFiles {
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  readonly folders: readonly string[]
}

/** Folders that are backed up empty: PostgreSQL makes their content again, and the log is copied separately. */
const emptiedFolders = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
])
/** Files of the running server, and those that a backup brings itself. */
const serverFiles =
  /^(postmaster\.(pid|opts)|postgres\.log|current_logfiles|backup_(label|manifest)(\.old)?|tablespace_map(\.old)?|(recovery|standby)\.signal|\.s\.PGSQL\..*)$/
/** Temporary files, and caches that PostgreSQL makes again. */
const temporaryFiles = /^(pgsql_tmp|pg_internal\.init)|\.tmp$/

/** Lists a cluster's files. What is created later is in the log. */
export async function listBaseFiles(cluster: string): Promise<BaseFiles> {
  if ((await readdir(join(cluster, 'pg_tblspc'))).length > 0)
    throw new OperatorError(`The database in ${cluster} has tablespaces, which a backup cannot contain.`)
  const files: { path: string; bytes: number }[] = []
  const folders: string[] = []
  const open = ['']
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const entry of await readdir(join(cluster, at), { withFileTypes: true }).catch(
      unreadableIfThere(join(cluster, at)),
    )) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (temporaryFiles.test(entry.name) || (at === '' && serverFiles.test(entry.name))) continue
      // Follows links: the log may be on another disk.
      const found = await stat(join(cluster, path))
        .catch(unreadableIfThere(join(cluster, path)))
        .catch(unlessGone)
      if (found?.isFile()) files.push({ path, bytes: found.size })
      if (!found?.isDirectory()) continue
      folders.push(path)
      if (!(at === '' && emptiedFolders.has(path))) open.push(path)
    }
  return { files, folders: folders.toSorted() }
}

/** A dropped table's file: the log says that it is gone. */
export function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
