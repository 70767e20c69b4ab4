// `cashwrap plan …`: the limits of companies.
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Limits } from '../features/plan-limits/plan-limits.ts'
import type { PlanRecord } from '../features/tenants/plans.ts'
import { readId, readName } from './arguments.ts'
import { describe, describeOne, type Output, print, sheet, table } from './output.ts'
import { idFrom, requireOrganization, typed, withDatabase } from './with-database.ts'

/** The limits by option; null for one that is removed. */
interface LimitOptions {
  readonly outlets?: number | null
  readonly stations?: number | null
  readonly products?: number | null
  readonly users?: number | null
}

interface PlanOptions extends LimitOptions {
  readonly name?: string
  readonly status?: string
  readonly default?: true
}

function readLimit(text: string): number | null {
  if (text === 'none') return null
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('A limit is a whole number, or none.')
  return Number(text)
}

function withPlan(command: Command): Command {
  for (const name of ['outlets', 'stations', 'products', 'users'])
    command.option(`--${name} <number>`, `the most ${name} of a company, or none`, readLimit)
  return command.option('--default', 'the plan of companies that are onboarded without a plan')
}

/** The members of a plan that options set; limits without an option stay as they are. */
function planOf({ name, status, default: isDefault, ...options }: PlanOptions, before: Limits = {}) {
  const { outlets, stations, products, users } = options
  const said = Object.entries({ outlets, stations, products, users }).filter(([, limit]) => limit !== undefined)
  const limits = Object.entries({ ...before, ...Object.fromEntries(said) }).filter(
    ([, limit]) => typeof limit === 'number',
  )
  return {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(isDefault && { isDefault }),
    ...(said.length > 0 && { limits: Object.fromEntries(limits) }),
  }
}

const spoken = ({ limits }: PlanRecord): string =>
  Object.entries(limits)
    .filter(([, limit]) => limit !== undefined)
    .map(([name, limit]) => `${limit} ${name}`)
    .join(', ') || 'none'

const shown = (plan: PlanRecord, heading = plan.name): string =>
  sheet(heading, {
    Id: plan.id,
    Name: plan.name,
    Limits: spoken(plan),
    Status: plan.status,
    Default: plan.isDefault ? 'yes' : 'no',
    Organization: plan.organizationId ?? 'all',
    Created: plan.createdAt,
    Updated: plan.updatedAt,
  })

async function create({ organization, json, ...options }: Output & PlanOptions & { organization?: string }) {
  const { createPlan } = await import('../features/tenants/plans.ts')
  const plan = await withDatabase(async (database) => {
    await requireOrganization(database, organization)
    return typed(database.transaction((transaction) => createPlan(transaction, organization ?? null, planOf(options))))
  })
  print({ json }, plan, () => shown(plan, `${plan.name} was created.`))
}

async function list({ organization, ...output }: Output & { organization?: string }): Promise<void> {
  const { listPlans } = await import('../features/tenants/plans.ts')
  const plans = await withDatabase(async (database) => {
    await requireOrganization(database, organization)
    return listPlans(database, organization)
  })
  print(output, plans, () =>
    table(
      plans,
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        limits: spoken,
        organization: ({ organizationId }) => organizationId ?? 'all',
        status: ({ status }) => status,
        default: ({ isDefault }) => (isDefault ? 'yes' : ''),
        created: ({ createdAt }) => createdAt,
      },
      'There are no plans yet.',
    ),
  )
}

async function show(id: string, output: Output): Promise<void> {
  const { readPlan } = await import('../features/tenants/plans.ts')
  const plan = await withDatabase((database) => idFrom('<id>', readPlan(database, id)))
  print(output, plan, () => shown(plan))
}

/** Changes a plan as `PATCH /v1/organization-api/plans/{id}` does. */
async function update(id: string, { json, ...options }: Output & PlanOptions): Promise<void> {
  if (Object.keys(options).length === 0)
    throw new CommanderError(2, 'cashwrap.nothing', 'Say what to change, such as --status inactive.')
  const { changePlan, holdPlan, readPlan } = await import('../features/tenants/plans.ts')
  const plan = await withDatabase(async (database) => {
    const { organizationId = null } = await idFrom('<id>', readPlan(database, id))
    return typed(
      database.transaction(async (transaction) => {
        // Locked, so that of two concurrent changes none overwrites the other's limits.
        const { limits } = await holdPlan(transaction, organizationId, id)
        return changePlan(transaction, organizationId, id, planOf(options, limits))
      }),
    )
  })
  print({ json }, plan, () => shown(plan, `${plan.name} was changed.`))
}

export function addPlan(program: Command): void {
  const group = program.command('plan').description('create, list and change plans')

  withPlan(
    describe(
      group.command('create'),
      'create a plan of one organization, or of all',
      "cashwrap plan create --name 'Small shop' --outlets 1 --organization 6740a1f2c3d4e5f6a7b8c901",
    )
      .requiredOption('--name <name>', 'its name', readName)
      .option('--organization <id>', 'the organization it belongs to (default: all)', readId),
  ).action(create)
  describe(group.command('list'), 'list plans, oldest first', 'cashwrap plan list')
    .option('--organization <id>', 'only plans of this organization and plans of all organizations', readId)
    .action(list)
  describeOne(group, 'show', 'show a plan', '6740a1f2c3d4e5f6a7b8c9a1').action(show)
  withPlan(describeOne(group, 'update', 'change or deactivate a plan', '6740a1f2c3d4e5f6a7b8c9a1 --status inactive'))
    .option('--name <name>', 'its name', readName)
    .addOption(
      new Option('--status <status>', 'inactive: no further company can be put on it').choices(['active', 'inactive']),
    )
    .action(update)
}
