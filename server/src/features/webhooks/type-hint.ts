// Says of a trigger whose type no event has that it never fires: such a type is stored, and nothing else would tell its owner.

import { olderNames } from '../../resources/automation-trigger.ts'
import { meantType } from '../events/meant-type.ts'

/** Why a trigger never fires, with the type that was probably meant; undefined for a type that an event has, or that is like none. */
export function typeHint(triggerType: string): string | undefined {
  const meant = Object.hasOwn(olderNames, triggerType) ? undefined : meantType(triggerType)
  return meant && `No event has this type, so the trigger never fires; did you mean ${meant}?`
}
