// A sale as it is stored if its sums need not be right: sent amounts count, and missing ones are computed.

/** A value as it was sent, with the members that it left out as they were computed. */
export function completed<T>(sent: T, computed: T): T {
  if (sent === undefined || sent === computed) return computed
  if (typeof sent !== 'object' || sent === null || typeof computed !== 'object' || computed === null) return sent
  const members = Object.entries(computed).map(([name, value]) => [name, completed((sent as any)[name], value)])
  return Array.isArray(computed) ? (members.map(([, value]) => value) as T) : Object.fromEntries(members)
}
