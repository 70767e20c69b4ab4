// What a form still needs: its button is not disabled meanwhile, but says so at the inputs when it is pressed.
import { ApiProblem } from '../api/problem.ts'

/** Throws a problem for the form to show: a message for each input that misses something, by pointer; false where nothing is missing. */
export function refuseMissing(missing: Readonly<Record<string, string | false>>): void {
  const errors = Object.entries(missing).flatMap(([pointer, message]) =>
    message === false ? [] : [{ in: 'body' as const, pointer, code: 'missing', message }],
  )
  const [first] = errors
  // Nothing was sent, so the key of an earlier attempt is kept.
  if (first !== undefined) throw new ApiProblem(-1, { message: first.message, errors })
}
