// What a receiver is sent for an event (decisions §9).
import { camelCase } from '../../engine/resource.ts'

/** An event as its row holds it; `data` and `previous` are JSON texts, sent on unchanged. */
export interface EventText {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly resource: string
  readonly data: string
  readonly previous?: string | null | undefined
}

/** The approximate number of characters sent for it. */
export const charactersOf = ({ data, previous }: EventText): number => data.length + (previous?.length ?? 0)

/** The trigger that it is sent to, as the receiver sees it. */
export interface Addressee {
  readonly companyId: string
  readonly triggerId: string
  readonly customTriggerName: string | undefined
  /** The member `triggerId` of the trigger's record, set by its owner. */
  readonly ownTriggerId: string | undefined
  /** Whether calls carry records. Otherwise they carry ids only. */
  readonly carriesRecords: boolean
}

/** The body of a call. The record is under its resource's name, the data of a custom event under `data`. */
export function messageOf(event: EventText, addressee: Addressee): string {
  const { id, type, createdAt, resource, data, previous } = event
  const { companyId, triggerId, customTriggerName, ownTriggerId, carriesRecords } = addressee
  const trigger = { id: triggerId, triggerId: ownTriggerId }
  const head = JSON.stringify({
    ...{ id, eventType: type, timestamp: createdAt, companyId, triggerId, customTriggerName, trigger },
    ...(!carriesRecords && resource !== 'custom' && { [camelCase(resource)]: idOf(data) }),
  })
  if (!carriesRecords) return head
  const member = resource === 'custom' ? 'data' : camelCase(resource)
  return `${head.slice(0, -1)},"${member}":${data}${previous == null ? '' : `,"previous":${previous}`}}`
}

/** The member with a record's id: `id`, or `_id` if the resource has that. */
function idOf(data: string): { readonly id?: unknown; readonly _id?: unknown } {
  const { id, _id } = JSON.parse(data)
  return _id === undefined ? { id } : { _id }
}
