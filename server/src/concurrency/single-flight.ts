// Answers concurrent calls of one question once, with an answer that is not older than any of the calls.

import type { IsGone } from '../core/is-gone.ts'

/**
 * Makes a function that asks a question once for all callers that wait for it. A caller that arrives while it is being
 * asked gets the next answer, so that no answer is older than its request. The first caller's `ask` is used; it is told
 * when no caller waits any more.
 */
export function singleFlight<Answer>(): (
  question: string,
  ask: (allAreGone: IsGone) => Promise<Answer>,
  isGone?: IsGone,
) => Promise<Answer> {
  type Next = { answer: Promise<Answer>; waiting: (() => boolean)[] }
  const asked = new Map<string, { answer: Promise<Answer>; next?: Next }>()

  return (question, ask, isGone = () => false) => {
    function start(waiting: readonly (() => boolean)[]): Promise<Answer> {
      const answer = ask(() => waiting.every((isGone) => isGone())).finally(() => {
        if (asked.get(question)?.answer === answer) asked.delete(question)
      })
      asked.set(question, { answer })
      return answer
    }
    const current = asked.get(question)
    if (current === undefined) return start([isGone])
    if (current.next === undefined) {
      const waiting = [isGone]
      const again = () => start(waiting)
      current.next = { waiting, answer: current.answer.then(again, again) }
    } else current.next.waiting.push(isGone)
    return current.next.answer
  }
}
