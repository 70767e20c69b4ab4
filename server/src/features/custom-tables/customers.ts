// Customers as each company has them: carried out by the plain resource, or by one that has the columns of the company's tables too.
import { LRUCache } from 'lru-cache'
import type { Database } from '../../database/connect.ts'
import { type Item, type OperationLanes, type Operations, type Outcome, operations } from '../../engine/operations.ts'
import type { Resource } from '../../engine/resource.ts'
import { styleA } from '../../engine/style-a.ts'
import { styleB } from '../../engine/style-b.ts'
import { Outgrown } from '../../engine/view.ts'
import { Problem, unavailable } from '../../http/problem.ts'
import type { Route } from '../../http/route.ts'
import type { Scope } from '../../http/scope.ts'
import { CACHED_EXTENSIONS, STRUCTURE_LOOKS } from '../../limits.ts'
import { customer } from '../../resources/customer.ts'
import { customerColumns } from './customer-columns.ts'
import type { Extensions, Structures } from './structure.ts'

/** The customers of a company by its structure of some version; `isPlain`: as those of all companies whose tables add nothing. */
interface Customers {
  readonly operations: Operations
  readonly version: number
  readonly isPlain: boolean
}

/** Customers, and how a company's own look in the reference: undefined where they are as everybody's. */
export interface CustomerParts {
  readonly operations: Operations
  readonly routesFor: (scope: Scope) => Promise<readonly Route[] | undefined>
}

/** The resource with the columns that a company's tables add. */
function extended(extensions: Extensions): Resource {
  const view = customerColumns(extensions)
  return {
    ...customer,
    fields: { ...customer.fields, ...view.fields },
    view,
    isViewed: extensions.tables.length > 0,
  }
}

/**
 * Makes customers. What is remembered of a company's structure may be a moment old: a record that shows more, a write that
 * finds another version, and a body that is refused make for a second look, so that a change holds at once everywhere.
 */
export function customerParts(database: Database, lanes: OperationLanes, structures: Structures): CustomerParts {
  const plain = operations(customer, database, lanes)
  const kept = new LRUCache<string, Customers>({ max: CACHED_EXTENSIONS })
  const routes = new WeakMap<Operations, readonly Route[]>()

  function ownOf(companyId: string, extensions: Extensions): Customers {
    const known = kept.get(companyId)
    if (known?.version === extensions.version) return known
    const own = operations(extended(extensions), database, lanes)
    const made = { operations: own, version: extensions.version, isPlain: false }
    kept.set(companyId, made)
    return made
  }

  /** The customers of a company by what is remembered; at once, where something is. */
  function remembered(companyId: string): Customers | Promise<Customers> {
    const choose = (extensions: Extensions) =>
      extensions.tables.length === 0
        ? { operations: plain, version: extensions.version, isPlain: true }
        : ownOf(companyId, extensions)
    const extensions = structures.extensions(companyId)
    return extensions instanceof Promise ? extensions.then(choose) : choose(extensions)
  }

  /** Those of the structure as it is now, which also know what their rows still hold of tables that are gone. */
  async function fresh(companyId: string): Promise<Customers> {
    return ownOf(companyId, await structures.extensions(companyId, { fresh: true }))
  }

  /**
   * Runs `work` by what is remembered, and again by the structure as it is now for as long as it is outgrown: when it
   * throws `Outgrown`, or gives undefined.
   */
  async function looking<T>({ companyId }: Scope, work: (own: Customers) => Promise<T | undefined>): Promise<T> {
    for (let looks = 0; looks < STRUCTURE_LOOKS; looks++) {
      const own = await (looks === 0 ? remembered(companyId) : fresh(companyId))
      try {
        const done = await work(own)
        if (done !== undefined) return done
      } catch (error) {
        if (!(error instanceof Outgrown)) throw error
      }
    }
    throw unavailable('The custom tables are being changed by too many at once. Try again.')
  }

  const isCurrent = async ({ version }: Customers, scope: Scope, isGone?: () => boolean): Promise<boolean> =>
    version === (await structures.currentVersion({ scope, isGone }))

  /** What was read by a structure, if that holds; both are asked at once. Plain customers see themselves where it does not. */
  const reading = <T>(scope: Scope, read: (own: Operations) => Promise<T>, isGone?: () => boolean): Promise<T> =>
    looking(scope, async (own) => {
      if (own.isPlain) return read(own.operations)
      const [found, isStill] = await Promise.all([read(own.operations), isCurrent(own, scope, isGone)])
      return isStill ? found : undefined
    })

  /** Writes items of one company; those that are outgrown, or refused by a structure that is another by now, once more. */
  async function writing<I extends Item>(
    items: readonly I[],
    write: (own: Operations, items: readonly I[]) => Promise<Outcome[]>,
  ): Promise<Outcome[]> {
    const [first] = items
    if (first === undefined) return []
    const { scope } = first
    const outcomes: Outcome[] = new Array(items.length)
    let left = items.map((_, n) => n)
    return looking(scope, async (own) => {
      const done = await write(
        own.operations,
        left.map((n) => items[n] as I),
      )
      left.forEach((n, k) => {
        outcomes[n] = done[k] as Outcome
      })
      const outgrown = left.filter((n) => outcomes[n] instanceof Outgrown)
      const doubted = left.filter((n) => isDoubted(own, outcomes[n] as Outcome))
      const isSame = doubted.length === 0 || (await isCurrent(own, scope, first.isGone))
      left = isSame ? outgrown : [...outgrown, ...doubted].sort((a, b) => a - b)
      return left.length === 0 ? outcomes : undefined
    })
  }

  const one = async (item: Item, write: (own: Operations) => Promise<Outcome>): Promise<Outcome> =>
    (await writing([item], async (own) => [await write(own)]))[0] as Outcome

  const { resource, once } = plain
  return {
    operations: {
      resource,
      once,
      read: (scope, id, isGone) => reading(scope, (own) => own.read(scope, id, isGone), isGone),
      list: (scope, request) => reading(scope, (own) => own.list(scope, request), request.isGone),
      create: (item) => one(item, (own) => own.create(item)),
      update: (item) => one(item, (own) => own.update(item)),
      remove: (item) => one(item, (own) => own.remove(item)),
      createMany: (items, connection) => writing(items, (own, some) => own.createMany(some, connection)),
      updateMany: (items, connection) => writing(items, (own, some) => own.updateMany(some, connection)),
      removeMany: (items, connection) => writing(items, (own, some) => own.removeMany(some, connection)),
    },
    async routesFor(scope) {
      const own = await looking(scope, async (own) => ((await isCurrent(own, scope)) ? own : undefined))
      if (own.isPlain) return undefined
      const made = routes.get(own.operations) ?? [...styleB(own.operations), ...styleA(own.operations)]
      routes.set(own.operations, made)
      return made
    },
  }
}

/** Whether an item may have been refused for what the structure was: plain customers refuse only members that they do not know. */
const isDoubted = ({ isPlain }: Customers, outcome: Outcome): boolean =>
  outcome instanceof Problem &&
  outcome.code === 'validation_failed' &&
  (!isPlain || outcome.errors.some(({ code }) => code === 'unknown'))
