// `cashwrap company …`: those whose data the service keeps.
import type { Command } from 'commander'
import { readCurrency, readId, readName } from './arguments.ts'
import { describe, type Output, print, sheet, table } from './output.ts'
import { idFrom, withDatabase } from './with-database.ts'

export function addCompany(program: Command): void {
  const group = program.command('company').description('make and list companies')

  describe(
    group.command('create'),
    'make a company, with one outlet and a key that may do everything in it',
    "cashwrap company create --name 'Corner Shop' --currency EUR --organization 6740a1f2c3d4e5f6a7b8c901",
  )
    .requiredOption('--name <name>', 'its name, and that of its outlet', readName)
    .requiredOption('--currency <code>', 'three upper-case letters, such as EUR', readCurrency)
    .requiredOption('--organization <id>', 'the organization that it belongs to', readId)
    .action(
      async ({
        name,
        currency,
        organization: organizationId,
        ...output
      }: Output & { name: string; currency: string; organization: string }) => {
        const { createCompany } = await import('../features/tenants/tenants.ts')
        const wanted = { name, currency, organizationId, outletName: name }
        const made = await withDatabase((database) => idFrom('--organization', createCompany(database, wanted)))
        print(output, { ...made, organizationId, name, currency }, () =>
          sheet(`${name} is there. Its key is shown only now.`, {
            'Company id': made.companyId,
            'Company key': made.apiKey,
            'Outlet id': made.outletId,
          }),
        )
      },
    )

  describe(group.command('list'), 'list companies, oldest first', 'cashwrap company list')
    .option('--organization <id>', 'only those of this organization', readId)
    .action(async ({ organization, ...output }: Output & { organization?: string }) => {
      const { listCompanies, requireOwner } = await import('../features/tenants/tenants.ts')
      const companies = await withDatabase(async (database) => {
        if (organization !== undefined)
          await idFrom('--organization', requireOwner(database, { organizationId: organization }))
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
          },
          'There is no company yet.',
        ),
      )
    })
}
