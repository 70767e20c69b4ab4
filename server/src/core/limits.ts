// The limits that callers or operators see, and those that several folders use, each with its reason. Any other limit
// is in its folder, preferably in the file that applies it.
import { divided } from './worker-share.ts'

/** Largest request body in bytes (decisions §12): a bulk of 1,000 records of 10 KB each. */
export const BODY_BYTES = 10 * 1024 * 1024
/** Deepest JSON nesting (decisions §12): no real record comes near it, and a nesting bomb is refused before it is walked. */
export const JSON_DEPTH = 32
/** Characters of a number: no double needs more, however exactly it is written. */
export const NUMBER_CHARACTERS = 2_048
/**
 * Wrong members that the items of one bulk request list together; after that, each item lists only its first
 * `ERRORS_OF_LATER_ITEMS`. Ten items show what is wrong with a thousand, and a response with 100,000 errors helps no
 * client.
 */
export const ERRORS_OF_REQUEST = 1_000
export const ERRORS_OF_LATER_ITEMS = 10
/** Items in one bulk request (decisions §5). */
export const BULK_ITEMS = 1_000
/** Characters of a string whose field has no smaller limit (decisions §1). */
export const STRING_CHARACTERS = 1_048_576
/** Characters of a name, and of every member that is sorted or filtered by: an index entry holds at most 2.7 KB. */
export const NAME_CHARACTERS = 500
/** Characters of a description (decisions §1). */
export const DESCRIPTION_CHARACTERS = 102_400
/** Characters of a long text that its column holds for the search index; migrations use the same number. */
export const SEARCHED_CHARACTERS = 2_000
/** Characters of a record's text: a page of 100 such records still fits the memory. */
export const RECORD_CHARACTERS = 2 * 1024 * 1024
/** Maximum characters of an unstreamed page, and about what a statement keeps of its rows. Longer pages are streamed. */
export const PAGE_CHARACTERS = 16 * 1024 * 1024
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
/** Records on one page: by default, and at most (decisions §3). */
export const PAGE_DEFAULT = 100
export const PAGE_MAXIMUM = 1_000
/** Largest `skip`: beyond it the result could only be empty, and PostgreSQL's OFFSET ends at 2^63. */
export const SKIP_MAXIMUM = 1_000_000_000

/**
 * Milliseconds within which a whole request must arrive: enough for 10 MB at 1 Mbit/s, and a bound for clients that are
 * slow on purpose.
 */
export const REQUEST_READ_MS = 120_000
/** Header fields of a request: browsers and proxies together send some thirty. */
export const HEADER_FIELDS = 100
/** Milliseconds without a byte in either direction while a request is in progress: no handler takes so long, and no working network. */
export const SOCKET_SILENCE_MS = 60_000
/** Milliseconds after which a request is answered 503, whatever the database does. */
export const REQUEST_DEADLINE_MS = 9_000

/**
 * How many run at once in one server, and how many wait, besides batched operations: bulk requests, statements of
 * lists, all other requests, and single operations that may wait for locked rows or are long transactions. Of the last
 * kind a company has at most half, since it may be waiting for itself. Together they leave a connection for the
 * batchers. More would not be faster: three bulks keep the disk and a core busy. Queues are no longer than the deadline
 * allows: 64 bulks of 1,000 take some 8 s. A worker has at least two of each, so that one company leaves one to others.
 * Its queue for bulks is longer than its share, because the kernel does not spread connections evenly.
 */
export const SEMAPHORES = {
  bulk: { name: 'bulk', atOnce: divided(3, 2), waiting: divided(64, 48) },
  list: { name: 'list', atOnce: divided(5, 2), waiting: divided(2_000, 250) },
  other: { name: 'other', atOnce: divided(3, 2), waiting: divided(2_000, 250) },
  contended: { name: 'contended', atOnce: divided(4, 2), waiting: divided(2_000, 250), each: divided(2, 1) },
} as const
/**
 * Companies that may each queue one item although the queue of a batcher or fair semaphore is full. Twelve companies
 * with too many requests fill a queue of 4,000 between them, and the next company must still get in. That many bulks
 * can be done before the deadline, and that many of anything else take some milliseconds.
 */
export const NEWCOMERS = 64
/** Characters of records that one statement reads or changes, unless it is a single record: to write that many takes about a second. */
export const STATEMENT_CHARACTERS = 2 * 1024 * 1024
/**
 * Bytes from which a response counts against the memory budget of responses: even on all connections together, shorter
 * ones do no harm.
 */
export const LONG_ANSWER_BYTES = 4096
/**
 * Times that work begins again after it lost a race: a request that creates twenty levels of stock may collide with
 * twenty others that each create one of them.
 */
export const RACE_TRIES = 20

/** Characters of an `Idempotency-Key` (decisions §12): enough for every client's own naming, and for an index entry. */
export const IDEMPOTENCY_KEY_CHARACTERS = 255

/** Most rows in the first and in later chunks of an unbounded list: each takes a statement of some milliseconds. */
export const STREAMED_ROWS_FIRST = 100
export const STREAMED_ROWS = 1_000
/** Target size of a chunk of a streamed list, in characters; a single record may be longer. */
export const STREAMED_CHARACTERS = 1024 * 1024

/**
 * Bytes that a list takes while it is read and sent to one caller: the chunk that is being sent, the next one, and
 * their rows.
 */
export const STREAMED_BYTES = 4 * 1024 * 1024

/** Milliseconds between two looks, at first and at most, while an older write of the company is still committing: a rollback sends no notice. */
export const HELD_LOOK_MS = 20
export const HELD_LOOK_MOST_MS = 1_000

/** Seconds that a client is asked to wait after 503. */
export const RETRY_AFTER_SECONDS = 1

/** Milliseconds for which a browser stays signed in: thirty days. */
export const SIGN_IN_MS = 30 * 24 * 60 * 60 * 1000
/** Milliseconds for which a browser is recognized after a sign-in: a quarter of a year from the last one. */
export const KNOWN_BROWSER_MS = 90 * 24 * 60 * 60 * 1000
/**
 * Milliseconds within which a browser must come back from the OpenID provider, where people may have to look for their
 * password.
 */
export const SSO_MS = 10 * 60 * 1000

/** Milliseconds within which a file must arrive: 100 MB at 1 Mbit/s. */
export const IMPORT_SENT_MS = 900_000
/** Columns of a file: no export has more than some hundred. */
export const IMPORT_COLUMNS = 2_000
/** Categories of a whole file, whose ids are in memory: a file of 100 MB could name ten million, and each becomes a record. */
export const IMPORT_CATEGORIES = 20_000
