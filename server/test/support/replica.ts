// A primary and replicas that stream from it, all embedded, from copies of one cluster.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'

interface Pair {
  readonly primary: EmbeddedDatabase
  readonly replica: EmbeddedDatabase
  /** Opens one more replica, from one more copy. */
  readonly openReplica: (folder: string) => Promise<EmbeddedDatabase>
}

/** Opens both; `folders` are data folders with copies of a cluster that was stopped. They are stopped at the end. */
export async function openPair(
  ending: { after(close: () => unknown): void },
  folders: readonly [string, string],
  more: Record<string, string> = {},
): Promise<Pair> {
  const hba = join(folders[0], 'hba.conf')
  await writeFile(hba, 'local all all trust\nlocal replication all trust\n')
  const settings = { hba_file: hba, max_wal_senders: '3', wal_keep_size: '256MB', ...more }
  const open = async (dataDirectory: string, own = {}) => {
    const opened = await openEmbedded({ dataDirectory, log: () => {}, settings: { ...settings, ...own } })
    ending.after(opened.stop)
    return opened
  }
  const primary = await open(folders[0])
  const { host, port, user } = primary.connection
  const openReplica = async (folder: string) => {
    // The copy continues with the log of the primary.
    await writeFile(join(folder, 'postgres', 'standby.signal'), '')
    return open(folder, { primary_conninfo: `host=${host} port=${port} user=${user}` })
  }
  return { primary, replica: await openReplica(folders[1]), openReplica }
}
