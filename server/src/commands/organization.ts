// `cashwrap organization …`: those who bring companies in.
import type { Command } from 'commander'
import { readEmail, readName } from './arguments.ts'
import { describe, type Output, print, sheet, table } from './output.ts'
import { withDatabase } from './with-database.ts'

export function addOrganization(program: Command): void {
  const group = program.command('organization').description('make and list organizations')

  describe(
    group.command('create'),
    'make an organization, with a plan without limits and a key',
    "cashwrap organization create --name 'Acme' --owner-email owner@example.com",
  )
    .requiredOption('--name <name>', 'its name', readName)
    .option('--owner-email <address>', 'its owner; without one it can onboard nothing', readEmail)
    .action(async ({ name, ownerEmail, ...output }: Output & { name: string; ownerEmail?: string }) => {
      const { createOrganization } = await import('../features/tenants/tenants.ts')
      const made = await withDatabase((database) => createOrganization(database, { name, ownerEmail }))
      print(output, { ...made, name }, () =>
        sheet(`${name} is there. Its key is shown only now.`, {
          'Organization id': made.organizationId,
          'Organization key': made.apiKey,
          'Plan id': made.planId,
          'Owner id': made.ownerId,
        }),
      )
    })

  describe(group.command('list'), 'list organizations, oldest first', 'cashwrap organization list').action(
    async (output: Output) => {
      const { listOrganizations } = await import('../features/tenants/tenants.ts')
      const organizations = await withDatabase(listOrganizations)
      print(output, organizations, () =>
        table(
          organizations,
          {
            id: ({ id }) => id,
            name: ({ name }) => name,
            companies: ({ companies }) => String(companies),
            created: ({ createdAt }) => createdAt,
          },
          'There is no organization yet.',
        ),
      )
    },
  )
}
