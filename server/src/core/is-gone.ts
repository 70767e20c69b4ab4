// Whether anybody still waits for a result: the check that every waiting request gets when its turn comes.

/**
 * True once the client has disconnected or the deadline has passed. It is a function to call, and does not notify: an
 * AbortSignal would cost each request a controller, a timer and a listener (docs/decisions/0009-overload.md).
 */
export type IsGone = () => boolean
