// Limits that several files of the engine use, each with its reason. A limit of one file is in that file.

/** Characters of a response that is stored under an idempotency key: several times that of a bulk of 10 MB. */
export const KEPT_CHARACTERS = 64 * 1024 * 1024
/** Rounds in which an update that lost a race is retried before it is answered 503. */
export const UPDATE_ROUNDS = 50
