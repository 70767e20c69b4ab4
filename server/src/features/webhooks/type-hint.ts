// Says of a trigger whose type no event has that it never fires: such a type is stored, and nothing else would tell its owner.

import { olderNames } from '../../resources/automation-trigger.ts'
import { meantType } from '../events/meant-type.ts'

/** Several types, as the feed takes them. */
const several = /^[\w-]+\.[\w.*-]+(?:, *[\w-]+\.[\w.*-]+)+$/

/** Why a trigger never fires, and what was probably meant; undefined for a type that an event has, or that is like none. */
export function typeHint(triggerType: string): string | undefined {
  const never = 'No event has this type, so the trigger never fires'
  if (several.test(triggerType)) return `${never}; a trigger has one type or pattern: create one for each`
  const meant = Object.hasOwn(olderNames, triggerType) ? undefined : meantType(triggerType)
  return meant && `${never}; did you mean ${meant}?`
}
