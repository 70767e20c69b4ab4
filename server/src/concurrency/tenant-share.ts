// Places that tenants share: a tenant may take all of them while it is alone, and at most half while another tenant
// waits or has just sent a request.
import type { TenantActivity } from './tenant-activity.ts'

/** The number of places. */
export interface ShareBounds {
  readonly atOnce: number
  /** Most places of one tenant, even when it is alone; all by default. */
  readonly each?: number
  /** Places of one tenant while others are present; half of all by default. */
  readonly beside?: number
}

/** Counted places that tenants share. */
export interface TenantShare {
  /** Whether any place is free. */
  readonly areFree: boolean
  /** Whether a tenant may take one more place, if one is free. */
  mayTake(tenant: string, areOthersWaiting: boolean): boolean
  /** Calls `again` once a refused tenant may take a place because the others have been quiet for long enough. */
  onceAlone(again: () => void): void
  take(tenant: string): void
  giveBack(tenant: string): void
}

/** Makes the places. */
export function tenantShare(bounds: ShareBounds, presence: TenantActivity): TenantShare {
  const { atOnce, each = atOnce, beside = Math.max(1, Math.floor(atOnce / 2)) } = bounds
  const held = new Map<string, number>()
  let all = 0
  // Milliseconds until a refused tenant may be alone.
  let soonest = Number.POSITIVE_INFINITY
  let isTimed = false
  return {
    get areFree() {
      return all < atOnce
    },
    mayTake(tenant, areOthersWaiting) {
      const own = held.get(tenant) ?? 0
      if (own < Math.min(each, beside)) return true
      if (own >= each || areOthersWaiting) return false
      const othersMs = presence.othersMs(tenant)
      if (othersMs > 0) soonest = Math.min(soonest, othersMs)
      return othersMs === 0
    },
    onceAlone(again) {
      if (soonest === Number.POSITIVE_INFINITY) return
      if (isTimed) return
      isTimed = true
      presence.after(soonest + 1, () => {
        isTimed = false
        again()
      })
      soonest = Number.POSITIVE_INFINITY
    },
    take(tenant) {
      all++
      held.set(tenant, (held.get(tenant) ?? 0) + 1)
    },
    giveBack(tenant) {
      all--
      const left = (held.get(tenant) as number) - 1
      if (left > 0) held.set(tenant, left)
      else held.delete(tenant)
    },
  }
}
