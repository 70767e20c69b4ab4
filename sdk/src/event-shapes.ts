// The shapes of events and of webhook calls, which the generated unions are made of.
import type { AutomationTrigger, EventActor } from './generated/types.ts'

/** Former values of the members that changed; `null` for those that were unset. */
type Previous<Data> = { [Member in keyof Data]?: Data[Member] | null }

/** What all events have. */
interface EventBase {
  /** Identifies the event; webhooks send the same id. */
  id: string
  /** Its position in the feed, which is a cursor too; numbers increase, with gaps. */
  sequence: number
  /** When the event happened, in UTC. */
  createdAt: string
  /** Who made the write; absent where the service itself acted. */
  actor?: EventActor
}

/** An event of a record. */
export interface RecordEvent<Type extends string, Resource extends string, Data> extends EventBase {
  type: Type
  resource: Resource
  recordId: string
  /** The record as the API shows it, or its last state after a delete. */
  data: Data
  previous?: Previous<Data>
}

/** An event of your own. */
export interface CustomEvent extends EventBase {
  type: `custom.${string}`
  resource: 'custom'
  data: { [name: string]: unknown }
}

/** What all webhook calls have. */
interface CallBase {
  /** The event's id: the same on each attempt. */
  id: string
  /** When the event happened. */
  timestamp: string
  /** Who made the write; absent where the service itself acted. */
  actor?: EventActor
  companyId: string
  /** The id of the trigger's record. */
  triggerId: string
  customTriggerName?: string
  /** The trigger's record: its id, and the member `triggerId` that its owner wrote. */
  trigger: { id: string; triggerId?: string }
}

/** A call about a record. If the trigger's last writer may not read, the record has only its id. */
export type RecordCall<Type extends string, Member extends string, Data> = CallBase & {
  eventType: Type
  previous?: Previous<Data>
} & { [name in Member]: Data }

/** A call about an event of your own. */
export interface CustomCall extends CallBase {
  eventType: `custom.${string}`
  data?: { [name: string]: unknown }
}

/** A test call, which `automationTriggers.test` asks for. */
export type TestCall = RecordCall<'automation-trigger.test', 'automationTrigger', AutomationTrigger>
