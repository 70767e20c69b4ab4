// What the server says is wrong with a form: each sentence at its field, and above the form what belongs to none.
import { type ApiProblem, messagesByPointer } from '../api/problem.ts'

interface Messages {
  /** The sentence about a member: `/email`. */
  readonly at: (pointer: string) => string | undefined
  /** What stands at no field; undefined where all does. */
  readonly rest: string | undefined
}

/** `pointers` are the members that have a field. */
export function messagesFor(problem: ApiProblem | undefined, ...pointers: string[]): Messages {
  const byPointer = messagesByPointer(problem)
  const elsewhere = problem?.errors.filter(({ pointer }) => !pointers.includes(pointer)) ?? []
  const rest =
    problem?.errors.length === 0 ? problem.message : elsewhere.map(({ message }) => sentence(message)).join(' ')
  return { at: (pointer) => sentence(byPointer.get(pointer)), rest: rest || undefined }
}

/** A message for people: the server begins with what is wrong, in lower case, and ends without a dot. */
export function sentence<M extends string | undefined>(message: M): M | string {
  if (message === undefined || message === '') return message
  const begun = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?]$/.test(begun) ? begun : `${begun}.`
}
