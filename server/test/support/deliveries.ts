// Deliveries as the service that sends would leave them, made of the events that a company's writes really raised.
import {
  type DeliveredEvent,
  type NewDelivery,
  recordDeliveries,
  type TriggerKey,
} from '../../src/features/webhooks/deliveries.ts'
import { readDue } from '../../src/features/webhooks/reads.ts'
import type { Attempt, Delivery } from '../../src/resources/webhook-delivery.ts'
import type { Body } from './contract.ts'
import { type FeedRow, feed } from './feed.ts'
import type { Company, TestService } from './service.ts'

/** The paths of triggers in each style. */
export const triggers = ['/v1/automation-trigger', '/v1/api/automation-triggers'] as const
/** The log of a trigger in each style: Style B, then Style A. */
export const logs = [
  (id: string) => `${triggers[0]}/${id}/deliveries`,
  (id: string) => `${triggers[1]}/${id}/deliveries`,
] as const

/** A trigger of a company. */
export async function makeTrigger({ call }: Company, body: Body = {}): Promise<Body> {
  const reply = await call('POST', '/v1/automation-trigger', {
    triggerType: 'customer.created',
    triggerUrl: 'https://hooks.example.com/cashwrap',
    ...body,
  })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/** An attempt that failed. */
export const failure: Attempt = {
  at: '2026-11-21T09:30:00.000Z',
  status: 503,
  error: 'The receiver answered 503.',
  durationMs: 42,
  answer: 'Down for maintenance',
}

/** The newest event of a company, after one of its writes. */
export async function someEvent(service: TestService, { id, call }: Company, body: Body = {}): Promise<FeedRow> {
  await call('POST', '/v1/customer', { firstName: 'Ann', ...body })
  return (await feed(service, id)).at(-1) as FeedRow
}

/** A delivery of a new event to a trigger; by default failed after one attempt. */
export async function deliver(
  service: TestService,
  company: Company,
  triggerId: string,
  about: Partial<NewDelivery> = {},
): Promise<Delivery> {
  const event = await someEvent(service, company)
  const [delivery] = await recordDeliveries(service.database, [newDelivery(company, triggerId, event, about)])
  return delivery as Delivery
}

/** The record of an event. */
export const newDelivery = (
  { id: companyId }: Company,
  triggerId: string,
  { id, type, sequence, createdAt }: FeedRow,
  about: Partial<NewDelivery> = {},
): NewDelivery => ({
  companyId,
  triggerId,
  eventId: id,
  eventType: type,
  feed: { sequence, createdAt },
  attempts: [failure],
  progress: { state: 'failed' },
  ...about,
})

/** The ids of a trigger's due deliveries, and their events. */
export async function dueOf(
  { database }: TestService,
  trigger: TriggerKey,
  most = 100,
): Promise<{ ids: string[]; events: (DeliveredEvent | undefined)[] }> {
  const all = await readDue(database, [trigger], most)
  return { ids: all.map(({ delivery }) => delivery.id), events: all.map(({ event }) => event) }
}
