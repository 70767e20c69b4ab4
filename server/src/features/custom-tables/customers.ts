// Customers of each company: handled by the plain resource, or by one that also has the columns of the company's
// tables.

import type { IsGone } from '../../core/is-gone.ts'
import { sizedLruCache } from '../../core/lru-cache.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction } from '../../engine/bisect-on-error.ts'
import { documentedDryRun } from '../../engine/dry-run.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import { StaleSchemaError } from '../../engine/projection.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { restoreRoutes } from '../../engine/restore.ts'
import { styleA } from '../../engine/style-a.ts'
import { styleB } from '../../engine/style-b.ts'
import type { Route } from '../../http/route.ts'
import { customer } from '../../resources/customer.ts'
import { extendedCustomer } from './customer-columns.ts'
import { type Extensions, type SchemaCache, schemaVersion } from './schema-cache.ts'

/** Companies whose extended customers are cached, ready for use, of some 20 KB each; and columns of all of them together, of 200 bytes each. */
const CACHED_EXTENSIONS = 1_000
const CACHED_EXTENSION_COLUMNS = 100_000
/**
 * Retries when the schema changes during a read: it changes seldom, but a program that sets tables up changes it a
 * hundred times.
 */
export const STRUCTURE_LOOKS = 100

/** The customers of a company at some version of its table schema; `isPlain`: the company's tables add nothing. */
interface Customers {
  readonly operations: Operations
  readonly version: number
  readonly isPlain: boolean
  /** Columns that its tables add. */
  readonly columns: number
}

/** Customers, and a company's own variant for the reference: undefined if it is the plain one, or the key is limited to other resources. */
interface CustomerParts {
  readonly operations: Operations
  readonly routesFor: (scope: Scope) => Promise<readonly Route[] | undefined>
  /** The resource as the company has it now; the plain one for a key that is limited to others. */
  readonly resourceFor: (scope: Scope) => Promise<Resource>
}

/**
 * The customers of each company by its cached table schema, which may be slightly old. A record that shows more, a
 * write that finds another version, and a refused body cause a second try, so that a change takes effect everywhere at
 * once.
 */
class CompanyCustomers {
  readonly plain: Operations
  readonly #database: Database
  readonly #semaphores: OperationSemaphores | undefined
  readonly #schemas: SchemaCache
  readonly #extended = sizedLruCache<string, Customers>(
    { entries: CACHED_EXTENSIONS, size: CACHED_EXTENSION_COLUMNS },
    ({ columns }) => columns + 1,
  )

  constructor(database: Database, semaphores: OperationSemaphores | undefined, schemas: SchemaCache) {
    this.plain = operations(customer, database, semaphores)
    this.#database = database
    this.#semaphores = semaphores
    this.#schemas = schemas
  }

  #extendedBy(companyId: string, extensions: Extensions): Customers {
    const known = this.#extended.get(companyId)
    if (known?.version === extensions.version) return known
    const own = operations(extendedCustomer(extensions), this.#database, this.#semaphores)
    const columns = extensions.tables.reduce((sum, table) => sum + table.columns.length, 0)
    const made = { operations: own, version: extensions.version, isPlain: false, columns }
    this.#extended.set(companyId, made)
    return made
  }

  /** The customers of a company by the cached schema; synchronous if there is one. */
  cached(companyId: string): Customers | Promise<Customers> {
    const choose = (extensions: Extensions): Customers =>
      extensions.tables.length === 0
        ? { operations: this.plain, version: extensions.version, isPlain: true, columns: 0 }
        : this.#extendedBy(companyId, extensions)
    const extensions = this.#schemas.extensions(companyId)
    return extensions instanceof Promise ? extensions.then(choose) : choose(extensions)
  }

  /** Customers by the current schema, which also knows what their rows still hold of deleted tables. */
  async #fresh(companyId: string): Promise<Customers> {
    return this.#extendedBy(companyId, await this.#schemas.extensions(companyId, { fresh: true }))
  }

  async #isCurrent({ version }: Customers, scope: Scope, isGone?: IsGone): Promise<boolean> {
    return version === (await this.#schemas.currentVersion({ scope, isGone }))
  }

  /**
   * Runs `work` with the cached schema, and again with the current one while the schema is stale. It is stale if `work`
   * throws `StaleSchemaError` or returns undefined.
   */
  async #retryWhileStale<T>({ companyId }: Scope, work: (own: Customers) => Promise<T | undefined>): Promise<T> {
    for (let tries = 0; tries < STRUCTURE_LOOKS; tries++) {
      const own = await (tries === 0 ? this.cached(companyId) : this.#fresh(companyId))
      try {
        const done = await work(own)
        if (done !== undefined) return done
      } catch (error) {
        if (!(error instanceof StaleSchemaError)) throw error
      }
    }
    throw unavailable('Too many concurrent changes to the custom tables. Try again.', 'contention')
  }

  /** Customers by a schema that is current. */
  current(scope: Scope): Promise<Customers> {
    return this.#retryWhileStale(scope, async (own) => ((await this.#isCurrent(own, scope)) ? own : undefined))
  }

  read(scope: Scope, id: string, isGone?: IsGone): Promise<string> {
    const own = this.cached(scope.companyId)
    if (own instanceof Promise || !own.isPlain) return this.#readExtended(scope, id, isGone)
    // The path of nearly all reads, without an unneeded promise.
    return this.plain.read(scope, id, isGone).catch((error) => {
      if (error instanceof StaleSchemaError) return this.#readExtended(scope, id, isGone)
      throw error
    })
  }

  /** A record, read with a schema that was still current afterwards. Plain customers check that themselves. */
  #readExtended(scope: Scope, id: string, isGone?: IsGone): Promise<string> {
    return this.#retryWhileStale(scope, async (own) => {
      const found = await own.operations.read(scope, id, isGone)
      return own.isPlain || (await this.#isCurrent(own, scope, isGone)) ? found : undefined
    })
  }

  list(scope: Scope, request: Parameters<Operations['list']>[1]): ReturnType<Operations['list']> {
    return this.#retryWhileStale(scope, async (own) => {
      const page = await own.operations.list(scope, request)
      // The rest of a long page uses this schema too, so it must have been current when the page was read.
      let isRight = own.isPlain && page.chunks === undefined
      try {
        isRight ||= await this.#isCurrent(own, scope, request.isGone)
      } finally {
        if (!isRight) await page.chunks?.return?.()
      }
      return isRight ? page : undefined
    })
  }

  writeOne(item: Item, write: (own: Operations) => Promise<ItemResult>): Promise<ItemResult> {
    return this.#retryWhileStale(item.scope, async (own) => {
      const outcome = await write(own.operations)
      if (outcome instanceof StaleSchemaError) return undefined
      return isDoubted(own, outcome) && !(await this.#isCurrent(own, item.scope, item.isGone)) ? undefined : outcome
    })
  }

  /**
   * Writes items of one company in one transaction: if one is stale, or refused by a schema that has changed meanwhile,
   * none of them stays, and all are written with the new schema.
   */
  async writeMany<I extends Item>(
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
      return isRight || own.version === (await schemaVersion(transaction, scope.companyId)) ? outcomes : undefined
    }
    return this.#retryWhileStale(scope, (own) =>
      inTransaction(this.#database, connection, (transaction) =>
        rolledBackWithoutResult(transaction, () => attempt(own, transaction)),
      ),
    )
  }

  /** New plain customers need no transaction, unless a body has a member that may be a table's. */
  async createMany(items: readonly Item[], connection?: Queryable): Promise<ItemResult[]> {
    const [first] = items
    const own = first && (await this.cached(first.scope.companyId))
    if (own?.isPlain && !items.some(hasUnknownMember)) return this.plain.createMany(items, connection)
    return this.writeMany(items, connection, (own, transaction) => own.createMany(items, transaction))
  }
}

/** Makes customers. */
export function customerParts(
  database: Database,
  semaphores: OperationSemaphores | undefined,
  schemas: SchemaCache,
): CustomerParts {
  const customers = new CompanyCustomers(database, semaphores, schemas)
  const routes = new WeakMap<Operations, readonly Route[]>()
  const { resource, once, inTransactions } = customers.plain
  return {
    operations: {
      resource,
      once,
      inTransactions,
      read: (scope, id, isGone) => customers.read(scope, id, isGone),
      list: (scope, request) => customers.list(scope, request),
      create: (item) => customers.writeOne(item, (own) => own.create(item)),
      update: (item) => customers.writeOne(item, (own) => own.update(item)),
      remove: (item) => customers.writeOne(item, (own) => own.remove(item)),
      restore: (item) => customers.writeOne(item, (own) => own.restore(item)),
      createMany: (items, connection) => customers.createMany(items, connection),
      updateMany: (items, connection) =>
        customers.writeMany(items, connection, (own, transaction) => own.updateMany(items, transaction)),
      removeMany: (items, connection) =>
        customers.writeMany(items, connection, (own, transaction) => own.removeMany(items, transaction)),
    },
    resourceFor: async (scope) =>
      scope.mayUse(customer.name.one) ? (await customers.current(scope)).operations.resource : customer,
    async routesFor(scope) {
      if (!scope.mayUse(customer.name.one)) return undefined
      const own = await customers.current(scope)
      if (own.isPlain) return undefined
      const made =
        routes.get(own.operations) ??
        [...styleB(own.operations), ...styleA(own.operations), ...restoreRoutes(own.operations)].map(documentedDryRun)
      routes.set(own.operations, made)
      return made
    },
  }
}

/**
 * Whether an item may have been refused because of the schema. With plain customers, that can only be because of
 * unknown members.
 */
const isDoubted = ({ isPlain }: Customers, outcome: ItemResult): boolean =>
  outcome instanceof Problem &&
  outcome.code === 'validation_failed' &&
  (!isPlain || outcome.errors.some(({ code }) => code === 'unknown'))

const hasUnknownMember = ({ value }: Item): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).some((member) => !Object.hasOwn(customer.fields, member))

/** The result of a transaction; if it returns undefined or throws `StaleSchemaError`, nothing of it stays. */
async function rolledBackWithoutResult<T>(
  transaction: Queryable,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await transaction.query('savepoint look')
  const done = await work().catch((error) => {
    if (!(error instanceof StaleSchemaError)) throw error
    return undefined
  })
  await transaction.query(done === undefined ? 'rollback to savepoint look' : 'release savepoint look')
  return done
}
