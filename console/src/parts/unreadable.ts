// Typed text that cannot be read as the value that its input takes: the form keeps it as it was typed, and is not saved with it.
import { ApiProblem } from '../api/problem.ts'

/** Code of such an error, which the server never sends. */
const code = 'unreadable'

/** Takes the place of the value in a form. `reason` is a sentence that says what to type instead. */
export class Unreadable {
  readonly typed: string
  readonly reason: string

  constructor(typed: string, reason: string) {
    this.typed = typed
    this.reason = reason
  }
}

interface Found {
  readonly pointer: string
  readonly value: Unreadable
}

/** All of them in a value, however deep. */
function unreadableIn(value: unknown, pointer = ''): Found[] {
  if (value instanceof Unreadable) return [{ pointer, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => unreadableIn(inner, `${pointer}/${name}`))
}

/** Throws the problem that a form shows instead of being sent, where its body holds text that cannot be read. */
export function refuseUnreadable(body: Readonly<Record<string, unknown>>): void {
  const found = unreadableIn(body)
  if (found.length === 0) return
  throw new ApiProblem(-1, {
    code,
    errors: found.map(({ pointer, value }) => ({ in: 'body', pointer, code, message: value.reason })),
  })
}

/** Whether an input says by itself what is wrong with what it holds. */
export const isUnreadable = (error: { readonly code: string }): boolean => error.code === code
