// Which events a trigger matches: its `triggerType`, and the event types that it covers (decisions §9).
import { olderNames } from '../../resources/automation-trigger.ts'

/** A type, `customer.created`, or a pattern, `customer.*`; the name of a custom event may contain more points. */
const typed = /^[a-z-]+(?:\.[a-z0-9._-]+|\.(?:[a-z0-9._-]+\.)?\*)$/

/**
 * The event types or patterns of a `triggerType`: `*` for all, `customer.*` for those that begin so. Empty for a word
 * that never fires; a type that no event has is returned as it is, and matches none.
 */
export function patternsOf(triggerType: string): string[] {
  const older = Object.hasOwn(olderNames, triggerType) ? olderNames[triggerType] : undefined
  if (older !== undefined) return [older]
  return triggerType === '*' || typed.test(triggerType) ? [triggerType] : []
}

/** Whether one of the patterns matches an event's type. */
export const matches = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type))
