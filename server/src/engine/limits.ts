// Limits that several files of the engine use, each with its reason. A limit of one file is in that file.

/** Characters of a response that is stored under an idempotency key: several times that of a bulk of 10 MB. */
export const KEPT_CHARACTERS = 64 * 1024 * 1024
/** Characters of the events of a dry run: they are in memory at once, and the answer made of them is parsed in one turn, in some 40 ms. */
export const DRY_RUN_CHARACTERS = 8 * 1024 * 1024
/** Rounds in which an update that lost a race is retried before it is answered 503. */
export const UPDATE_ROUNDS = 50
