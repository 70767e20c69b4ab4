// What a type that no event has probably means: readers of the feed and owners of triggers learn it, instead of waiting forever.

import { olderNames } from '../../resources/automation-trigger.ts'
import { bareName, resourceCalled, resources } from '../../resources/index.ts'
import { customTableResources } from '../custom-tables/resources.ts'

/** The resources whose records raise events. */
export const eventResources = [...resources, ...customTableResources]

/** Records that raise no events of their own, by their names without punctuation, and the event of the write that makes them. */
const eventBeside: ReadonlyMap<string, string> = new Map([
  ['closing', 'session.closed'],
  ['inventoryhistory', 'inventory.stock_changed'],
])

/** Letters of a verb from which on its type is recognised by a part: `order.complete`, `inventory.changed`. */
const VERB_LETTERS = 4

/**
 * The type or pattern that was probably meant by one that no event has: an older name, another name of the resource as in
 * `sale.created`, another form of the verb as in `order.complete`, a record without events as in `closing.created`. Undefined for the type of an event, and for one that is like none.
 */
export function meantType(name: string): string | undefined {
  const types = eventResources.flatMap(({ eventTypes }) => eventTypes)
  if (types.includes(name)) return undefined
  const is = (other: string) => bareName(other) === bareName(name)
  const older = Object.keys(olderNames).find(is)
  if (older !== undefined) return olderNames[older]
  const [of = '', verb = ''] = name.split(/[./:](.*)/s)
  const resource = of.includes('*') ? undefined : resourceCalled(of, eventResources)
  if (resource === undefined) return types.find(is) ?? eventBeside.get(bareName(of).replace(/s$/, ''))
  const { one } = resource.name
  if (verb === '') return `${one}.*`
  if (verb.endsWith('*')) return name === `${one}.${verb}` ? undefined : `${one}.${verb}`
  const bare = bareName(verb)
  const isLike = (type: string) => {
    const own = bareName(type.slice(one.length))
    return own.startsWith(bare) || own.endsWith(bare)
  }
  const own = bare.length < VERB_LETTERS ? undefined : resource.eventTypes.find(isLike)
  return own ?? (of === one ? undefined : `${one}.*`)
}

/** Whether a text has the form of a type or pattern, or is an older name. */
const isType = (text: string): boolean => Object.hasOwn(olderNames, text) || /^[\w-]+\.[\w.*-]+$/.test(text)

/** Whether it is several types separated by commas, as the feed takes them. */
function isList(triggerType: string): boolean {
  const parts = triggerType.split(',').map((part) => part.trim())
  return parts.length > 1 && parts.every(isType)
}

/** The pattern of all types of a resource, for a type that it does not have, such as `order.paid`. The feed accepts these: a later version may have them. */
function allOf(type: string): string | undefined {
  const of = eventResources.find(({ name }) => type.startsWith(`${name.one}.`))
  return of === undefined || type.includes('*') || of.eventTypes.includes(type) ? undefined : `${of.name.one}.*`
}

/** Why a trigger never fires, and what was probably meant; undefined for a type that an event has, or that is like none. */
export function typeHint(triggerType: string): string | undefined {
  const never = 'No event has this type, so the trigger never fires'
  if (isList(triggerType)) return `${never}; a trigger has one type or pattern: create one for each`
  const meant = Object.hasOwn(olderNames, triggerType) ? undefined : (meantType(triggerType) ?? allOf(triggerType))
  return meant && `${never}; did you mean ${meant}?`
}
