// `cashwrap key …`: keys of companies and organizations.
import { type Command, CommanderError, Option } from 'commander'
import type { Permission } from '../core/scope.ts'
import type { KeyOwner } from '../features/keys/key-store.ts'
import { readExpiry, readId, readName, readPermissions } from './arguments.ts'
import { needsOneOf } from './cashwrap-command.ts'
import { describe, describeOne, type Output, print, sheet, table } from './output.ts'
import { idFrom, withDatabase } from './with-database.ts'

interface OwnerOptions extends Output {
  readonly company?: string
  readonly organization?: string
}

/** The owner named by the options, and its option. */
function ownerOf({ company, organization }: OwnerOptions): { owner: KeyOwner; option: string } | undefined {
  if (company !== undefined) return { owner: { companyId: company }, option: '--company' }
  if (organization !== undefined) return { owner: { organizationId: organization }, option: '--organization' }
  return undefined
}

function withOwner(command: Command): Command {
  return command
    .addOption(
      new Option('--company <id>', 'the company it gives access to').argParser(readId).conflicts('organization'),
    )
    .addOption(new Option('--organization <id>', 'or the organization').argParser(readId))
}

const wrongResources = (message: string) => new CommanderError(2, 'cashwrap.resources', message)

/** The resources in a list, to which a key is to be limited. */
async function resourcesOf(listed: string, owner: KeyOwner): Promise<string[]> {
  const { keyResources, lackingCustomers, wrongResource } = await import('../features/keys/key-resources.ts')
  if (!('companyId' in owner))
    throw wrongResources('Only keys of companies can be limited to resources; leave out --resources.')
  const names = listed.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !keyResources.includes(name))
  if (unknown !== undefined) throw wrongResources(`--resources: ${JSON.stringify(unknown)} ${wrongResource(unknown)}`)
  const lacking = lackingCustomers(names)
  if (lacking !== undefined) throw wrongResources(`--resources ${lacking}.`)
  return keyResources.filter((name) => names.includes(name))
}

interface CreateKeyOptions extends OwnerOptions {
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly resources?: string
  readonly expires?: string
}

async function create({
  name,
  permissions,
  resources: listed,
  expires: expiresAt,
  ...options
}: CreateKeyOptions): Promise<void> {
  const { createKey } = await import('../features/keys/key-store.ts')
  const { requireOwner } = await import('../features/tenants/tenants.ts')
  const named = ownerOf(options)
  if (named === undefined)
    throw new CommanderError(2, 'cashwrap.owner', 'Name the owner of the key: --company <id> or --organization <id>.')
  const { owner, option } = named
  const resources = listed === undefined ? undefined : await resourcesOf(listed, owner)
  const { id, value } = await withDatabase(async (database) => {
    await idFrom(option, requireOwner(database, owner))
    return createKey(database, owner, { name, permissions, resources, expiresAt })
  })
  const shown = { ...(resources && { resources }), ...(expiresAt && { expiresAt }) }
  print(options, { id, apiKey: value, name, permissions, ...owner, ...shown }, () =>
    sheet(`The key ${name} was created. It is shown only now.`, {
      'Key id': id,
      Key: value,
      Permissions: permissions.join(', '),
      'Only for': resources?.join(', '),
      Expires: expiresAt,
    }),
  )
}

async function list(options: OwnerOptions): Promise<void> {
  const { listKeys } = await import('../features/keys/key-store.ts')
  const { requireOwner } = await import('../features/tenants/tenants.ts')
  const named = ownerOf(options)
  const keys = await withDatabase(async (database) => {
    if (named !== undefined) await idFrom(named.option, requireOwner(database, named.owner))
    return listKeys(database, named?.owner)
  })
  print(options, keys, () =>
    table(
      keys,
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        key: ({ prefix, lastFour }) => `${prefix}…${lastFour}`,
        opens: ({ companyId, organizationId }) =>
          companyId ? `company ${companyId}` : `organization ${organizationId}`,
        permissions: ({ permissions }) => permissions.join(','),
        'only for': ({ resources }) => resources?.join(',') ?? 'all',
        'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
        expires: ({ expiresAt }) => expiresAt ?? 'never',
      },
      'There are no keys yet.',
    ),
  )
}

async function remove(id: string, output: Output): Promise<void> {
  const { deleteKey } = await import('../features/keys/key-store.ts')
  await withDatabase((database) => idFrom('<id>', deleteKey(database, id)))
  print(output, { id, deleted: true }, () => `The key ${id} was deleted; every server now refuses it.`)
}

export function addKey(program: Command): void {
  const group = program.command('key').description('create, list and delete keys')
  const example = "cashwrap key create --company 6740a1f2c3d4e5f6a7b8c900 --name 'ERP' --permissions read,create"
  const making = withOwner(describe(group.command('create'), 'create a key for a company or an organization', example))
    .requiredOption('--name <name>', 'what it is for', readName)
    .requiredOption('--permissions <list>', 'read, create, update, delete; separated by commas', readPermissions)
    .option('--resources <list>', 'limits the key to these resources, such as product,variant,sale; without it, all')
    .option('--expires <date>', 'when it expires: a date (its midnight UTC) or a date-time', readExpiry)
    .action(create)
  needsOneOf(making, '--company', '--organization')
  withOwner(
    describe(group.command('list'), 'list keys, newest first, without their values', 'cashwrap key list'),
  ).action(list)
  describeOne(group, 'delete', 'delete a key; it is refused at once', '6740a1f2c3d4e5f6a7b8c902').action(remove)
}
