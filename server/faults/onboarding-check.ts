// Compares onboarded companies with the responses: each exists once, complete, with one customer of the payment processor.
import type { Database } from '../src/database/connect.ts'
import type { DoubleCustomer } from '../test/support/stripe-double.ts'
import type { Findings } from './findings.ts'
import type { Reply } from './request.ts'
import { isSuccess } from './tills.ts'

/** The parts of a complete company, counted or listed. */
const whole = {
  plan: true,
  outlets: 1,
  outlet: true,
  accounts: 1,
  account: true,
  roles: 'Owner,Admin,Cashier',
  events: 'outlet.created,account.created,role.created,role.created,role.created',
  keys: 0,
  customers: 'done',
}

/** What exists, and what should. */
interface Onboarded {
  readonly database: Database
  readonly organizationId: string
  readonly works: readonly { readonly name: string; readonly answer?: Reply }[]
  /** All customers of the payment processor. */
  readonly customers: readonly Pick<DoubleCustomer, 'id' | 'metadata'>[]
}

export async function checkOnboarded(
  findings: Findings,
  { database, organizationId, works, customers }: Onboarded,
): Promise<void> {
  const rows = await database.query(
    `select company.name, company.id, json_build_object(
       'plan', exists (select from plans where id = company.plan_id and organization_id = company.organization_id and is_default),
       'outlets', (select count(*) from outlets where company_id = company.id),
       'outlet', exists (select from outlets where company_id = company.id and sequence_number = 1 and name = company.name),
       'accounts', (select count(*) from accounts where company_id = company.id),
       'account', exists (select from accounts where company_id = company.id and id = company.account_id),
       'roles', (select string_agg(name, ',' order by id) from roles where company_id = company.id),
       'events', (select string_agg(type, ',' order by sequence) from events where company_id = company.id),
       'keys', (select count(*) from api_keys where company_id = company.id),
       'customers', (select string_agg(state, ',') from payment_customers where company_id = company.id))
     from companies as company where company.organization_id = $1`,
    [organizationId],
  )
  const made = Map.groupBy(rows, ([name]) => name as string)
  for (const { name, answer } of works) {
    const own = made.get(name) ?? []
    made.delete(name)
    if (answer === undefined || !isSuccess(answer)) {
      findings.wrong.push(`${name} was answered ${answer?.status ?? 'nothing'} ${answer?.text ?? ''}`)
      continue
    }
    if (own.length === 0) findings.lost.push(`${name} was answered, and is not there`)
    if (own.length > 1) findings.twice.push(`${name} is there ${own.length} times`)
    const { id } = JSON.parse(answer.text)
    if (own.length > 0 && !own.some(([, known]) => known === id))
      findings.wrong.push(`${name} was answered as ${id}, which is none of ${own.map(([, known]) => known)}`)
    for (const [, known, parts] of own)
      if (JSON.stringify(JSON.parse(parts)) !== JSON.stringify(whole))
        findings.half.push(`${name} ${known} has ${parts}`)
  }
  for (const name of made.keys()) findings.wrong.push(`${name} exists, and no client asked for it`)
  await checkCustomers(findings, { database, organizationId, customers })
}

/**
 * Each company is one customer at the processor, the one that we know of, and there are no others. This includes other
 * companies, except those that earlier faults had registered with the local processor.
 */
async function checkCustomers(
  findings: Findings,
  { database, organizationId, customers }: Pick<Onboarded, 'database' | 'organizationId' | 'customers'>,
): Promise<void> {
  const known = await database.query(
    `select company.id, customer_id from companies as company left join payment_customers on company_id = company.id
     where company.organization_id = $1 or processor is distinct from 'local'`,
    [organizationId],
  )
  const byCompany = Map.groupBy(customers, ({ metadata }) => metadata.company_id ?? '')
  for (const [companyId, customerId] of known) {
    const own = (byCompany.get(companyId) ?? []).map(({ id }) => id)
    byCompany.delete(companyId)
    if (own.length > 1) findings.twice.push(`${companyId} is ${own.length} customers: ${own}`)
    else if (own[0] !== customerId)
      findings.wrong.push(`${companyId} is the customer ${own[0]}, and known as ${customerId}`)
  }
  for (const companyId of byCompany.keys()) findings.wrong.push(`${companyId} is a customer, and no company`)
}
