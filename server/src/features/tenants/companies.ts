// Companies as stored: the record of a row, and the single place of the rules by which an organization updates a
// company, moves it to another plan, and suspends it.

import { later } from '../../core/date-time.ts'
import { type Condition, requireMatch } from '../../core/etag.ts'
import { bodyError, invalid, orThrow, Problem } from '../../core/problem.ts'
import { isSameJson } from '../../core/same-json.ts'
import { isUniqueFault, namedValues, type Queryable, type Row, requireRow } from '../../database/connect.ts'
import type { Change } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { dropCompanyKeys } from '../keys/key-store.ts'
import { type ProcessorCustomer, processorCustomerOf } from '../payment-processor/customers.ts'
import { limitsChanged } from '../plan-limits/plan-limits.ts'
import { company, ownCompany } from './company.ts'
import { requirePlan } from './plans.ts'

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
  readonly dayStartHour?: number
  readonly phone?: string
  readonly industry?: string
  readonly logo?: string
  readonly address?: object
  readonly taxId?: string
  readonly externalId?: string
  readonly status: string
  readonly suspendedReason?: string
  /** For its own keys and people, who cannot read its organization's plans. */
  readonly planName?: string
  /** For its organization, not for its own keys. Absent from a company that was inserted by SQL. */
  readonly paymentCustomer?: ProcessorCustomer
  readonly createdAt: string
  readonly updatedAt: string
}

/** The members that everyone who reads a company sees, in the order of a record's text. */
const own: readonly (keyof CompanyRecord)[] = [
  ...(['id', 'name', 'email', 'accountId', 'organizationId', 'planId', 'country', 'currency', 'timezone'] as const),
  ...(['dayStartHour', 'phone', 'industry', 'logo', 'address', 'taxId', 'externalId'] as const),
  ...(['status', 'suspendedReason', 'createdAt', 'updatedAt'] as const),
]

/** Columns of `companies as stored` that `companyOf` reads. */
export const companyColumns = `stored.id, stored.name, stored.email, stored.account_id, stored.organization_id, stored.plan_id,
  stored.country, stored.currency, stored.timezone, stored.day_start_hour, stored.phone, stored.industry, stored.logo, stored.address,
  stored.tax_id, stored.external_id, stored.status, stored.suspended_reason, iso_time(stored.created_at), iso_time(stored.updated_at),
  ${processorCustomerOf('stored.id')}, (select plan.name from plans as plan where plan.id = stored.plan_id)`

/** The record of a row. */
export function companyOf(row: Row): CompanyRecord {
  const names = [...own, 'paymentCustomer', 'planName'] as const
  const record = namedValues<CompanyRecord & { address?: any; paymentCustomer: any }>(row, names)
  const { address, paymentCustomer } = record
  return {
    ...record,
    ...(address && { address: JSON.parse(address) }),
    ...(paymentCustomer && { paymentCustomer: JSON.parse(paymentCustomer) }),
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
  const statement = `select ${companyColumns} from companies as stored where stored.organization_id = $1 and stored.id = $2 ${lock}`
  return companyOf(await requireRow(database, 'company', id, statement, [organizationId, id]))
}

const text = (record: CompanyRecord, members: readonly (keyof CompanyRecord)[]): string =>
  JSON.stringify(Object.fromEntries(members.map((member) => [member, record[member]])))

/**
 * The record as its organization sees it: members in one order, so that equal records are equal texts; unset ones are
 * absent.
 */
export const companyText = (record: CompanyRecord): string => text(record, [...own, 'paymentCustomer'])

/** The record as the company's own keys see it. */
export const ownCompanyText = (record: CompanyRecord): string => text(record, [...own, 'planName'])

/** For each kind of caller: what it may send to change a company, and the text of the record as it sees it. */
const changers = {
  organization: { update: bodySchema(company).update, textOf: companyText },
  owner: { update: bodySchema(ownCompany).update, textOf: ownCompanyText },
}
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
  { by = 'organization', ifMatch }: { by?: keyof typeof changers; ifMatch?: Condition | undefined } = {},
): Promise<CompanyRecord> {
  const { update, textOf } = changers[by]
  const change = orThrow(update(value))
  // Creating a key for the company and this change wait for each other.
  const before = await findCompany(transaction, organizationId, id, 'for update of stored')
  requireMatch(ifMatch, textOf(before))
  const after = await withCurrency(transaction, changed(before, change))
  const differs = (member: string) => !isSameJson(memberOf(before, member), memberOf(after, member))
  if (!members.some(differs)) return before
  const isReplanned = differs('planId')
  if (isReplanned) await requirePlan(transaction, organizationId, after.planId as string)
  const record = { ...after, updatedAt: later(new Date().toISOString(), before.updatedAt) }
  await write(transaction, record)
  if (isReplanned) await limitsChanged(transaction)
  if (differs('status') || differs('suspendedReason')) await dropCompanyKeys(transaction, id)
  // The record has the name of its plan.
  return isReplanned ? findCompany(transaction, organizationId, id) : record
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
         phone = $10, industry = $11, logo = $12, address = $13, external_id = $14, status = $15, suspended_reason = $16,
         tax_id = $17, day_start_hour = $18
       where organization_id = $1 and id = $2`,
      [
        ...[organizationId, id, record.updatedAt, record.name, record.email, record.planId, record.country],
        ...[record.currency, record.timezone, record.phone, record.industry, record.logo],
        ...[address && JSON.stringify(address), externalId, record.status, record.suspendedReason],
        ...[record.taxId, record.dayStartHour],
      ],
    )
  } catch (error) {
    throw isUniqueFault(error) ? takenExternalId(externalId) : error
  }
}

/** 409: an `externalId` is unique among the companies of an organization. */
export const takenExternalId = (externalId: unknown): Problem =>
  new Problem(
    'conflict',
    `Another company of the organization already has the externalId ${JSON.stringify(externalId)}; to find it, filter the list of companies by externalId.`,
    [bodyError('/externalId', 'unique', 'is the id of another company of the organization')],
  )
