// The routes of the service as the sweeps fold over them: each with a path that can be called, and the resource that it serves.
import assert from 'node:assert/strict'
import { allRoutes } from '../../src/app.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Route } from '../../src/http/route.ts'
import { type Contract, contracts } from './contract.ts'
import { isThorough } from './variants.ts'

/** An id of the right form without a record. */
export const noId = '0'.repeat(24)

/** Every route. They are only inspected, without a database. */
export const every: readonly Route[] = allRoutes({} as Database).filter(({ isPage }) => !isPage)
/** Those for people only, from the console's pages. */
export const personal = every.filter(
  ({ surface, forPeople, isForOwnPages }) => surface === 'person' || forPeople !== undefined || isForOwnPages,
)
/** Those for programs: with a key, or without. */
export const routes = every.filter((route) => !personal.includes(route))
/** Those that need a key, or a person instead. */
export const keyed = routes.filter(({ surface }) => surface !== 'public')
/** Those without authentication. */
export const keyless = routes.filter(({ surface, takesCompanyKey }) => surface === 'public' && !takesCompanyKey)
/** Those with a body. */
export const withBody = routes.filter(({ body }) => body !== undefined)

/** A route's path with an id instead of each parameter. */
export const pathOf = ({ path }: Route, id = noId): string => path.replaceAll(/\{\w+\}/g, id)

/** The required query parameters of a list. */
export const neededQuery = ({ query = {} }: Route): string =>
  Object.entries(query)
    .filter(([, schema]) => schema['x-required'])
    .map(([name]) => `?${name}=${noId}`)
    .join('')

/** The resource of a route; undefined for a route without one. */
export function servedBy({ path }: Route): Contract | undefined {
  const bare = path.replace(/\/(\{id\}(\/restore)?|external\/.*)$/, '')
  return contracts.find(({ one, many, styleA }) =>
    [`/v1/${one}`, `/v1/${many}`, ...[styleA?.list, ...(styleA?.one ?? [])].map((name) => `/v1/api/${name}`)].includes(
      bare,
    ),
  )
}

/** Checks each item, some in parallel, and fails with the first ten errors. */
export async function each<T>(items: readonly T[], nameOf: (item: T) => string, check: (item: T) => Promise<void>) {
  assert.ok(items.length > 0)
  const failures: string[] = []
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await check(item).catch((error: Error) => void failures.push(`${nameOf(item as T)}: ${error.message}`))
  }
  await Promise.all(Array.from({ length: 8 }, work))
  const more = failures.length > 10 ? `\n… and ${failures.length - 10} more` : ''
  assert.equal(failures.length, 0, `${failures.slice(0, 10).join('\n')}${more}`)
}

/** The same for routes. */
export const eachRoute = (some: readonly Route[], check: (route: Route) => Promise<void>) =>
  each(some, ({ method, path }) => `${method} ${path}`, check)

/**
 * Variants for a route, for a rule that does not depend on it: all of them if it is the first of its surface, method and
 * kind of body, or the run is thorough; otherwise one, in turn.
 */
export function inTurn<T>(some: readonly T[]): (route: Route) => readonly T[] {
  const met = new Set<string>()
  let next = 0
  return ({ surface, method, isBulk }) => {
    const kind = `${surface} ${method} ${isBulk}`
    if (met.has(kind) && !isThorough) return [some[next++ % some.length] as T]
    met.add(kind)
    return some
  }
}

/**
 * Routes, of which those of one record in both path styles (`singleRoutes` makes both) are given in one style: for each
 * resource and kind of write in turn, unless the run is thorough.
 */
export function inOneStyle(some: readonly Route[]): readonly Route[] {
  if (isThorough) return some
  const isSingle = ({ path, isBulk }: Route) => !isBulk && /^\/v1\/(api\/)?[\w-]+(\/\{id\})?$/.test(path)
  const groups = Map.groupBy(some, (route) => {
    const resource = isSingle(route) ? servedBy(route) : undefined
    return resource === undefined ? route : `${resource.one} ${route.method.replace('PUT', 'PATCH')}`
  })
  let turn = 0
  return [...groups.values()].map((same) => same[same.length > 1 ? turn++ % same.length : 0] as Route)
}
