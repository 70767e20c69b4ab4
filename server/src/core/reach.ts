// The companies whose rows the running code can reach, if the database keeps companies apart (row-level security).
import { AsyncLocalStorage } from 'node:async_hooks'

/** The reach of the owner of the tables: rows of all companies, and those of none. */
export const everything: unique symbol = Symbol('everything')

/** The id of a company, the ids of several companies whose items share statements, or everything. */
export type Reach = string | ReadonlySet<string> | typeof everything

/** Stores the reach of code. Undefined unless the database keeps companies apart, so that reaches then cost nothing. */
let storage: AsyncLocalStorage<Reach | undefined> | undefined

/** Databases of this process that keep companies apart. */
const holders = new Set<symbol>()

/** From now on code has a reach, until the returned function is called. */
export function keepReaches(): () => void {
  storage ??= new AsyncLocalStorage()
  const holder = Symbol('holder')
  holders.add(holder)
  return () => {
    if (holders.delete(holder) && holders.size === 0) storage = undefined
  }
}

/** Whether code has a reach. */
export const areReachesKept = (): boolean => storage !== undefined

/** The reach of the running code; undefined outside of all functions of this file. */
export const currentReach = (): Reach | undefined => storage?.getStore()

/** Runs `work`, and all that it starts, with the rows of one company in reach. */
export const reachingCompany = <T>(companyId: string, work: () => T): T =>
  storage === undefined ? work() : storage.run(companyId, work)

/** Runs `work`, and all that it starts, with the rows of these companies in reach: those of the items of a statement, and no others. */
export function reachingCompanies<T>(companyIds: Iterable<string>, work: () => T): T {
  if (storage === undefined) return work()
  const companies = new Set(companyIds)
  const [first = ''] = companies
  return storage.run(companies.size > 1 ? companies : first, work)
}

/** Runs `work`, and all that it starts, with everything in reach. Each place that calls this is named in a test. */
export const reachingEverything = <T>(work: () => T): T =>
  storage === undefined ? work() : storage.run(everything, work)

/** Whether a company is in a reach of companies. */
export const isIn = (reach: Exclude<Reach, typeof everything>, companyId: string): boolean =>
  typeof reach === 'string' ? reach === companyId : reach.has(companyId)

/** A function with the reach of the code that makes it, whatever calls it later. */
export function keepReach<Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  if (storage === undefined) return work
  const kept = storage
  const reach = kept.getStore()
  return (...parameters) => kept.run(reach, () => work(...parameters))
}
