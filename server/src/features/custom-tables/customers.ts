// Customers of each company: handled by the plain resource, or by one that also has the columns of the company's
// tables.
import { LRUCache } from 'lru-cache'
import { CACHED_EXTENSION_COLUMNS, CACHED_EXTENSIONS, STRUCTURE_LOOKS } from '../../core/limits.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction } from '../../engine/bisect-on-error.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import { StaleSchemaError } from '../../engine/projection.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { restoreRoutes } from '../../engine/restore.ts'
import { styleA } from '../../engine/style-a.ts'
import { styleB } from '../../engine/style-b.ts'
import type { Route } from '../../http/route.ts'
import { customer } from '../../resources/customer.ts'
import { extendedCustomer } from './customer-events.ts'
import { type Extensions, type Structures, structureVersion } from './table-schema.ts'

/** The customers of a company at some version of its table schema; `isPlain`: the company's tables add nothing. */
interface Customers {
  readonly operations: Operations
  readonly version: number
  readonly isPlain: boolean
  /** Columns that its tables add. */
  readonly columns: number
}

/** Customers, and a company's own variant for the reference: undefined if it is the plain one. */
interface CustomerParts {
  readonly operations: Operations
  readonly routesFor: (scope: Scope) => Promise<readonly Route[] | undefined>
  /** The resource as the company has it now. */
  readonly resourceFor: (scope: Scope) => Promise<Resource>
}

/**
 * Makes customers. A cached table schema may be a moment old: a record that shows more, a write that finds another
 * version, and a body that is refused cause a second try, so that a change takes effect everywhere at once.
 */
export function customerParts(database: Database, lanes: OperationSemaphores, structures: Structures): CustomerParts {
  const plain = operations(customer, database, lanes)
  const kept = new LRUCache<string, Customers>({
    max: CACHED_EXTENSIONS,
    maxSize: CACHED_EXTENSION_COLUMNS,
    sizeCalculation: ({ columns }) => columns + 1,
  })
  const routes = new WeakMap<Operations, readonly Route[]>()

  function ownOf(companyId: string, extensions: Extensions): Customers {
    const known = kept.get(companyId)
    if (known?.version === extensions.version) return known
    const own = operations(extendedCustomer(extensions), database, lanes)
    const columns = extensions.tables.reduce((sum, table) => sum + table.columns.length, 0)
    const made = { operations: own, version: extensions.version, isPlain: false, columns }
    kept.set(companyId, made)
    return made
  }

  /** The customers of a company by the cached schema; synchronous if there is one. */
  function remembered(companyId: string): Customers | Promise<Customers> {
    const choose = (extensions: Extensions) =>
      extensions.tables.length === 0
        ? { operations: plain, version: extensions.version, isPlain: true, columns: 0 }
        : ownOf(companyId, extensions)
    const extensions = structures.extensions(companyId)
    return extensions instanceof Promise ? extensions.then(choose) : choose(extensions)
  }

  /** Customers by the current schema, which also knows what their rows still hold of deleted tables. */
  async function fresh(companyId: string): Promise<Customers> {
    return ownOf(companyId, await structures.extensions(companyId, { fresh: true }))
  }

  /**
   * Runs `work` with the cached schema, and again with the current one while the schema is stale. It is stale if `work`
   * throws `Outgrown` or returns undefined.
   */
  async function looking<T>({ companyId }: Scope, work: (own: Customers) => Promise<T | undefined>): Promise<T> {
    for (let looks = 0; looks < STRUCTURE_LOOKS; looks++) {
      const own = await (looks === 0 ? remembered(companyId) : fresh(companyId))
      try {
        const done = await work(own)
        if (done !== undefined) return done
      } catch (error) {
        if (!(error instanceof StaleSchemaError)) throw error
      }
    }
    throw unavailable('Too many concurrent changes to the custom tables. Try again.')
  }

  const isCurrent = async ({ version }: Customers, scope: Scope, isGone?: () => boolean): Promise<boolean> =>
    version === (await structures.currentVersion({ scope, isGone }))

  const current = (scope: Scope): Promise<Customers> =>
    looking(scope, async (own) => ((await isCurrent(own, scope)) ? own : undefined))

  /** What was read with a schema that was still current afterwards. Plain customers check that themselves. */
  const reading = <T>(scope: Scope, read: (own: Operations) => Promise<T>, isGone?: () => boolean): Promise<T> =>
    looking(scope, async (own) => {
      const found = await read(own.operations)
      return own.isPlain || (await isCurrent(own, scope, isGone)) ? found : undefined
    })

  /**
   * Writes items of one company in one transaction: if one is stale, or refused by a schema that has changed meanwhile,
   * none of them stays, and all are written with the new schema.
   */
  async function writing<I extends Item>(
    items: readonly I[],
    connection: Queryable | undefined,
    write: (own: Operations, transaction?: Queryable) => Promise<ItemResult[]>,
  ): Promise<ItemResult[]> {
    const [first] = items
    if (first === undefined) return []
    const { scope } = first
    const attempt = async (own: Customers, transaction: Queryable): Promise<ItemResult[] | undefined> => {
      const outcomes = await write(own.operations, transaction)
      if (outcomes.some((outcome) => outcome instanceof StaleSchemaError)) return undefined
      const isRight = !outcomes.some((outcome) => isDoubted(own, outcome))
      return isRight || own.version === (await structureVersion(transaction, scope.companyId)) ? outcomes : undefined
    }
    return looking(scope, async (own) => {
      const whole = (transaction: Queryable) => undone(transaction, () => attempt(own, transaction))
      return inTransaction(database, connection, whole)
    })
  }

  const one = (item: Item, write: (own: Operations) => Promise<ItemResult>): Promise<ItemResult> =>
    looking(item.scope, async (own) => {
      const outcome = await write(own.operations)
      if (outcome instanceof StaleSchemaError) return undefined
      return isDoubted(own, outcome) && !(await isCurrent(own, item.scope, item.isGone)) ? undefined : outcome
    })

  /** New plain customers need no transaction, unless a body has a member that may be a table's. */
  async function createMany(items: readonly Item[], connection?: Queryable): Promise<ItemResult[]> {
    const [first] = items
    const own = first && (await remembered(first.scope.companyId))
    if (own?.isPlain && !items.some(hasStranger)) return plain.createMany(items, connection)
    return writing(items, connection, (own, transaction) => own.createMany(items, transaction))
  }

  const { resource, once } = plain
  return {
    operations: {
      resource,
      once,
      read(scope, id, isGone) {
        const look = () => reading(scope, (own) => own.read(scope, id, isGone), isGone)
        const own = remembered(scope.companyId)
        if (own instanceof Promise || !own.isPlain) return look()
        // The path of nearly all reads, without an unneeded promise.
        return plain.read(scope, id, isGone).catch((error) => {
          if (error instanceof StaleSchemaError) return look()
          throw error
        })
      },
      list: (scope, request) =>
        looking(scope, async (own) => {
          const page = await own.operations.list(scope, request)
          // The rest of a long page uses this schema too, so it must have been current when the page was read.
          let isRight = own.isPlain && page.pieces === undefined
          try {
            isRight ||= await isCurrent(own, scope, request.isGone)
          } finally {
            if (!isRight) await page.pieces?.return?.()
          }
          return isRight ? page : undefined
        }),
      create: (item) => one(item, (own) => own.create(item)),
      update: (item) => one(item, (own) => own.update(item)),
      remove: (item) => one(item, (own) => own.remove(item)),
      restore: (item) => one(item, (own) => own.restore(item)),
      createMany,
      updateMany: (items, connection) =>
        writing(items, connection, (own, transaction) => own.updateMany(items, transaction)),
      removeMany: (items, connection) =>
        writing(items, connection, (own, transaction) => own.removeMany(items, transaction)),
    },
    resourceFor: async (scope) => (await current(scope)).operations.resource,
    async routesFor(scope) {
      const own = await current(scope)
      if (own.isPlain) return undefined
      const made = routes.get(own.operations) ?? [
        ...styleB(own.operations),
        ...styleA(own.operations),
        ...restoreRoutes(own.operations),
      ]
      routes.set(own.operations, made)
      return made
    },
  }
}

/** Whether an item may have been refused because of the schema: plain customers refuse only unknown members. */
const isDoubted = ({ isPlain }: Customers, outcome: ItemResult): boolean =>
  outcome instanceof Problem &&
  outcome.code === 'validation_failed' &&
  (!isPlain || outcome.errors.some(({ code }) => code === 'unknown'))

const hasStranger = ({ value }: Item): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).some((member) => !Object.hasOwn(customer.fields, member))

/** The result of a transaction; if it returns undefined or throws `Outgrown`, nothing of it stays. */
async function undone<T>(transaction: Queryable, work: () => Promise<T | undefined>): Promise<T | undefined> {
  await transaction.query('savepoint look')
  const done = await work().catch((error) => {
    if (!(error instanceof StaleSchemaError)) throw error
    return undefined
  })
  await transaction.query(done === undefined ? 'rollback to savepoint look' : 'release savepoint look')
  return done
}
