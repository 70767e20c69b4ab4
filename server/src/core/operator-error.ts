// The one error that the operator at the terminal reads: a sentence that says what is wrong and what to do, without a stack.

/** Something that only the operator can fix: a wrong setting, a taken port, an unwritable folder. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
