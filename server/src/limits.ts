// Every limit of the service in one place, each with its reason, so that the code, the reference and the tests agree.

/** Largest request body in bytes (decisions §12): a bulk of 1,000 records of 10 KB each. */
export const BODY_BYTES = 10 * 1024 * 1024
/** Deepest JSON nesting (decisions §12): no real record comes near it, and a bomb is refused before it is walked. */
export const JSON_DEPTH = 32
/** Values in one body: 1,000 records of 250 members; more could only be there to exhaust the memory. */
export const JSON_VALUES = 250_000
/** Items in one bulk request (decisions §5). */
export const BULK_ITEMS = 1_000
/** Characters of a string whose field says nothing smaller (decisions §1). */
export const STRING_CHARACTERS = 1_048_576
/** Characters of a name, and of every member that is sorted or filtered by: an index entry holds at most 2.7 KB. */
export const NAME_CHARACTERS = 500
/** Characters of a description (decisions §1). */
export const DESCRIPTION_CHARACTERS = 102_400
/** Characters of a long text that its column holds for the search index; migrations name the same number. */
export const SEARCHED_CHARACTERS = 2_000
/** Characters of a record's text: a page of 100 such records still fits the memory. */
export const RECORD_CHARACTERS = 2 * 1024 * 1024
/** Characters of the records on one page; a page that would be longer ends early, and the next one goes on. */
export const PAGE_CHARACTERS = 64 * 1024 * 1024
/** Characters of a URL (decisions §1). */
export const URL_CHARACTERS = 2_048
/** Characters of a reference to another record (decisions §1). */
export const REFERENCE_CHARACTERS = 64
/** Characters of an open vocabulary: status, source, type … (decisions §2). */
export const VOCABULARY_CHARACTERS = 100
/** Characters of `clientRef` (decisions §5). */
export const CLIENT_REF_CHARACTERS = 200
/** Characters of one query parameter: a search term, or a list of some hundred ids. */
export const PARAMETER_CHARACTERS = 8_192
/** Records on one page, when not said and at most (decisions §3). */
export const PAGE_DEFAULT = 100
export const PAGE_MAXIMUM = 1_000
/** Largest `skip`: beyond it the answer could only be empty, and PostgreSQL's OFFSET ends at 2^63. */
export const SKIP_MAXIMUM = 1_000_000_000

/** Milliseconds in which a whole request must have come in: 10 MB at 1 Mbit/s, and no more for those who dawdle on purpose. */
export const REQUEST_READ_MS = 120_000
/** Milliseconds after which a request is answered 503, whatever the database does. */
export const REQUEST_DEADLINE_MS = 9_000
/** Milliseconds after which PostgreSQL gives up a statement by itself. */
export const STATEMENT_TIMEOUT_MS = 8_000
/** Milliseconds that a statement waits for a free or a new connection. */
export const CONNECT_TIMEOUT_MS = 4_000
/** Milliseconds after which a connection that does not answer is given up and closed. */
export const QUERY_DEADLINE_MS = 8_500
/** Connections of one server process to PostgreSQL (its default limit is 100 for all). */
export const CONNECTIONS = 12

/** Concurrent single operations that go into one statement, and statements of a kind under way at once. */
export const GATHERED_ITEMS = 128
export const GATHERED_STATEMENTS = 2
/** Rounds in which an update that lost a race is tried again before it is answered 503. */
export const UPDATE_ROUNDS = 50

/** Characters of an `Idempotency-Key` (decisions §12): room for every client's own naming, and an index entry's worth. */
export const IDEMPOTENCY_KEY_CHARACTERS = 255
/** Milliseconds for which a key's answer is kept (decisions §12). */
export const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60 * 1000
/** Milliseconds between two clearings of older ones, and rows that one statement removes: a lock on them is held for some ms. */
export const IDEMPOTENCY_CLEARING_MS = 10 * 60 * 1000
export const IDEMPOTENCY_ROWS_CLEARED = 5_000

/** API keys held in memory, so that a request costs no look-up. */
export const CACHED_KEYS = 50_000
/** Milliseconds that a key is held in memory, in case that a pooler between swallows the notice of its deletion. */
export const CACHED_KEY_MS = 60_000
/** Milliseconds between two writes of `lastUsedAt`. */
export const LAST_USED_FLUSH_MS = 60_000
/** Seconds that a client is asked to wait after 503. */
export const RETRY_AFTER_SECONDS = 1
/** Milliseconds that requests in flight are given after SIGTERM. */
export const SHUTDOWN_MS = 7_000
/** Milliseconds after SIGTERM for which idle connections stay open: a request may be on its way on them. */
export const KEEP_ALIVE_GRACE_MS = 300
/** Milliseconds from SIGTERM to the end of the process, whatever still holds it up. */
export const STOP_MS = 9_000
