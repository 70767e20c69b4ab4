// A company that the tills write for, and the records that they know.
import type { Database } from '../src/database/connect.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import type { Kind } from './kinds.ts'
import { stockUp } from './sales.ts'

export interface Company {
  readonly id: string
  readonly apiKey: string
  /** Ids of records whose create was answered. */
  known(kind: Kind): string[]
  /** Ids of sales that were answered and that no till has taken back. */
  readonly sold: string[]
}

/** Creates companies in an organization of their own. */
export async function makeCompanies(database: Database, count: number): Promise<Company[]> {
  const { organizationId } = await createOrganization(database, { name: 'Chain' })
  const companies: Company[] = []
  while (companies.length < count) {
    const { companyId: id, apiKey } = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
    await stockUp(database, id)
    const known = new Map<Kind, string[]>()
    companies.push({
      id,
      apiKey,
      sold: [],
      known: (kind) => known.get(kind) ?? (known.set(kind, []).get(kind) as string[]),
    })
  }
  return companies
}
