// Says of a trigger whose type no event has that it never fires: such a type is stored, and nothing else would tell its owner.

import { olderNames } from '../../resources/automation-trigger.ts'
import { meantType } from '../events/meant-type.ts'

/** Whether a text has the form of a type or pattern, or is an older name. */
const isType = (text: string): boolean => Object.hasOwn(olderNames, text) || /^[\w-]+\.[\w.*-]+$/.test(text)

/** Whether it is several types separated by commas, as the feed takes them. */
function isList(triggerType: string): boolean {
  const parts = triggerType.split(',').map((part) => part.trim())
  return parts.length > 1 && parts.every(isType)
}

/** Why a trigger never fires, and what was probably meant; undefined for a type that an event has, or that is like none. */
export function typeHint(triggerType: string): string | undefined {
  const never = 'No event has this type, so the trigger never fires'
  if (isList(triggerType)) return `${never}; a trigger has one type or pattern: create one for each`
  const meant = Object.hasOwn(olderNames, triggerType) ? undefined : meantType(triggerType)
  return meant && `${never}; did you mean ${meant}?`
}
