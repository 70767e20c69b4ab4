// `cashwrap extension …`: the extensions of organizations.
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { readId, readTextFile } from './arguments.ts'
import { describe, type Output, print, sheet, table } from './output.ts'
import { idFrom, requireOrganization, typed, withDatabase } from './with-database.ts'

interface MemberOptions extends Output {
  readonly organization: string
  readonly name?: string
  readonly description?: string
  readonly shortDescription?: string
  readonly category?: string
  readonly status?: string
  readonly icon?: string
  readonly website?: string
  readonly price?: number
  readonly from?: string
}

/** An extension as these commands print it. */
interface Extension {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly category?: string
  readonly price?: number
  readonly website?: string
  readonly surfaces?: readonly object[]
  readonly createdAt: string
  readonly updatedAt: string
}

const organizationOption = () =>
  new Option('--organization <id>', 'the organization it belongs to').argParser(readId).makeOptionMandatory()

function readPrice(text: string): number {
  const price = Number(text)
  if (text.trim() === '' || !Number.isFinite(price)) throw new InvalidArgumentError('A price is a number, such as 9.5.')
  return price
}

function withMembers(command: Command): Command {
  return command
    .addOption(organizationOption())
    .option('--name <name>', 'its name')
    .option('--description <text>', 'what it is')
    .option('--short-description <text>', 'the same in a sentence')
    .option('--category <word>', 'what kind of extension it is')
    .addOption(new Option('--status <status>', 'who sees it').choices(['draft', 'public', 'archived']))
    .option('--icon <url>', 'the URL of a small picture')
    .option('--website <url>', 'the URL of a page with more information')
    .option('--price <number>', 'what it costs', readPrice)
    .option('--from <file>', 'a JSON file with members as in the API, including gallery and surfaces')
}

/** The members set by options, over those of the file. */
async function membersOf({ organization, json, from, ...members }: MemberOptions): Promise<object> {
  if (from === undefined) return members
  const text = await readTextFile(from)
  try {
    return { ...JSON.parse(text), ...members }
  } catch (error) {
    throw new CommanderError(2, 'cashwrap.json', `--from: ${from} is not JSON: ${(error as Error).message}`)
  }
}

async function create(options: MemberOptions): Promise<void> {
  const { extensionWrites } = await import('../features/extensions/writes.ts')
  const { organization: organizationId } = options
  const value = await membersOf(options)
  const made = await withDatabase((database) =>
    typed(idFrom('--organization', extensionWrites(database).create({ organizationId, value }))),
  )
  show(options, JSON.parse(made.body), 'was created')
}

async function update(id: string, options: MemberOptions): Promise<void> {
  const { extensionWrites } = await import('../features/extensions/writes.ts')
  const { organization: organizationId } = options
  const value = await membersOf(options)
  const changed = await withDatabase((database) =>
    typed(idFrom('<id>', extensionWrites(database).update({ organizationId, id, value }))),
  )
  show(options, JSON.parse(changed.body), 'was changed')
}

async function read(id: string, options: MemberOptions): Promise<void> {
  const { readExtension } = await import('../features/extensions/own-list.ts')
  const text = await withDatabase((database) => idFrom('<id>', readExtension(database, options.organization, id)))
  show(options, JSON.parse(text))
}

async function remove(id: string, options: MemberOptions): Promise<void> {
  const { extensionWrites } = await import('../features/extensions/writes.ts')
  const { organization: organizationId } = options
  await withDatabase((database) => idFrom('<id>', extensionWrites(database).remove({ organizationId, id })))
  print(options, { id, deleted: true }, () => `The extension ${id} was deleted.`)
}

async function list({ organization, status, ...output }: MemberOptions): Promise<void> {
  const { allExtensions } = await import('../features/extensions/own-list.ts')
  const texts = await withDatabase(async (database) => {
    await requireOrganization(database, organization)
    return allExtensions(database, organization, status)
  })
  const extensions: Extension[] = texts.map((text) => JSON.parse(text))
  print(output, extensions, () =>
    table(
      extensions,
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        status: ({ status }) => status,
        category: ({ category }) => category ?? '',
        created: ({ createdAt }) => createdAt,
      },
      'The organization has no extensions yet.',
    ),
  )
}

function show(output: Output, extension: Extension, verb = 'in full'): void {
  const { id, name, status, category, price, website, surfaces = [], updatedAt } = extension
  print(output, extension, () =>
    sheet(`${name} ${verb}.`, {
      'Extension id': id,
      Status: status,
      Category: category,
      Price: price === undefined ? undefined : String(price),
      Website: website,
      Surfaces: String(surfaces.length),
      'Last change': updatedAt,
    }),
  )
}

export function addExtension(program: Command): void {
  const group = program.command('extension').description('create, list, change and delete extensions')
  const organization = '--organization 6740a1f2c3d4e5f6a7b8c901'
  const one = (name: string, description: string, more = '') =>
    describe(
      group.command(name),
      description,
      `cashwrap extension ${name} 6740a1f2c3d4e5f6a7b8c902 ${organization}${more}`,
    )
  withMembers(
    describe(
      group.command('create'),
      'create an extension; it is a draft unless --status says otherwise',
      `cashwrap extension create ${organization} --name 'Loyalty cards' --status public`,
    ),
  ).action(create)
  describe(group.command('list'), 'list extensions, oldest first', `cashwrap extension list ${organization}`)
    .addOption(organizationOption())
    .addOption(
      new Option('--status <status>', 'only extensions with this status').choices(['draft', 'public', 'archived']),
    )
    .action(list)
  one('show', 'show an extension').argument('<id>', 'its id', readId).addOption(organizationOption()).action(read)
  withMembers(one('update', 'change the given members of an extension', ' --status archived'))
    .argument('<id>', 'its id', readId)
    .action(update)
  one('delete', 'delete an extension').argument('<id>', 'its id', readId).addOption(organizationOption()).action(remove)
}
