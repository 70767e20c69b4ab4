// The limits of keeping and reading sums, each with its reason.

/** Events after a cursor that one statement looks at, and characters of those that concern reports: some 10 ms. */
export const REPORT_EVENTS = 2_000
export const REPORT_CHARACTERS = 4 * 1024 * 1024
/** Characters of a chunk's records as stored, beyond its first one: orders can have any number of lines of any length. */
export const REPORT_CHUNK_CHARACTERS = 1024 * 1024
/** Dirty chunks, and blocks, that are summed at a time: some 100 ms. */
export const REPORT_CHUNKS = 16
export const REPORT_BLOCKS = 16
/** Milliseconds after which a refresh starts no further statement. Other refreshes of the company wait for it. */
export const REPORT_SUM_MS = 100
/** Old quarters of an hour that one refresh finds: some 50 ms. */
export const REPORT_QUARTERS = 100
/** Lines of an order that are summed, the first ones: as many as records in a bulk request; 2 MB of them would be 100,000. */
export const REPORT_LINES = 1_000
/** Rows of old sums that one statement removes: some 50 ms. */
export const REPORT_ROWS_CLEARED = 10_000
/** Milliseconds between two looks for writes of companies: the writes in between are added at once. A request looks by itself. */
export const REPORT_POLL_MS = 1_000
/** Companies of one such look: the others follow at the next one. */
export const REPORT_COMPANIES = 500
/** Milliseconds between two looks for outdated sums, and companies that one of them finds. */
export const REPORT_SWEEP_MS = 60_000
export const REPORT_SWEEP = 500
/** Milliseconds after which a failed look is retried: the database may be unreachable. */
export const REPORT_AFTER_FAILURE_MS = 1_000
/** Milliseconds until a company whose refresh failed is tried again. */
export const REPORT_RETRY_MS = 5_000
/** Days after which sums that are not requested are no longer updated, and hours between two looks for them. */
export const REPORT_UNASKED_DAYS = 30
export const REPORT_UNREAD_HOURS = 24
/** Days after which sums that were not updated are computed again: events are kept for 30. */
export const REPORT_UNREAD_DAYS = 28
/** Entries that are read, added up and kept in memory at a time: some 4 ms, 1 MB of text. */
export const REPORT_PORTION = 10_000
/** Bytes of sums, compressed as they are stored, that one statement reads: some 1 MB of text. */
export const REPORT_READ_BYTES = 128 * 1024
/** Bytes of sums that a server keeps in memory, divided among its workers: those of some hundred thousand entries. */
export const REPORT_CACHE_BYTES = 32 * 1024 * 1024
export const REPORT_CACHE_LEAST = 8 * 1024 * 1024
/** Lines and tax rates that are converted to columns at a time: some 5 ms. */
export const REPORT_ROWS = 2_000
