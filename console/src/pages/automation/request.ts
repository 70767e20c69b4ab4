// The request of a delivery, reconstructed: its known headers, and its body built from the event.

import type { AutomationTrigger, WebhookDelivery } from '../../api/schemas.ts'
import { text } from '../../texts/automation.ts'
import type { FeedEvent } from './triggers.ts'

interface Header {
  readonly name: string
  readonly value: string
  /** Describes the value instead of showing it. */
  readonly isWords?: boolean
}

/** The relevant headers; time and signature differ for each attempt, so those of the last are shown. */
export function headersOf({ apiKey }: AutomationTrigger, { eventId, attempts }: WebhookDelivery): Header[] {
  const last = attempts.at(-1)
  const words = (name: string, value: string) => ({ name, value, isWords: true })
  return [
    { name: 'content-type', value: 'application/json' },
    { name: 'webhook-id', value: eventId },
    last === undefined
      ? words('webhook-timestamp', text.delivery.perAttempt)
      : { name: 'webhook-timestamp', value: String(Math.floor(Date.parse(last.at) / 1000)) },
    words('webhook-signature', apiKey === undefined ? text.delivery.unsigned : text.delivery.signature),
    apiKey === undefined ? words('x-api-key', text.delivery.unsigned) : { name: 'x-api-key', value: apiKey },
  ]
}

const camelCase = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The body; undefined while its event is unknown. A test has no event: its body contains the trigger. */
export function bodyOf(
  trigger: AutomationTrigger,
  { eventId, eventType, sequence, createdAt }: WebhookDelivery,
  event: FeedEvent | null | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { id: triggerId, companyId, customTriggerName, triggerId: own } = trigger
  const head = (timestamp: string) => ({
    id: eventId,
    eventType,
    timestamp,
    companyId,
    triggerId,
    ...(customTriggerName !== undefined && { customTriggerName }),
    trigger: { id: triggerId, ...(own !== undefined && { triggerId: own }) },
  })
  if (sequence === undefined) return { ...head(createdAt), automationTrigger: trigger }
  if (!event) return undefined
  const { resource, data, previous } = event
  return {
    ...head(event.createdAt),
    [resource === 'custom' ? 'data' : camelCase(resource)]: data,
    ...(previous && { previous }),
  }
}
