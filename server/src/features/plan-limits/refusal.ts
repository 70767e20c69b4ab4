// What plans limit, and the refusal of a caller whose plan allows no more.

import { bodyError, Problem } from '../../core/problem.ts'
import type { Resource } from '../../engine/resource.ts'
import type { Route } from '../../http/route.ts'

/**
 * What a plan can limit, as in its `limits`, and the resource that is counted for it. A linked account counts like any
 * other user.
 */
const limitedResources = {
  outlets: 'outlet',
  stations: 'station',
  products: 'product',
  users: 'account',
} as const
export type LimitName = keyof typeof limitedResources
export const limitNames = Object.keys(limitedResources) as LimitName[]

/** The name of a plan's limit on a resource; undefined if plans do not limit it. */
export const limitOn = ({ name }: Resource): LimitName | undefined =>
  limitNames.find((limit) => limitedResources[limit] === name.one)

/** The limit for each; absent ones are unlimited. */
export type Limits = Readonly<Partial<Record<LimitName, number>>>

/** The 403 for a create that the plan does not allow; `at` is the pointer of the item in its request. */
export function beyondPlan(name: LimitName, limit: number, count: number, at = ''): Problem {
  const things = limit === 1 ? name.slice(0, -1) : name
  const allowed = limit === 0 ? `no ${name}` : `${limit.toLocaleString('en')} ${things}`
  const message = `The plan allows ${allowed}, and there ${count === 1 ? 'is' : 'are'} ${count.toLocaleString('en')}.`
  return new Problem('plan_limit', message, [{ ...bodyError(at, 'plan_limit', message), resource: name, limit, count }])
}

/** A route as the reference shows it: one that creates a record may meet the limit. In a bulk request, an item does. */
export const answeringLimit = (route: Route): Route =>
  route.replies[201] && !route.isBulk ? { ...route, problems: [...(route.problems ?? []), 'plan_limit'] } : route
