// Keeps other imports out of a company while one is under way: two at once would create everything twice.

import { OperatorError } from '../../core/operator-error.ts'
import { unavailable } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { type Database, isRaceFault } from '../../database/connect.ts'

/** Thrown if another import has locked the company. */
export class CompanyHeld extends OperatorError {}

/** A company that no other import writes to. */
interface CompanyHold {
  /** Throws 503 `unavailable` once the lock is lost, because its connection is gone. */
  check(): void
  release(): Promise<void>
}

/** Locks a company until it is released, or its process ends. Throws `CompanyHeld`. */
export async function holdCompany(database: Database, { companyId }: Scope): Promise<CompanyHold> {
  const client = await database.connectAlone()
  let isHeld = true
  client.once('end', () => {
    isHeld = false
  })
  const release = () => client.end().catch(() => {})
  try {
    // The lock of a killed process ends when PostgreSQL notices.
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
