// Of which events a trigger wants to hear: its `triggerType`, and the types of events that it stands for (decisions §9).
import { olderNames } from '../../resources/automation-trigger.ts'

/** A type, `customer.created`, or a pattern, `customer.*`; the name of a custom event may hold further points. */
const typed = /^[a-z-]+(?:\.[a-z0-9._-]+|\.(?:[a-z0-9._-]+\.)?\*)$/

/**
 * The types of events that a `triggerType` stands for, or patterns of them: `*` for all, `customer.*` for those that begin
 * so. Empty for a word that never fires; a type that no event has is given as it is, and matches none.
 */
export function patternsOf(triggerType: string): string[] {
  const older = Object.hasOwn(olderNames, triggerType) ? olderNames[triggerType] : undefined
  if (older !== undefined) return [older]
  return triggerType === '*' || typed.test(triggerType) ? [triggerType] : []
}

/** Whether one of the patterns is that of an event's type. */
export const matches = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type))
