// What the server refuses, in the words of the console: by the codes and reasons of problems, never by their sentences.
import type { Problem, ProblemCode } from '../api/schemas.ts'
import { locale, translated } from '../language.ts'

type Reason = NonNullable<Problem['reason']>

const number = (value: number): string => value.toLocaleString(locale)

/** A word without a text keeps the server's message. */
export const text = translated('problems', {
  reasons: {
    sale_not_completed:
      'Only a completed sale can be refunded or voided. Load the page again to see what became of it.',
    sale_voided: 'This sale was voided. Make a new sale instead.',
    sale_cancelled: 'This sale is cancelled already.',
    sale_has_refunds: 'This sale has refunds, so it cannot be voided. Refund the rest instead.',
    sale_refunded: 'Everything of this sale is refunded already.',
    sale_below_zero: 'This sale was a return, which cannot be refunded. Make a new sale instead.',
    refund_above_rest: 'That is more than is left of the sale. Choose fewer units, or everything left.',
    session_closed: 'The session is closed already. What was sold in it can only be refunded.',
    closing_counted: 'A closing has counted this sale. Refund it instead.',
    already_exists: 'There is one like it already. Change that one, or make this one differ from it.',
    import_checking: 'The file is still being checked. Try again when the check has ended.',
    import_running: 'The import is running. Wait until it has ended, or cancel it first.',
    import_undoing: 'The import is being undone. Wait until that has ended.',
    import_undone: 'The import was undone. To import its file again, repeat it.',
    import_undone_in_part: 'The import was undone in part. Undo it again to finish, or repeat it.',
    import_ended: 'The import has ended. What it wrote stays.',
    import_not_run: 'The import was not run, so there is nothing to undo.',
    import_not_undoable: 'The import can no longer be undone: it wrote nothing or too much, or it ended too long ago.',
    import_file_gone: 'The file of the import is no longer kept. Upload it again.',
    imports_busy: 'Too many imports are under way. Wait until one has ended, or cancel one.',
    field_has_values: 'This field has values, so its type cannot be changed. Make a new field instead.',
    row_exists: 'The table has a row for this customer already.',
    already_member: 'A user with this e-mail address is already a member.',
    members_full: 'There are too many members and invitations. Remove one first.',
    last_owner: 'This is the last owner who can sign in. Make another member an owner first.',
    own_account: 'This is your own account. Change your password under your profile.',
    factor_protected:
      'This person signs in with a passkey or another second factor, which a link must not replace. If it is lost, ask the operator.',
    only_way_in: 'This is your only way to sign in. Choose a password, or add another way, and then remove this one.',
    would_lock_out:
      'You signed in without a second factor, so this would lock you out. Set one up under your profile, or sign in with your passkey, first.',
    identity_linked: 'This identity is already linked to an account.',
    second_factor_on: 'Two-step authentication is on already. Turn it off first to set up another app.',
    second_factor_off: 'Two-step authentication is not on.',
    passkeys_full: 'You have too many passkeys. Remove one first.',
    passkey_exists: 'This passkey is already registered.',
    key_rotated: 'This key was rotated already; it is deleted later. Delete it if that is too late.',
    key_expired: 'This key has expired. Create another one.',
    default_plan: 'This is the default plan. Make another plan the default first.',
    trigger_inactive: 'This trigger is off, so nothing is sent to it. Turn it on first.',
    event_gone: 'The event of this delivery is no longer kept, so it cannot be sent again.',
  } satisfies Partial<Record<Reason, string>>,
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
