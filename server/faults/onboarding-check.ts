// Holds what was onboarded against what was answered: each company once, and with all that it begins with.
import type { Database } from '../src/database/connect.ts'
import type { Findings } from './findings.ts'
import type { Onboarding } from './onboarding.ts'
import { isSuccess } from './tills.ts'

/** What belongs to a whole company, counted or listed. */
const whole = {
  plan: true,
  outlets: 1,
  account: true,
  roles: 'Owner,Admin,Cashier',
  events: 'outlet.created,account.created,role.created,role.created,role.created',
  keys: 0,
}

export async function checkOnboarded(
  findings: Findings,
  { database, organizationId, works }: { database: Database; organizationId: string; works: readonly Onboarding[] },
): Promise<void> {
  const rows = await database.query(
    `select company.name, company.id, json_build_object(
       'plan', company.plan_id is not null,
       'outlets', (select count(*) from outlets where company_id = company.id and sequence_number = 1 and name = company.name),
       'account', exists (select from accounts where company_id = company.id and id = company.account_id),
       'roles', (select string_agg(name, ',' order by id) from roles where company_id = company.id),
       'events', (select string_agg(type, ',' order by sequence) from events where company_id = company.id),
       'keys', (select count(*) from api_keys where company_id = company.id))
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
  for (const name of made.keys()) findings.wrong.push(`${name} is there, and nobody asked for it`)
}
