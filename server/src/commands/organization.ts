// `cashwrap organization …`: organizations, which onboard companies.
import { type Command, CommanderError, Option } from 'commander'
import { shellWord } from '../core/shell-word.ts'
import type { OrganizationRecord } from '../features/tenants/tenants.ts'
import { readCurrency, readEmail, readName } from './arguments.ts'
import { describe, describeOne, type Output, print, sheet, table } from './output.ts'
import { idFrom, typed, withDatabase } from './with-database.ts'

async function create({
  name,
  ownerEmail,
  defaultCurrency,
  ...output
}: Output & { name: string; ownerEmail?: string; defaultCurrency?: string }): Promise<void> {
  const { createOrganization } = await import('../features/tenants/tenants.ts')
  const made = await withDatabase(
    (database) => createOrganization(database, { name, ownerEmail, defaultCurrency }),
    undefined,
    { mayCreate: true },
  )
  print(output, { ...made, name }, () =>
    sheet(`${name} was created. Its key is shown only now.`, {
      'Organization id': made.organizationId,
      'Organization key': made.apiKey,
      'Plan id': made.planId,
      'Owner id': made.ownerId,
      // `--owner-email` makes no account: nobody can sign in yet.
      ...(ownerEmail !== undefined && {
        'First sign-in': `npx cashwrap user create --email ${shellWord(ownerEmail)} --organization ${made.organizationId} --role owner`,
      }),
    }),
  )
}

async function list(output: Output): Promise<void> {
  const { listOrganizations } = await import('../features/tenants/tenants.ts')
  const organizations = await withDatabase(listOrganizations)
  print(output, organizations, () =>
    table(
      organizations,
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        owner: ({ ownerEmail }) => ownerEmail ?? '',
        companies: ({ companies }) => String(companies),
        created: ({ createdAt }) => createdAt,
      },
      'There are no organizations yet.',
    ),
  )
}

const shown = (organization: OrganizationRecord, heading = organization.name): string =>
  sheet(heading, {
    Id: organization.id,
    Name: organization.name,
    Alias: organization.alias,
    ...(organization.logo !== undefined && { Logo: organization.logo }),
    'Default currency': organization.defaultCurrency ?? 'none: its companies use USD unless they set one',
    Owner: organization.ownerEmail ?? 'none: it cannot onboard companies',
    Companies: String(organization.companies),
    Created: organization.createdAt,
    Updated: organization.updatedAt,
  })

async function show(id: string, output: Output): Promise<void> {
  const { readOrganization } = await import('../features/tenants/tenants.ts')
  const organization = await withDatabase((database) => idFrom('<id>', readOrganization(database, id)))
  print(output, organization, () => shown(organization))
}

interface OrganizationChanges {
  readonly name?: string
  readonly alias?: string
  readonly logo?: string
  readonly ownerEmail?: string
  readonly defaultCurrency?: string
  readonly clear?: 'logo' | 'defaultCurrency'
}

async function update(
  id: string,
  { json, ownerEmail, clear, ...members }: Output & OrganizationChanges,
): Promise<void> {
  const value = { ...members, ...(clear && { [clear]: null }) }
  const isShown = Object.keys(value).length > 0
  if (ownerEmail === undefined && !isShown)
    throw new CommanderError(
      2,
      'cashwrap.nothing',
      'Say what to change: --name <name>, --alias <alias>, --logo <url>, --default-currency <code>, --clear <member>, --owner-email <address>.',
    )
  const [{ asDatabase, changeOwner, readOrganization }, { changeOrganization }] = await Promise.all([
    import('../features/tenants/tenants.ts'),
    import('../features/extensions/organization.ts'),
  ])
  const organization = await withDatabase(async (database) => {
    await idFrom('<id>', readOrganization(database, id))
    const change = database.transaction(async (transaction) => {
      if (ownerEmail !== undefined) await changeOwner(transaction, id, ownerEmail)
      // What public pages show is changed together with the published list's state, which comes last.
      if (isShown) await changeOrganization(asDatabase(database, transaction), { id, value })
      return readOrganization(transaction, id)
    })
    return typed(change)
  })
  print({ json }, organization, () => shown(organization, `${organization.name} was changed.`))
}

export function addOrganization(program: Command): void {
  const group = program.command('organization').description('create, list and change organizations')

  describe(
    group.command('create'),
    'create an organization, with a plan without limits and a key',
    "cashwrap organization create --name 'Acme' --owner-email owner@example.com",
  )
    .requiredOption('--name <name>', 'its name', readName)
    .option(
      '--owner-email <address>',
      'the address of its owner, which it needs to onboard companies; `cashwrap user create` lets the owner sign in',
      readEmail,
    )
    .option('--default-currency <code>', 'the currency of its companies that do not set one, such as EUR', readCurrency)
    .action(create)
  describe(group.command('list'), 'list organizations, oldest first', 'cashwrap organization list').action(list)
  describeOne(group, 'show', 'show an organization', '6740a1f2c3d4e5f6a7b8c901').action(show)
  describeOne(group, 'update', 'change an organization', '6740a1f2c3d4e5f6a7b8c901 --owner-email owner@example.com')
    .option('--name <name>', 'its name', readName)
    .option('--alias <alias>', 'its alias on public pages: lower-case letters, digits and single hyphens')
    .addOption(new Option('--logo <url>', 'the URL of its logo').conflicts('clear'))
    .option(
      '--default-currency <code>',
      'the currency of its new companies that do not set one, such as EUR',
      readCurrency,
    )
    .addOption(
      new Option('--clear <member>', 'unset its logo or its default currency').choices(['logo', 'defaultCurrency']),
    )
    .option(
      '--owner-email <address>',
      'the address of its owner; `cashwrap user create` lets the owner sign in',
      readEmail,
    )
    .action(update)
}
