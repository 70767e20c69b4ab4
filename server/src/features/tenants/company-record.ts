// A company's record and its row: which columns are read, and the text that is answered.

import { isId } from '../../core/ids.ts'
import { notFound } from '../../core/problem.ts'
import type { Queryable, Row } from '../../database/connect.ts'
import { type ProcessorCustomer, processorCustomerOf } from '../payment-processor/customers.ts'

/** A company's record. */
export interface CompanyRecord {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly accountId?: string
  readonly organizationId: string
  readonly planId?: string
  readonly country?: string
  readonly currency: string
  readonly timezone?: string
  readonly phone?: string
  readonly industry?: string
  readonly logo?: string
  readonly address?: object
  readonly externalId?: string
  readonly status: string
  readonly suspendedReason?: string
  /** For its organization, not for its own keys. */
  readonly paymentCustomer?: ProcessorCustomer
  readonly createdAt: string
  readonly updatedAt: string
}

/** Columns of `companies as stored` that `companyOf` reads. */
export const companyColumns = `stored.id, stored.name, stored.email, stored.account_id, stored.organization_id, stored.plan_id,
  stored.country, stored.currency, stored.timezone, stored.phone, stored.industry, stored.logo, stored.address,
  stored.external_id, stored.status, stored.suspended_reason, iso_time(stored.created_at), iso_time(stored.updated_at),
  ${processorCustomerOf('stored.id')}`

/** The record of a row. */
export function companyOf(row: Row): CompanyRecord {
  const [id, name, email, accountId, organizationId, planId, country, currency, timezone, phone, industry, logo] =
    row.map((value) => value ?? undefined)
  const [address, externalId, status, suspendedReason, createdAt, updatedAt, paymentCustomer] = row
    .slice(12)
    .map((value) => value ?? undefined)
  return {
    ...{ id, name, email, accountId, organizationId, planId, country, currency, timezone, phone, industry, logo },
    address: address && JSON.parse(address),
    ...{ externalId, status, suspendedReason, createdAt, updatedAt },
    paymentCustomer: paymentCustomer && JSON.parse(paymentCustomer),
  }
}

/** SQL of a company's default currency: that of its organization, otherwise USD (decisions §10). */
export const defaultCurrency = (organizationId: string): string =>
  `coalesce((select default_currency from organizations where id = ${organizationId}), 'USD')`

/** A company of an organization. Throws `not_found` if it does not exist or belongs to another organization. */
export async function findCompany(
  database: Queryable,
  organizationId: string,
  id: string,
  lock: '' | 'for update of stored' = '',
): Promise<CompanyRecord> {
  const [row] = isId(id)
    ? await database.query(
        `select ${companyColumns} from companies as stored where stored.organization_id = $1 and stored.id = $2 ${lock}`,
        [organizationId, id],
      )
    : []
  if (row === undefined) throw notFound('company', id)
  return companyOf(row)
}

const own: readonly (keyof CompanyRecord)[] = [
  ...(['id', 'name', 'email', 'accountId', 'organizationId', 'planId', 'country', 'currency', 'timezone'] as const),
  ...(['phone', 'industry', 'logo', 'address', 'externalId'] as const),
  ...(['status', 'suspendedReason', 'createdAt', 'updatedAt'] as const),
]

const text = (record: CompanyRecord, members: readonly (keyof CompanyRecord)[]): string =>
  JSON.stringify(Object.fromEntries(members.map((member) => [member, record[member]])))

/**
 * The record as its organization sees it: members in one order, so that equal records are equal texts; unset ones are
 * absent.
 */
export const companyText = (record: CompanyRecord): string => text(record, [...own, 'paymentCustomer'])

/** The record as the company's own keys see it. */
export const ownCompanyText = (record: CompanyRecord): string => text(record, own)
