// The one error that a person at the terminal is meant to read: a sentence that says what is wrong and what to do, shown without a stack.

/** Something that only whoever runs the server can put right: a wrong setting, a taken port, an unwritable folder. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
