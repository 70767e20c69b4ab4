// Keeps other imports out of a company while one is under way: two at once would make everything twice.

import { OperatorError } from '../../core/operator-error.ts'
import { unavailable } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { type Database, isRaceFault } from '../../database/connect.ts'

/** Thrown where another import has the company. */
export class CompanyHeld extends OperatorError {}

/** A company that no other import writes to. */
interface CompanyHold {
  /** Throws 503 `unavailable` once it is held no more, since the connection that held it is gone. */
  check(): void
  release(): Promise<void>
}

/** Holds a company until it is released, or its process is gone. Throws `CompanyHeld`. */
export async function holdCompany(database: Database, { companyId }: Scope): Promise<CompanyHold> {
  const client = await database.connectAlone()
  let isHeld = true
  client.once('end', () => {
    isHeld = false
  })
  const release = () => client.end().catch(() => {})
  try {
    // One that was killed lets go when PostgreSQL has noticed.
    await client.query("set lock_timeout = '1s'")
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`import into ${companyId}`])
  } catch (error) {
    await release()
    if (!isRaceFault(error)) throw error
    throw new CompanyHeld('Another import into this company is under way. Wait until it has ended.')
  }
  return {
    check() {
      if (!isHeld) throw unavailable()
    },
    release,
  }
}
