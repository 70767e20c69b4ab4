// An organization's changes to a company: update it, move it to another plan, suspend it; the single place of these
// rules.

import { later } from '../../core/date-time.ts'
import { type Condition, isMet, mismatch } from '../../core/etag.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import { isUniqueFault, type Queryable } from '../../database/connect.ts'
import type { Change } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { dropCompanyKeys } from '../keys/key-store.ts'
import { limitsChanged } from '../plan-limits/plan-limits.ts'
import { company } from './company.ts'
import { type CompanyRecord, companyText, defaultCurrency, findCompany } from './company-record.ts'
import { takenExternalId } from './new-company.ts'
import { requirePlan } from './plan-of-company.ts'

const { update } = bodySchema(company)
const members = Object.keys(company.fields)

/** A company by its organization and its id. */
interface CompanyKey {
  readonly organizationId: string
  readonly id: string
}

/**
 * Changes a company, in a transaction of the caller; `value` is unchecked. Every server process learns of a suspension,
 * or its end, after the commit. Throws 400, `not_found`, `version_mismatch`, and `conflict` for an `externalId` that
 * another company of the organization has.
 */
export async function changeCompany(
  transaction: Queryable,
  { organizationId, id }: CompanyKey,
  value: unknown,
  ifMatch?: Condition,
): Promise<CompanyRecord> {
  const change = update(value)
  if (change instanceof Problem) throw change
  // Creating a key for the company and this change wait for each other.
  const before = await findCompany(transaction, organizationId, id, 'for update of stored')
  if (ifMatch && !isMet(ifMatch, companyText(before))) throw mismatch()
  const after = await withCurrency(transaction, changed(before, change))
  const differs = (member: string) =>
    JSON.stringify(memberOf(before, member)) !== JSON.stringify(memberOf(after, member))
  if (!members.some(differs)) return before
  const isReplanned = differs('planId')
  if (isReplanned) await requirePlan(transaction, organizationId, after.planId as string)
  const record = { ...after, updatedAt: later(new Date().toISOString(), before.updatedAt) }
  await write(transaction, record)
  if (isReplanned) await limitsChanged(transaction, { companyId: id })
  if (differs('status') || differs('suspendedReason')) await dropCompanyKeys(transaction, id)
  return record
}

const memberOf = (record: CompanyRecord, member: string) => record[member as keyof CompanyRecord]

/** The record after a change. Throws 400 if the whole record is invalid. */
function changed(before: CompanyRecord, { set, clear }: Change): CompanyRecord {
  if (clear.includes('planId')) throw invalid([bodyError('/planId', 'required', 'is required and cannot be cleared')])
  const { suspendedReason, ...record } = { ...before, ...set } as CompanyRecord & Record<string, unknown>
  for (const member of clear) delete record[member]
  if (record.status === 'suspended')
    return clear.includes('suspendedReason') || suspendedReason === undefined ? record : { ...record, suspendedReason }
  if (set.suspendedReason !== undefined)
    throw invalid([bodyError('/suspendedReason', 'status', 'is only for a company whose status is suspended')])
  return record
}

/** The record with the default currency if none is set, since a company always has one. */
async function withCurrency(transaction: Queryable, record: CompanyRecord): Promise<CompanyRecord> {
  if (record.currency !== undefined) return record
  const [row] = await transaction.query(`select ${defaultCurrency('$1')}`, [record.organizationId])
  return { ...record, currency: row?.[0] }
}

async function write(transaction: Queryable, record: CompanyRecord): Promise<void> {
  const { organizationId, id, address, externalId } = record
  try {
    await transaction.query(
      `update companies set updated_at = $3, name = $4, email = $5, plan_id = $6, country = $7, currency = $8, timezone = $9,
         phone = $10, industry = $11, logo = $12, address = $13, external_id = $14, status = $15, suspended_reason = $16
       where organization_id = $1 and id = $2`,
      [
        ...[organizationId, id, record.updatedAt, record.name, record.email, record.planId, record.country],
        ...[record.currency, record.timezone, record.phone, record.industry, record.logo],
        ...[address && JSON.stringify(address), externalId, record.status, record.suspendedReason],
      ],
    )
  } catch (error) {
    throw isUniqueFault(error) ? takenExternalId(externalId) : error
  }
}
