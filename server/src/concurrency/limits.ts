// Limits that both batchers use, each with its reason. A limit of one file is in that file.
import { divided } from '../core/worker-share.ts'

/** Concurrent single operations that share one statement, and concurrent statements of one kind. */
export const BATCH_ITEMS = 128
export const BATCH_STATEMENTS = 2
/** Concurrent single operations of a kind that wait in the batcher, of all companies: less than a second's work. */
export const BATCH_WAITING = divided(4_000, 500)
