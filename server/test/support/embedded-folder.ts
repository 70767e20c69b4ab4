// Folders with an embedded PostgreSQL, for tests of its own: opened, asked, and stopped before the folder is removed.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { putCluster } from './program.ts'

/** Tests that are not about durability need not wait for the disk. */
export const quick = { fsync: 'off', shared_buffers: '16MB' }
/** What a test has to stop before its folder is removed, the latest first. */
export const closings: (() => unknown)[] = []

/** A folder that is removed after the test, when what was opened in it has been stopped. */
export async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  // So that root's PostgreSQL, which runs as another user, can reach it.
  await chmod(folder, 0o755)
  t.after(async () => {
    for (const close of closings.splice(0).reverse()) await close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return folder
}

/** The same with a cluster in it, for tests that are not about creating one. */
export async function clusterFolder(t: TestContext): Promise<string> {
  const folder = await makeFolder(t)
  await putCluster(folder)
  return folder
}

/** Opens the database of a folder; it is stopped after the test. */
export async function open(
  dataDirectory: string,
  settings: Record<string, string> = quick,
  log: (message: string) => void = () => {},
): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDirectory, settings, log })
  closings.push(() => database.stop())
  return database
}

/** Runs some SQL and returns the one row of the query. */
export async function ask({ connection }: EmbeddedDatabase, query: string, before = 'select 1'): Promise<unknown[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 60_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(before)
    return (await client.query({ text: query, rowMode: 'array' })).rows[0] ?? []
  } finally {
    await client.end().catch(() => {})
  }
}
