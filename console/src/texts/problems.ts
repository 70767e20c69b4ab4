// What the server refuses, in the words of the console: by the codes and reasons of problems, never by their sentences.
import type { Problem, ProblemCode } from '../api/schemas.ts'
import { locale, translated } from '../language.ts'

type Reason = NonNullable<Problem['reason']>

const number = (value: number): string => value.toLocaleString(locale)

/** A word without a text keeps the server's message. */
export const text = translated('problems', {
  /** None in English: the server's own sentences are English, and have the amounts and times. */
  reasons: {} as Readonly<Partial<Record<Reason, string>>>,
  /** None in English either: what a code means, followed by the server's sentence. */
  refusals: {} as Readonly<Partial<Record<ProblemCode, (message: string) => string>>>,
  codes: {
    idempotency_conflict:
      'An earlier attempt did reach the server, with other details. Check whether it was recorded before you send this.',
    idempotency_in_progress: 'The server is still working on the same request. Try again in a moment.',
    unavailable: 'The server cannot answer at the moment. Nothing that you typed is lost; try again.',
    internal_error:
      'Something went wrong on the server. Try again; if it stays, give the operator the time of this message.',
  } satisfies Partial<Record<ProblemCode, string>>,
  /** About a member, after its name and a colon, or below its input. */
  members: {
    left: (limit: number) => `only ${number(limit)} left`,
    minimum: (limit: number) => `must not be less than ${number(limit)}`,
    maximum: (limit: number) => `must not be more than ${number(limit)}`,
    minItems: (limit: number) => `must contain at least ${limit === 1 ? 'one entry' : `${number(limit)} entries`}`,
    maxItems: (limit: number) => `must not have more than ${number(limit)} entries`,
  },
  planLimit: (limit: number, count: number) =>
    `The plan allows ${number(limit)}, and there are ${number(count)}. Remove one, or ask for another plan.`,
} as const)
