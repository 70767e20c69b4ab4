// Typed text that is not a valid value of its input: the form keeps it as typed and cannot be saved.
import { ApiProblem } from '../api/problem.ts'

/** The error code; the server never sends it. */
const code = 'unreadable'

/** Replaces the value in a form. `reason` is a sentence that says what to type instead. */
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

/** All of them in a value, at any depth. */
function unreadableIn(value: unknown, pointer = ''): Found[] {
  if (value instanceof Unreadable) return [{ pointer, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => unreadableIn(inner, `${pointer}/${name}`))
}

/** Throws a problem for the form to show if its body contains unreadable text. */
export function refuseUnreadable(body: Readonly<Record<string, unknown>>): void {
  const found = unreadableIn(body)
  if (found.length === 0) return
  throw new ApiProblem(-1, {
    code,
    errors: found.map(({ pointer, value }) => ({ in: 'body', pointer, code, message: value.reason })),
  })
}

/** Whether an input shows its own error. */
export const isUnreadable = (error: { readonly code: string }): boolean => error.code === code
