// The subscriptions of this server: made from its leases, found by trigger and by company, until they are released.

import type { Failed } from '../../concurrency/background-loop.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { olderNames } from '../../resources/automation-trigger.ts'
import { type TriggerKey, triggerKey } from './deliveries.ts'
import type { LeasedTrigger } from './leases.ts'
import { type SubscribedTrigger, Subscription } from './subscription.ts'
import { formerSecretsIn, openTriggerSecret } from './trigger-secrets.ts'

/** Triggers remembered whose secrets cannot be opened: with more of them the key is wrong, and all are logged again. */
const TRIGGERS_UNOPENED = 1_000

/** What subscriptions need; `added` is called with the company of each new one. */
interface SubscriptionsParts {
  readonly seal: Seal
  readonly failed: Failed
  readonly added: (companyId: string) => void
}

export class Subscriptions {
  /** Triggers that cannot be called because their secrets were sealed with a key that is not ours. */
  readonly unopened = new Set<string>()
  readonly #parts: SubscriptionsParts
  readonly #byTrigger = new Map<string, Subscription>()
  readonly #byCompany = new Map<string, Set<Subscription>>()
  readonly #prefetched = { characters: 0 }
  /**
   * Since when calls of a company are held, including calls of subscriptions that are added by a look which began
   * before.
   */
  readonly #heldSince = new Map<string, number>()

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts
  }

  all(): Iterable<Subscription> {
    return this.#byTrigger.values()
  }

  companies(): Iterable<string> {
    return this.#byCompany.keys()
  }

  of(companyId: string): Iterable<Subscription> {
    return this.#byCompany.get(companyId) ?? []
  }

  find(key: TriggerKey): Subscription | undefined {
    return this.#byTrigger.get(triggerKey(key))
  }

  /** The subscription of a trigger leased until `leaseEnds`; undefined if it cannot be called. */
  add(leased: LeasedTrigger, leaseEnds: number): Subscription | undefined {
    const before = this.find(leased)
    if (before?.trigger.version === leased.version) {
      before.leaseEnds = leaseEnds
      return before
    }
    this.release(before)
    const trigger = this.#open(leased)
    if (trigger === undefined) return undefined
    const isHeld = () => this.#heldSince.has(leased.companyId)
    const subscription = new Subscription(trigger, leased, leaseEnds, this.#prefetched, isHeld)
    this.#byTrigger.set(triggerKey(leased), subscription)
    const others = this.#byCompany.get(leased.companyId) ?? new Set()
    this.#byCompany.set(leased.companyId, others.add(subscription))
    this.#parts.added(leased.companyId)
    return subscription
  }

  /** No call of a company begins until a look has found out which of its triggers were changed. */
  hold(companyId: string): void {
    this.#heldSince.set(companyId, performance.now())
  }

  /** Lets calls of a company begin again, unless one of its triggers may have changed since a look began. Returns whether they may. */
  endHold(companyId: string, lookBegan: number): boolean {
    const since = this.#heldSince.get(companyId)
    return since !== undefined && since <= lookBegan && this.#heldSince.delete(companyId)
  }

  /** Releases a subscription, unless it is already: it is no longer found. */
  release(subscription: Subscription | undefined): void {
    if (subscription === undefined || subscription.state === 'released') return
    subscription.release()
    const { trigger } = subscription
    this.#byTrigger.delete(triggerKey(trigger))
    const others = this.#byCompany.get(trigger.companyId)
    others?.delete(subscription)
    if (others?.size === 0) this.#byCompany.delete(trigger.companyId)
  }

  #open({
    companyId,
    triggerId,
    version,
    carriesRecords,
    body,
    secret: sealed,
    formerSecrets,
    formerSecretsMs,
  }: LeasedTrigger): SubscribedTrigger | undefined {
    const { seal, failed } = this.#parts
    const {
      triggerUrl: url,
      triggerType,
      customTriggerName,
      triggerId: ownTriggerId,
      maxParallel = 1,
    } = JSON.parse(body)
    let secret: string | undefined
    try {
      if (sealed !== null) secret = openTriggerSecret(seal, companyId, triggerId, sealed)
    } catch {
      // A trigger that cannot be signed for must not block the others; another server may have the key.
      if (!this.unopened.has(triggerId))
        failed(new Error(`the secret of trigger ${triggerId} is encrypted with another secret key`))
      if (this.unopened.size < TRIGGERS_UNOPENED) this.unopened.add(triggerId)
      return undefined
    }
    this.unopened.delete(triggerId)
    const patterns = patternsOf(triggerType)
    const shown = { companyId, triggerId, customTriggerName, ownTriggerId, carriesRecords }
    const former = this.#openFormer({ companyId, triggerId }, formerSecrets, formerSecretsMs)
    return { ...shown, version, url, secret, former, patterns, maxParallel }
  }

  /**
   * The former secrets, if they still sign. A secret that cannot be opened does not sign, just as an expired one does
   * not.
   */
  #openFormer({ companyId, triggerId }: TriggerKey, sealed: string | null, ms: number | null) {
    if (sealed === null || ms === null || ms <= 0) return undefined
    const secrets = formerSecretsIn(sealed).flatMap((one) => {
      try {
        return openTriggerSecret(this.#parts.seal, companyId, triggerId, one)
      } catch {
        return []
      }
    })
    return { secrets, until: performance.now() + ms }
  }
}

/** A type, `customer.created`, or a pattern, `customer.*`; the name of a custom event may contain more points. */
const typed = /^[a-z-]+(?:\.[a-z0-9._-]+|\.(?:[a-z0-9._-]+\.)?\*)$/

/**
 * The event types or patterns of a `triggerType`: `*` for all, `customer.*` for those that begin so. Empty for a word
 * that never fires; a type that no event has is returned as it is, and matches none.
 */
export function patternsOf(triggerType: string): string[] {
  const older = Object.hasOwn(olderNames, triggerType) ? olderNames[triggerType] : undefined
  if (older !== undefined) return [older]
  return triggerType === '*' || typed.test(triggerType) ? [triggerType] : []
}

/** Whether one of the patterns matches an event's type. */
export const matchesPattern = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type))
