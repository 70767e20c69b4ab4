// Memory that companies share: what each holds is counted, so that no pile of one company's exhausts it and others find room beside it.

/** Room for so many bytes. */
interface MemoryBudget {
  /**
   * Whether so many bytes more find room. A line may hold as much as is left for all, so that one alone gets half of the room
   * and two get a third each. What is small may take half as much again: it is let in while large ones are refused.
   */
  has(line: string, bytes: number, isSmall?: boolean): boolean
  /** Counts them, whether or not there is room; the function that it gives takes them off again, once. */
  take(line: string, bytes: number): () => void
}

/** Makes a room; with small ones it fills up to one and a half times `room`. */
export function memoryBudget(room: number): MemoryBudget {
  const held = new Map<string, number>()
  let total = 0
  return {
    has: (line, bytes, isSmall = false) => (held.get(line) ?? 0) + bytes <= (isSmall ? room * 1.5 : room) - total,
    take(line, bytes) {
      held.set(line, (held.get(line) ?? 0) + bytes)
      total += bytes
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        total -= bytes
        const left = (held.get(line) as number) - bytes
        if (left > 0) held.set(line, left)
        else held.delete(line)
      }
    },
  }
}
