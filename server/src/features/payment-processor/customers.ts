// The companies' customers at the payment processor, as rows: registered with the company, claimed by one server at a
// time, with the result of each.
import type { Queryable } from '../../database/connect.ts'
import type { WantedCustomer } from './processor.ts'

/**
 * Stores, in a company's own transaction, that it needs a customer at the payment processor. After the commit, `wake`
 * (registering.ts) has it created at once.
 */
export async function registerCustomer(
  transaction: Queryable,
  { companyId, organizationId }: { companyId: string; organizationId: string },
): Promise<void> {
  await transaction.query(
    `insert into payment_customers (company_id, organization_id, next_try_at, created_at, updated_at)
     values ($1, $2, now(), now(), now())`,
    [companyId, organizationId],
  )
}

/** The state of a company's customer at the payment processor. */
export interface ProcessorCustomer {
  readonly state: 'pending' | 'done'
  /** `stripe` or `local`, and the customer's id there; once it is done. */
  readonly processor?: string
  readonly customerId?: string
  readonly tries: number
  /** While it is pending: the time of the next attempt, and the error of the last one. */
  readonly nextTryAt?: string
  readonly lastError?: string
}

/** The same as JSON of a `ProcessorCustomer`, in SQL. */
export const processorCustomerOf = (companyId: string): string =>
  `(select json_strip_nulls(json_build_object('state', state, 'processor', processor, 'customerId', customer_id,
     'tries', tries, 'nextTryAt', case when state = 'pending' then iso_time(next_try_at) end, 'lastError', last_error))
   from payment_customers where company_id = ${companyId})`

/** A customer that this server is to create, and no other until the lease has expired. */
export interface Claimed {
  readonly companyId: string
  /** The number of attempts, including this one: with the company it identifies the lease. */
  readonly tries: number
  /** Since when an unknown customer may have been created. */
  readonly since: Date
  /** The processor may know a customer that the next call would not return. */
  readonly mustLook: boolean
  /** The e-mail address that was sent since then, if any. */
  readonly email: string | undefined
}

/**
 * Takes up to `most` due customers, longest waiting first, and postpones them for others by the lease; none of `but`,
 * which the caller still handles.
 */
export async function claimDue(
  database: Queryable,
  { most, leaseMs, keyMs, but }: { most: number; leaseMs: number; keyMs: number; but: readonly string[] },
): Promise<Claimed[]> {
  const rows = await database.query(
    `with due as materialized (
       select company_id from payment_customers where state = 'pending' and next_try_at <= now() and company_id <> all ($4::text[])
       order by next_try_at limit $1 for update skip locked
     )
     update payment_customers as customer
     set next_try_at = now() + make_interval(secs => $2), tries = tries + 1, updated_at = now()
     from due where customer.company_id = due.company_id
     returning customer.company_id, tries, iso_time(coalesce(sent_at, created_at)),
       is_spent or coalesce(sent_at, created_at) < now() - make_interval(secs => $3), sent ->> 'email'`,
    [most, leaseMs / 1000, keyMs / 1000, but],
  )
  return rows.map(([companyId, tries, since, mustLook, email]) => ({
    companyId,
    tries,
    since: new Date(since),
    mustLook,
    email: email ?? undefined,
  }))
}

/**
 * Stores a request before it is sent; with `isAnew` under a new key, with the company's current data. Undefined if
 * another server has the lease.
 */
export async function storeRequest(
  database: Queryable,
  { companyId, tries }: Claimed,
  isAnew: boolean,
): Promise<{ wanted: WantedCustomer; key: string } | undefined> {
  const [row] = await database.query(
    `update payment_customers as customer set is_spent = false,
       round = case when $3 and sent is not null then round + 1 else round end,
       sent_at = case when $3 or sent is null then now() else sent_at end,
       sent = case when $3 or sent is null
         then json_strip_nulls(json_build_object('name', company.name, 'email', company.email)) else sent end
     from companies as company
     where customer.company_id = $1 and tries = $2 and state = 'pending' and company.id = customer.company_id
     returning customer.organization_id, sent, round`,
    [companyId, tries, isAnew],
  )
  if (row === undefined) return undefined
  const [organizationId, sent, round] = row
  const key = `cashwrap-company-${companyId}${round === 1 ? '' : `-${round}`}`
  return { wanted: { companyId, organizationId, ...JSON.parse(sent) }, key }
}

/** Stores the customer, even if the lease was lost: every attempt got the same answer. */
export async function storeCustomer(
  database: Queryable,
  { companyId }: Claimed,
  { processor, customerId }: { processor: string; customerId: string },
): Promise<void> {
  await database.query(
    `update payment_customers set state = 'done', processor = $2, customer_id = $3, last_error = null, updated_at = now()
     where company_id = $1 and state = 'pending'`,
    [companyId, processor, customerId],
  )
}

/** Stores why there is no customer yet, and when the next attempt is made. */
export async function postponeCustomer(
  database: Queryable,
  { companyId, tries }: Claimed,
  { pauseMs, message, isSpent }: { pauseMs: number; message: string; isSpent: boolean },
): Promise<void> {
  await database.query(
    `update payment_customers set next_try_at = now() + make_interval(secs => $3), last_error = $4,
       is_spent = is_spent or $5, updated_at = now()
     where company_id = $1 and tries = $2 and state = 'pending'`,
    [companyId, tries, pauseMs / 1000, message, isSpent],
  )
}

/** Releases a lease, so that another server tries at once. */
export async function releaseLease(database: Queryable, { companyId, tries }: Claimed): Promise<void> {
  await database.query(
    `update payment_customers set next_try_at = now() where company_id = $1 and tries = $2 and state = 'pending'`,
    [companyId, tries],
  )
}
