// Whether an update changes anything: compares values as JSON does, in which the members of an object have no order.
import { isDeepStrictEqual } from 'node:util'

/**
 * Whether two values are the same JSON. The order of members does not count: some clients sort or shuffle those of a
 * record that they read and send back.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)]
  return (
    text === otherText ||
    (text.length === otherText.length && isDeepStrictEqual(JSON.parse(text), JSON.parse(otherText)))
  )
}
