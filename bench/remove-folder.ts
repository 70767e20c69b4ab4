// Removes the folder of a measurement once that has ended and its PostgreSQL too: then standard input ends, whatever ended it.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findCluster } from '../server/src/database/embedded/cluster.ts'
import { removeDataFolder } from '../server/src/database/embedded/place.ts'
import { isAlive, readPostmaster } from '../server/src/database/embedded/socket.ts'

const [folder] = process.argv.slice(2) as [string]

/** Removes a data folder once no PostgreSQL runs in it. */
async function removeOne(path: string): Promise<void> {
  const cluster = await findCluster(path).catch(() => undefined)
  const postmaster = cluster && (await readPostmaster(cluster.directory))
  while (cluster && postmaster && (await isAlive(cluster.directory, postmaster))) await delay(200)
  await removeDataFolder(path)
}

process.stdin.resume()
process.stdin.once('close', async () => {
  // The data folder is this one, or there are some in it.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isDirectory() && entry.name !== 'postgres') await removeOne(join(folder, entry.name))
  await removeOne(folder)
})
