// The server's errors about a form: each message at its field, and the others above the form.
import { type ApiProblem, messagesByPointer } from '../api/problem.ts'

interface Messages {
  /** The message about a member: `/email`. */
  readonly at: (pointer: string) => string | undefined
  /** Messages that belong to no field; undefined if there are none. */
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

/** A message as a sentence: the server's messages begin in lower case and have no final full stop. */
export function sentence<M extends string | undefined>(message: M): M | string {
  if (message === undefined || message === '') return message
  const begun = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?]$/.test(begun) ? begun : `${begun}.`
}
