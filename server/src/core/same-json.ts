// Whether an update changes anything: compares values as JSON does, in which the members of an object have no order.

/**
 * Whether two values are the same JSON. The order of members does not count: some clients sort or shuffle those of a
 * record that they read and send back. The values are compared in place, since they may be a megabyte long.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  if (Array.isArray(one)) return isSameArray(one, other as unknown[])
  return isSameObject(one as JsonMembers, other as JsonMembers)
}

type JsonMembers = Readonly<Record<string, unknown>>

const isSameArray = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, n) => isSameJson(value, other[n]))

/** JSON leaves undefined members out. The loops make no list of members, which would take most of the time. */
function isSameObject(one: JsonMembers, other: JsonMembers): boolean {
  let others = 0
  for (const name in other) if (other[name] !== undefined) others++
  for (const name in one) {
    if (one[name] === undefined) continue
    if (!Object.hasOwn(other, name) || !isSameJson(one[name], other[name])) return false
    others--
  }
  return others === 0
}
