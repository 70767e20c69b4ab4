// Automation triggers as the service has them: the declared resource, with its secrets sealed and its changes told to whoever calls the receivers.
import type { Resource } from '../../engine/resource.ts'
import type { Seal } from '../../http/idempotency.ts'
import { automationTrigger } from '../../resources/automation-trigger.ts'
import { apiKeyView } from '../../resources/trigger-key.ts'
import { keepSecrets } from './trigger-secret.ts'
import { triggerTrail } from './trigger-trail.ts'

/** The resource whose secrets `seal` seals. */
export const sealedTrigger = (seal: Seal): Resource => ({
  ...automationTrigger,
  view: { ...apiKeyView, store: keepSecrets(seal) },
  trail: triggerTrail,
})
