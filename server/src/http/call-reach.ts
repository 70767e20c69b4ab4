// Which rows a request can reach, if the database keeps companies apart: those of its caller's company, even while its
// response is sent.
import { areReachesKept, keepReach, reachingCompany, reachingEverything } from '../core/reach.ts'
import type { Scope } from '../core/scope.ts'
import type { Answer, Route } from './route.ts'

type AnyAnswer = Answer | Answer<Buffer>

/**
 * Answers a request within its reach. Requests without a company, such as those of people about themselves and of organizations, reach
 * everything, and so do routes that say so.
 */
export function answerInReach(
  { reachesEverything }: Route,
  { companyId }: Scope,
  answer: () => AnyAnswer | Promise<AnyAnswer>,
): AnyAnswer | Promise<AnyAnswer> {
  if (!areReachesKept()) return answer()
  const begin = () => {
    const begun = answer()
    return begun instanceof Promise ? begun.then(inSameReach) : inSameReach(begun)
  }
  return companyId === '' || reachesEverything ? reachingEverything(begin) : reachingCompany(companyId, begin)
}

/**
 * The answer with a stream that is made in the reach of the running code, whatever socket event asks for its next
 * chunk.
 */
function inSameReach<T extends AnyAnswer>(answer: T): T {
  const { stream } = answer
  if (stream === undefined) return answer
  const begin = keepReach(() => {
    const iterator = stream[Symbol.asyncIterator]()
    const end = iterator.return?.bind(iterator)
    return { next: keepReach(() => iterator.next()), ...(end && { return: keepReach(() => end()) }) }
  })
  return { ...answer, stream: { [Symbol.asyncIterator]: begin } }
}
