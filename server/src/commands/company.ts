// `cashwrap company …`: companies, each with its own data.
import { type Command, CommanderError } from 'commander'
import type { ProcessorCustomer } from '../features/payment-processor/customers.ts'
import type { CompanyRecord } from '../features/tenants/companies.ts'
import { readCurrency, readId, readName } from './arguments.ts'
import { addCompanyDelete } from './company-delete.ts'
import { addCompanyFile } from './company-file.ts'
import { addCompanySqlAccess } from './company-sql-access.ts'
import { describe, describeOne, type Output, print, sheet, table } from './output.ts'
import { idFrom, requireOrganization, typed, withDatabase } from './with-database.ts'

/** Members of a company that options set; `externalId` is `--external-id`. The operation checks their values. */
interface CompanyOptions {
  readonly name?: string
  readonly currency?: string
  readonly email?: string
  readonly phone?: string
  readonly country?: string
  readonly timezone?: string
  readonly industry?: string
  readonly taxId?: string
  readonly externalId?: string
  readonly plan?: string
}

function withMembers(command: Command): Command {
  return command
    .option('--email <address>', 'its e-mail')
    .option('--phone <number>', 'its phone number')
    .option('--country <code>', 'two letters, such as AT')
    .option('--timezone <name>', 'such as Europe/Vienna')
    .option('--industry <name>', 'what it does')
    .option('--tax-id <number>', 'its tax number, for receipts')
    .option('--external-id <id>', 'its id in the organization’s own system')
    .option('--plan <id>', 'its plan', readId)
}

const membersOf = ({ plan, ...members }: CompanyOptions): Record<string, unknown> => ({
  ...members,
  ...(plan !== undefined && { planId: plan }),
})

interface CreateCompanyOptions extends Output, CompanyOptions {
  readonly name: string
  readonly organization: string
}

async function create({ organization: organizationId, json, ...options }: CreateCompanyOptions): Promise<void> {
  const { createCompany } = await import('../features/tenants/tenants.ts')
  const { onboardingOf } = await import('../features/tenants/onboarding.ts')
  const { name } = options
  const made = await withDatabase(async (database) => {
    await requireOrganization(database, organizationId)
    const make = async () =>
      createCompany(database, {
        ...onboardingOf(membersOf(options)),
        organizationId,
        outletName: name,
        isStaffed: true,
      })
    return typed(make())
  })
  print({ json }, { ...made, organizationId, name }, () =>
    sheet(`${name} was created. Its key is shown only now.`, {
      'Company id': made.companyId,
      'Company key': made.apiKey,
      'Outlet id': made.outletId,
      Currency: made.currency,
    }),
  )
}

async function list({ organization, ...output }: Output & { organization?: string }): Promise<void> {
  const { listCompanies } = await import('../features/tenants/tenants.ts')
  const companies = await withDatabase(async (database) => {
    await requireOrganization(database, organization)
    return listCompanies(database, organization)
  })
  print(output, companies, () =>
    table(
      companies,
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        currency: ({ currency }) => currency,
        organization: ({ organizationId }) => organizationId,
        status: ({ status }) => status,
        created: ({ createdAt }) => createdAt,
        'payment customer': ({ paymentCustomer }) => standing(paymentCustomer),
      },
      'There are no companies yet.',
    ),
  )
}

const shown = (company: CompanyRecord, heading = company.name): string =>
  sheet(heading, {
    Id: company.id,
    Name: company.name,
    Status: company.status,
    'Suspended for': company.suspendedReason,
    'E-mail': company.email,
    Phone: company.phone,
    Country: company.country,
    Currency: company.currency,
    'Time zone': company.timezone,
    'Day starts at hour': company.dayStartHour?.toString(),
    Industry: company.industry,
    Logo: company.logo,
    Address: company.address && JSON.stringify(company.address),
    'Tax id': company.taxId,
    'External id': company.externalId,
    Organization: company.organizationId,
    Plan: company.planId,
    Account: company.accountId,
    'Payment customer': standing(company.paymentCustomer),
    Created: company.createdAt,
    Updated: company.updatedAt,
  })

async function show(id: string, output: Output): Promise<void> {
  const { readCompany } = await import('../features/tenants/tenants.ts')
  const company = await withDatabase((database) => idFrom('<id>', readCompany(database, id)))
  print(output, company, () => shown(company))
}

/** Changes a company as `PATCH /v1/organization-api/companies/{id}` does. */
async function change(id: string, value: object, output: Output, reported: (company: CompanyRecord) => string) {
  const [{ readCompany }, { changeCompany }] = await Promise.all([
    import('../features/tenants/tenants.ts'),
    import('../features/tenants/companies.ts'),
  ])
  const company = await withDatabase(async (database) => {
    const key = await idFrom('<id>', readCompany(database, id))
    return typed(database.transaction((transaction) => changeCompany(transaction, key, value)))
  })
  print(output, company, () => shown(company, reported(company)))
}

/** The API ignores members that callers do not set; here, naming one is a mistake. */
async function mayClear(clear: readonly string[]): Promise<void> {
  const { company } = await import('../features/tenants/company.ts')
  const { fields } = company
  const own = Object.keys(fields).filter((member) => !fields[member]?.serverOwned)
  const other = clear.find((member) => !own.includes(member))
  const optional = own.filter((member) => !fields[member]?.required && member !== 'planId')
  if (other !== undefined)
    throw new CommanderError(
      2,
      'cashwrap.clear',
      `--clear: ${JSON.stringify(other)} cannot be cleared; the members that can be cleared are ${optional.join(', ')}.`,
    )
}

async function update(id: string, { json, clear = [], ...members }: Output & CompanyOptions & { clear?: string[] }) {
  const value = { ...membersOf(members), ...Object.fromEntries(clear.map((member) => [member, null])) }
  if (Object.keys(value).length === 0)
    throw new CommanderError(2, 'cashwrap.nothing', 'Say what to change, such as --name <name>.')
  await mayClear(clear)
  await change(id, value, { json }, ({ name }) => `${name} was changed.`)
}

const suspend = (id: string, { reason: suspendedReason, ...output }: Output & { reason?: string }) =>
  change(
    id,
    { status: 'suspended', ...(suspendedReason !== undefined && { suspendedReason }) },
    output,
    ({ name }) => `${name} is suspended; every server now refuses its keys.`,
  )

const unsuspend = (id: string, output: Output) =>
  change(id, { status: 'active' }, output, ({ name }) => `${name} is active; its keys work again.`)

export function addCompany(program: Command): void {
  const group = program
    .command('company')
    .description('create, list, change, suspend, export, import and delete companies, and give them SQL access')
  const ofOne = (name: string, description: string, options = '') =>
    describeOne(group, name, description, `6740a1f2c3d4e5f6a7b8c900${options}`)

  withMembers(
    describe(
      group.command('create'),
      'create a company with one outlet, roles, and a key with all permissions',
      "cashwrap company create --name 'Corner Shop' --currency EUR --organization 6740a1f2c3d4e5f6a7b8c901",
    )
      .requiredOption('--name <name>', 'its name, and that of its outlet', readName)
      .requiredOption('--organization <id>', 'the organization it belongs to', readId)
      .option(
        '--currency <code>',
        'such as EUR (default: the default currency of the organization, or USD)',
        readCurrency,
      ),
  ).action(create)
  describe(group.command('list'), 'list companies, oldest first', 'cashwrap company list')
    .option('--organization <id>', 'only companies of this organization', readId)
    .action(list)
  ofOne('show', 'show a company').action(show)
  withMembers(ofOne('update', 'change a company', ' --email owner@example.com --clear phone,industry'))
    .option('--name <name>', 'its name', readName)
    .option('--currency <code>', 'a three-letter ISO 4217 code, such as EUR', readCurrency)
    .option('--clear <members>', 'members to unset, such as phone; separated by commas', (text: string) =>
      text.split(','),
    )
    .action(update)
  ofOne('suspend', 'suspend a company: its keys are refused at once', " --reason 'The October invoice is unpaid'")
    .option('--reason <text>', 'the reason shown when its keys are refused')
    .action(suspend)
  ofOne('unsuspend', 'reactivate a suspended company: its keys work again').action(unsuspend)
  addCompanyFile(group)
  addCompanyDelete(group)
  addCompanySqlAccess(group)
}

/** The state of a company's payment customer, in a few words. */
function standing(customer: ProcessorCustomer | undefined): string {
  if (customer === undefined) return 'none'
  const { customerId, lastError, state } = customer
  return customerId ?? (lastError === undefined ? state : `${state}: ${lastError}`)
}
