// Lends a connection of its own for long work, such as one snapshot or one transaction over everything that a company has.
import type pg from 'pg'
import { type Database, unavailableIfLost } from './connect.ts'

/** Runs `work` on a connection of its own, without deadlines, and ends it. Throws `unavailable` if it is lost. */
export async function withConnection<T>(database: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let client: pg.Client | undefined
  try {
    client = await database.connectAlone()
    return await work(client)
  } catch (error) {
    throw unavailableIfLost(error)
  } finally {
    await client?.end().catch(() => {})
  }
}
