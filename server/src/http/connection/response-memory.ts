// The memory that answers take which nobody has taken yet: counted by company until they are, so that no pile of connections that ask and do not read exhausts it.
import type { ServerResponse } from 'node:http'
import { memoryBudget } from '../../concurrency/memory-budget.ts'

export interface Answers {
  /** Whether a further answer of a line may be made; `isShort`: of one record at most, which finds room beside long ones. */
  isOpen(line: string, isShort: boolean): boolean
  /**
   * Counts so many bytes of an answer, in place of what was counted of it before, until it was taken or its connection has
   * ended. False when there is no room.
   */
  hold(line: string, bytes: number, isShort: boolean, response: ServerResponse): boolean
  /** What was counted of an answer has been taken. */
  free(response: ServerResponse): void
}

/** Room for so many bytes of answers, and half as much again for short ones. */
export function answers(bytes: number): Answers {
  const room = memoryBudget(bytes)
  const counted = new WeakMap<ServerResponse, () => void>()
  return {
    isOpen: (line, isShort) => room.has(line, 1, isShort),
    hold(line, bytes, isShort, response) {
      if (response.closed) return true
      const before = counted.get(response)
      before?.()
      if (!room.has(line, bytes, isShort)) return false
      if (before === undefined) response.once('close', () => counted.get(response)?.())
      counted.set(response, room.take(line, bytes))
      return true
    },
    free: (response) => counted.get(response)?.(),
  }
}
