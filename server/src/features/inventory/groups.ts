// Moves that belong together, such as both halves of a transfer: items with the same `group` are carried out together, or none of them.

import { bodyError, conflict, invalid, Problem } from '../../core/problem.ts'
import type { ItemResult } from '../../engine/record.ts'

/** An item of a request that can be carried out, by its place among the checked items. */
interface Grouped {
  readonly place: number
  readonly group: string | undefined
}

/** The result of an item whose group has a refused item. */
const refusedWith = (group: string): Problem =>
  conflict(
    'group_refused',
    `Another item of the group ${JSON.stringify(group)} was refused, so this one was not carried out.`,
  )

/** The name of an item’s group, as it was sent. */
function groupOf(item: unknown): string | undefined {
  const group = typeof item === 'object' && item !== null ? (item as { group?: unknown }).group : undefined
  return typeof group === 'string' && group !== '' ? group : undefined
}

/** The problem of each group whose items do not follow each other; a wrong item between them is between them too. */
function itemsApart(sent: readonly unknown[], pointer: string): Map<string, Problem> {
  const apart = new Map<string, Problem>()
  const ended = new Set<string>()
  let before: string | undefined
  for (const [n, item] of sent.entries()) {
    const group = groupOf(item)
    if (group !== before && before !== undefined) ended.add(before)
    if (group !== before && group !== undefined && ended.has(group) && !apart.has(group))
      apart.set(
        group,
        invalid([bodyError(`${pointer}/${n}/group`, 'order', 'must directly follow the other items of its group')]),
      )
    before = group
  }
  return apart
}

/**
 * The problems of items that cannot be carried out because of their group, by their places: another item of it is wrong, or they
 * do not follow each other. `sent` are all items of the request, at `pointer`, also those that are wrong.
 */
export function brokenGroups(
  sent: readonly unknown[],
  pointer: string,
  valid: readonly Grouped[],
): Map<number, Problem> {
  const missing = new Map<string, number>()
  const count = (group: string | undefined, by: number) => {
    if (group !== undefined) missing.set(group, (missing.get(group) ?? 0) + by)
  }
  for (const item of sent) count(groupOf(item), 1)
  for (const { group } of valid) count(group, -1)
  const apart = itemsApart(sent, pointer)
  return new Map(
    valid.flatMap(({ place, group }): [number, Problem][] => {
      if (group === undefined) return []
      const problem = apart.get(group) ?? (missing.get(group) === 0 ? undefined : refusedWith(group))
      return problem ? [[place, problem]] : []
    }),
  )
}

/** The results of items; all items of a group with a refused item say so. */
export function withGroups(groups: readonly (string | undefined)[], results: readonly ItemResult[]): ItemResult[] {
  const refused = new Set(groups.filter((_, n) => results[n] instanceof Problem))
  return results.map((result, n) => {
    const group = groups[n]
    return group === undefined || result instanceof Problem || !refused.has(group) ? result : refusedWith(group)
  })
}
