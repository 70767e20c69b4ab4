// The sheet on which a sale is computed: amounts in minor units of its currency, differences from the sent amounts, and
// errors.

import { amountText, exact, rounded } from '../../../core/exact.ts'
import { bodyError, ERRORS_LISTED, type MemberError } from '../../../core/problem.ts'

/** A sent amount that differs from the computed one. */
export interface Check {
  readonly pointer: string
  readonly sent: string
  readonly computed: string
}

/** Differences that a sale lists: a record stays readable, and one wrong price makes all its sums differ. */
const CHECKS_LISTED = 100

/** Digits before the point that an amount can have (`decimalPattern`). */
const WHOLE_DIGITS = 15

export class Worksheet {
  readonly checks: Check[] = []
  readonly errors: MemberError[] = []
  readonly digits: number
  readonly #bound: bigint

  /** `digits` are the decimals of the currency. */
  constructor(digits: number) {
    this.digits = digits
    this.#bound = 10n ** BigInt(WHOLE_DIGITS + digits)
  }

  /** An amount that counts as it was sent, rounded to the currency; 0 without one. */
  input(sent: string | number | undefined): bigint {
    return sent === undefined ? 0n : rounded(exact(sent), this.digits)
  }

  /** The text of a computed amount. If the sent amount is equal, returns it as it was sent; if not, notes a check. */
  amount(pointer: string, computed: bigint, sent?: string | undefined): string {
    if (computed <= -this.#bound || computed >= this.#bound)
      this.refuse(pointer, 'maximum', `comes to more than ${WHOLE_DIGITS} digits before the point`)
    const text = amountText(computed, this.digits)
    if (sent === undefined) return text
    if (rounded(exact(sent), 6) === rounded(exact(text), 6)) return sent
    if (this.checks.length < CHECKS_LISTED) this.checks.push({ pointer, sent, computed: text })
    return text
  }

  /** Notes what is wrong with a member. */
  refuse(pointer: string, code: string, message: string, limit?: number): void {
    if (this.errors.length < ERRORS_LISTED) this.errors.push(bodyError(pointer, code, message, limit))
  }

  /** Notes a rate in percent that is out of its bounds. */
  boundRate(pointer: string, rate: number, most: number): void {
    if (rate < 0) this.refuse(pointer, 'minimum', 'must not be less than 0', 0)
    if (rate > most) this.refuse(pointer, 'maximum', `must not be more than ${most}`, most)
  }
}
