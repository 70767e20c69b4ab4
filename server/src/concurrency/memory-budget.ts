// A memory budget that companies share: the bytes of each are counted, so that no company exhausts it and others keep a
// part.
import { memoryInUse, memoryLimits } from './metrics.ts'

interface MemoryBudget {
  /**
   * Whether this many more bytes fit. A tenant may hold as much as is left for all, so that one alone gets half of the
   * budget and two get a third each. Small items may take half as much again: they are accepted while large ones are
   * refused.
   */
  has(tenant: string, bytes: number, isSmall: boolean): boolean
  /** Counts bytes, whether or not they fit; the returned function releases them, once. */
  take(tenant: string, bytes: number): () => void
}

/** Makes a budget; with small items it fills up to one and a half times `capacity`. Its metrics have its name. */
export function memoryBudget(capacity: number, name: string): MemoryBudget {
  const inUse = memoryInUse.of(name)
  memoryLimits.of(name).value = capacity
  const held = new Map<string, number>()
  let total = 0
  return {
    has: (tenant, bytes, isSmall) => (held.get(tenant) ?? 0) + bytes <= (isSmall ? capacity * 1.5 : capacity) - total,
    take(tenant, bytes) {
      held.set(tenant, (held.get(tenant) ?? 0) + bytes)
      total += bytes
      inUse.value += bytes
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        total -= bytes
        inUse.value -= bytes
        const left = (held.get(tenant) as number) - bytes
        if (left > 0) held.set(tenant, left)
        else held.delete(tenant)
      }
    },
  }
}
