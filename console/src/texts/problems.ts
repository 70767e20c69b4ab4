// What the server refuses, in the words of the console: by the codes and reasons of problems, never by their sentences.
import type { Problem, ProblemCode } from '../api/schemas.ts'
import { locale, translated } from '../language.ts'

type Reason = NonNullable<Problem['reason']>

const number = (value: number): string => value.toLocaleString(locale)

/** A word without a text keeps the server's message. */
export const text = translated('problems', {
  /** Few in English: the server's own sentences are English, and have the amounts and times. */
  reasons: {
    admin_required: 'Only admins and owners can do this. If you need to, ask an owner to change your role.',
    owner_required: 'Only owners can do this. If you need to, ask an owner.',
  } as Readonly<Partial<Record<Reason, string>>>,
  /** None in English either: the server says which of several things it is. */
  signIn: {} as Readonly<Partial<Record<ProblemCode, string>>>,
  /** None in English either. Of these problems the server's sentence follows, which says more than their code. */
  refusals: {} as Readonly<Partial<Record<ProblemCode, string>>>,
  /** Why the server does not answer now, and what to do about it. A form keeps its key, so a second attempt is safe. */
  busy: {
    database_unreachable:
      'The server cannot reach its database. What you typed is kept: try again in a minute, and tell the operator if the problem persists.',
    database_timeout: 'The database took too long to answer. Try again: nothing is done twice.',
    database_full:
      'The disk of the database is full: you can look at everything, but nothing can be saved. Tell the operator, keep this page open, and save again later.',
    connections_in_use: 'The server is busy. Try again in a few seconds: nothing is done twice.',
    queue_full: 'The server is busy. Try again in a few seconds: nothing is done twice.',
    memory_full: 'The server is busy. Try again in a few seconds: nothing is done twice.',
    deadline: 'The server took too long to answer. Try again: nothing is done twice.',
    contention: 'Others are changing the same record at the moment. Try again in a few seconds.',
    slow_upload: 'The file arrived too slowly. Check your connection, then send it again.',
    sums_incomplete: 'The sums are still being calculated. Try again in a minute.',
    draining: 'The server is about to restart. Try again in a few seconds.',
    not_migrated: 'The server is starting. Try again in a minute.',
    provider_unreachable: 'Single sign-on does not work at the moment. Try again later, or sign in another way.',
    files_unreachable:
      'The file store does not answer. Everything else works; try again later, and tell the operator if the problem persists.',
    key_rate: 'There were too many requests in a short time. Wait a moment, then try again.',
    address_rate: 'There were too many requests in a short time. Wait a moment, then try again.',
  } as Readonly<Record<string, string>>,
  passwordGuesses: (minutes: number) =>
    `There were too many wrong attempts. Try again in ${minutes === 1 ? 'one minute' : `${number(minutes)} minutes`}.`,
  places: {
    company: 'You no longer have access to this company, or it was deleted.',
    organization: 'You no longer have access to this organization, or it was deleted.',
  } as Readonly<Record<string, string>>,
  codes: {
    not_found: 'This no longer exists. Someone may have deleted it.',
    idempotency_conflict:
      'An earlier attempt with different details reached the server. Check whether it was recorded before you send this.',
    idempotency_in_progress: 'The server is still working on the same request. Try again in a moment.',
    unavailable: 'The server cannot respond at the moment. Nothing that you typed is lost; try again.',
    internal_error:
      'Something went wrong on the server. Try again; if the problem persists, give the operator the time of this message.',
  } satisfies Partial<Record<ProblemCode, string>>,
  /** About a member, after its name and a colon, or below its input. */
  members: {
    left: (limit: number) => `only ${number(limit)} left`,
    minimum: (limit: number) => `must not be less than ${number(limit)}`,
    exclusiveMinimum: (limit: number) => `must be more than ${number(limit)}`,
    maximum: (limit: number) => `must not be more than ${number(limit)}`,
    sum: (limit: number) => `must add up to ${number(limit)}`,
    minItems: (limit: number) => `must contain at least ${limit === 1 ? 'one entry' : `${number(limit)} entries`}`,
    maxItems: (limit: number) => `must not have more than ${number(limit)} entries`,
  },
  /** About a member too, where the code says all. */
  values: { past: 'must be in the future', future: 'must not be in the future' } as Readonly<Record<string, string>>,
  stockShort: (line: number, stock: number) =>
    `Line ${number(line)} has only ${number(stock)} in stock. To sell it anyway, choose “Sell anyway”; to always allow that, turn on “Sell when out of stock” for the variant.`,
  planLimit: (limit: number, count: number) =>
    `The plan allows ${number(limit)}, and there are ${number(count)}. Remove one, or ask for another plan.`,
} as const)
