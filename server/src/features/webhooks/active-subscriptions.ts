// The subscriptions of this server: made from its leases, found by key and by company, dropped when the trigger changes
// or another server takes it.

import type { Failed } from '../../concurrency/background-loop.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { TRIGGERS_UNOPENED } from '../../core/limits.ts'
import { type DueDelivery, type TriggerKey, triggerKey } from './deliveries.ts'
import { charactersOf, type EventText } from './message.ts'
import { type Definition, type Subscription, subscriptionOf } from './scheduler.ts'
import type { Leased } from './trigger-leases.ts'
import { openTriggerSecret } from './trigger-secret.ts'
import { patternsOf } from './trigger-types.ts'

export type ActiveSubscription = Subscription<DueDelivery>

interface Roster {
  all(): Iterable<ActiveSubscription>
  companies(): Iterable<string>
  of(companyId: string): readonly ActiveSubscription[]
  find(key: TriggerKey): ActiveSubscription | undefined
  /** The subscription of a trigger leased until `leaseEnds`; undefined if it cannot be called. */
  follow(leased: Leased, leaseEnds: number): ActiveSubscription | undefined
  /** Drops a subscription and everything that waits for it. */
  forget(recipient: ActiveSubscription | undefined): void
  /** Queues a new event. */
  add(recipient: ActiveSubscription, event: EventText & { readonly sequence: number }): void
  /** Removes a new event from the queue: it is being sent. */
  taken(event: EventText): void
  /** Characters of all queued new events. */
  readonly characters: number
  /** Triggers that cannot be called because their secrets were sealed with a key that is not ours. */
  readonly unopened: ReadonlySet<string>
}

/** Makes an empty one. `followed` is called with the company of each new subscription. */
export function activeSubscriptions({
  seal,
  failed,
  followed,
}: {
  seal: Seal
  failed: Failed
  followed: (companyId: string) => void
}): Roster {
  const byKey = new Map<string, ActiveSubscription>()
  const byCompany = new Map<string, Set<ActiveSubscription>>()
  const unopened = new Set<string>()
  let characters = 0

  function follow(leased: Leased, leaseEnds: number): ActiveSubscription | undefined {
    const before = byKey.get(triggerKey(leased))
    if (before?.version === leased.version && !before.isOver) {
      before.leaseEnds = leaseEnds
      return before
    }
    forget(before)
    const definition = definitionOf(leased)
    if (definition === undefined) return undefined
    const recipient: ActiveSubscription = subscriptionOf<DueDelivery>(leased, definition, leaseEnds)
    byKey.set(triggerKey(leased), recipient)
    const others = byCompany.get(leased.companyId) ?? new Set()
    byCompany.set(leased.companyId, others.add(recipient))
    followed(leased.companyId)
    return recipient
  }

  function definitionOf({ companyId, triggerId, body, secret: sealed }: Leased): Definition | undefined {
    const { triggerUrl, triggerType, customTriggerName, triggerId: ownTriggerId, maxParallel = 1 } = JSON.parse(body)
    let secret: string | undefined
    try {
      if (sealed !== null) secret = openTriggerSecret(seal, companyId, triggerId, sealed)
    } catch {
      // A trigger that cannot be signed for must not block the others; another server may have the key.
      if (!unopened.has(triggerId)) failed(new Error(`the secret of trigger ${triggerId} was sealed with another key`))
      if (unopened.size < TRIGGERS_UNOPENED) unopened.add(triggerId)
      return undefined
    }
    unopened.delete(triggerId)
    const patterns = patternsOf(triggerType)
    return { url: triggerUrl, secret, patterns, customTriggerName, ownTriggerId, maxParallel }
  }

  function forget(recipient: ActiveSubscription | undefined): void {
    if (recipient === undefined || recipient.isOver) return
    recipient.isOver = true
    characters -= recipient.freshCharacters
    recipient.fresh.length = 0
    recipient.due.length = 0
    if (byKey.get(triggerKey(recipient)) === recipient) byKey.delete(triggerKey(recipient))
    const others = byCompany.get(recipient.companyId)
    others?.delete(recipient)
    if (others?.size === 0) byCompany.delete(recipient.companyId)
  }

  return {
    all: () => byKey.values(),
    companies: () => byCompany.keys(),
    of: (companyId) => [...(byCompany.get(companyId) ?? [])],
    find: (key) => byKey.get(triggerKey(key)),
    follow,
    forget,
    add(recipient, event) {
      recipient.fresh.push({ event, sequence: event.sequence, delivery: undefined })
      recipient.freshCharacters += charactersOf(event)
      characters += charactersOf(event)
      recipient.open.add(event.sequence)
    },
    taken(event) {
      characters -= charactersOf(event)
    },
    get characters() {
      return characters
    },
    unopened,
  }
}
