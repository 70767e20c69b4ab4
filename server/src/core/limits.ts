// The limits that callers or operators see, and those that several folders use, each with its reason. A limit of one folder is in that folder, best in the file that applies it.

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

/** Milliseconds within which a whole request must arrive: 10 MB at 1 Mbit/s, and no more for clients that are slow on purpose. */
export const REQUEST_READ_MS = 120_000
/** Header fields of a request: browsers and proxies together send some thirty. */
export const HEADER_FIELDS = 100
/** Milliseconds without a byte in either direction while a request is in progress: no handler takes so long, and no working network. */
export const SOCKET_SILENCE_MS = 60_000
/** Milliseconds after which a request is answered 503, whatever the database does. */
export const REQUEST_DEADLINE_MS = 9_000

/**
 * What runs at once, and what waits for it, besides batched operations: bulk requests, statements of lists, all other
 * requests, and single operations that have to wait for locked rows or are long transactions. Of the last kind a
 * company has half at most, since it may be waiting for itself. Together they leave a connection to the batchers. More
 * would not be faster: three bulks keep the disk and a core busy. What would wait longer than the deadline need not
 * start: 64 bulks of 1,000 take some 8 s.
 */
export const SEMAPHORES = {
  bulk: { atOnce: 3, waiting: 64 },
  list: { atOnce: 5, waiting: 2_000 },
  other: { atOnce: 3, waiting: 2_000 },
  contended: { atOnce: 4, waiting: 2_000, each: 2 },
} as const
/**
 * Companies that may each queue one item although the queue of a batcher or fair semaphore is full. Twelve companies
 * with too many requests fill a queue of 4,000 between them, and the next company must still get in. As many bulks as
 * can be done before the deadline; of anything else some milliseconds' work.
 */
export const NEWCOMERS = 64
/** Characters of records that one statement reads or changes, unless it is a single record: to write that many takes about a second. */
export const STATEMENT_CHARACTERS = 2 * 1024 * 1024
/** Bytes from which a response counts against the memory budget of responses: shorter ones of all connections together do no harm. */
export const LONG_ANSWER_BYTES = 4096
/**
 * Times that work begins again after it gave way to other work: a request that creates twenty levels of stock may meet
 * as many that create one of them.
 */
export const RACE_TRIES = 20

/** Characters of an `Idempotency-Key` (decisions §12): enough for every client's own naming, and for an index entry. */
export const IDEMPOTENCY_KEY_CHARACTERS = 255

/** Characters of the name of a custom table, and of a field (decisions §7). */
export const CUSTOM_NAME_CHARACTERS = 63
/** Custom tables of a company, and fields of a table: as many as people can still manage. */
export const CUSTOM_TABLES = 200
export const CUSTOM_FIELDS = 200
/** Earlier names of fields of a table that extends customers: each is remembered, in some 60 bytes. */
export const FORMER_NAMES = 200
/** Companies whose tables are cached, by name and version, also those without tables; and cached tables of all companies, of some 200 bytes each. */
export const CACHED_TABLE_LISTS = 50_000
export const CACHED_TABLE_NAMES = 400_000
/** Cached tables with their fields, and fields of all of them together, of some 300 bytes each. */
export const CACHED_TABLES = 20_000
export const CACHED_FIELDS = 200_000
/** Companies whose extended customers are cached, ready for use, of some 20 KB each; and columns of all of them together, of 200 bytes each. */
export const CACHED_EXTENSIONS = 1_000
export const CACHED_EXTENSION_COLUMNS = 100_000
/** Tables that may extend customers: with 200 columns each, a company's reference takes half a second to generate. */
export const EXTENDING_TABLES = 50
/** Sets of tables in which customers of a company have rows, cached for fast reads. */
export const REMEMBERED_HEADS = 1_000
/** Retries when the structure changes during a read: it changes seldom, but a program that sets tables up changes it a hundred times. */
export const STRUCTURE_LOOKS = 100
/** Rows that the first and the later pieces of an unbounded list hold at most: a statement of some ms each. */
export const STREAMED_ROWS_FIRST = 100
export const STREAMED_ROWS = 1_000
/** Target size of a piece of a streamed list, in characters; a single record may be longer. */
export const STREAMED_CHARACTERS = 1024 * 1024
/** Rows or values that one statement purges after a table or a field was deleted: locks are held for some ms. */
export const PURGED_ROWS = 2_000
/** Milliseconds between two looks for such rows; while there are some, the purge rests as long as it worked. */
export const PURGE_LOOK_MS = 2_000

/** Characters of the reason for which a company is suspended: a sentence or two, in each response to its keys. */
export const SUSPENDED_REASON_CHARACTERS = 500
/** Characters of a company's address as JSON, including unknown members: a page of 1,000 companies fits the memory. */
export const COMPANY_ADDRESS_CHARACTERS = 10_000
/** Largest limit of a plan: beyond what any shop has, and far from what PostgreSQL cannot count. */
export const PLAN_LIMIT_MOST = 1_000_000_000
/** Bytes that a list takes while it is read and sent for a single caller: a piece being sent, the next one, and their rows. */
export const STREAMED_BYTES = 4 * 1024 * 1024

/** Milliseconds between two looks, at first and at most, while an older write of the company is still committing: a rollback sends no notice. */
export const HELD_LOOK_MS = 20
export const HELD_LOOK_MOST_MS = 1_000

/** Seconds that a client is asked to wait after 503. */
export const RETRY_AFTER_SECONDS = 1

/** Milliseconds for which a browser stays signed in: thirty days, or seven without a request. */
export const SIGN_IN_MS = 30 * 24 * 60 * 60 * 1000
export const SIGN_IN_UNUSED_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds between two writes of when a sign-in was last seen: one a minute, however busy the page is. */
export const LAST_SEEN_MS = 60_000
/** Sign-ins of one user, the newest: no user has this many browsers, and a program that signs in for each request fills no table. */
export const SIGN_INS_OF_USER = 100
/** Sign-ins cached that were valid a short while ago, so that their look-ups do not count as guesses. */
export const FAMILIAR_SIGN_INS = 50_000
/** Characters of a password (NIST SP 800-63B requires at least 8, and at least 64 to be accepted). */
export const PASSWORD_LEAST = 10
export const PASSWORD_MOST = 200
/**
 * Argon2id with OWASP's minimum: 19 MiB, two passes, parallelism 1. One hash takes some 20 ms. How many run at once,
 * which bounds the memory and cores that unauthenticated callers can use, and how many wait.
 */
export const ARGON2 = { memoryKiB: 19_456, passes: 2, lanes: 1 } as const
export const PASSWORDS = { atOnce: 2, waiting: 200 } as const
/**
 * Wrong passwords for one account, and from one network, in that many milliseconds: after that, no password is checked
 * until they are over. A browser in which the account's user signed in before has a separate count.
 */
export const ACCOUNT_FAILURES = 10
export const NETWORK_FAILURES = 50
export const FAILURES_MS = 15 * 60 * 1000
/** Milliseconds for which a browser is recognized after a sign-in: a quarter of a year from the last one. */
export const KNOWN_BROWSER_MS = 90 * 24 * 60 * 60 * 1000
/** Browsers that are recognized for one user, the newest. */
export const KNOWN_BROWSERS_OF_USER = 100
/** Bytes of a body that may be sent without a key: an address, a password and a token. */
export const PUBLIC_BODY_BYTES = 16 * 1024
/** Organizations, and companies, that a sign-in lists; the list of companies shows more. */
export const OWN_PLACES = 100
/** Members of one company or organization: more than any has, and a list that is read in a moment. */
export const MEMBERS = 1_000
/** Number of companies that an invitation link names. If there are more, it shows how many. */
export const INVITATION_COMPANIES = 20
/** Expired sign-ins, links and the like that one statement removes. */
export const CLEARED_ROWS = 5_000
/** Milliseconds for which a rotated key may stay valid beside the new one: a quarter of a year. */
export const KEY_OVERLAP_MS = 90 * 24 * 60 * 60 * 1000
/** Milliseconds for which the first link, which `serve` prints, and any other link are valid. */
export const FIRST_LINK_MS = 24 * 60 * 60 * 1000
export const LINK_MS = 7 * 24 * 60 * 60 * 1000

/** Bytes of the file of an import: a hundred thousand products with their descriptions. */
export const IMPORT_BYTES = 100 * 1024 * 1024
/** Bytes of one stored piece, written and read at once: a statement of some ms. */
export const IMPORT_PIECE_BYTES = 1024 * 1024
/** Bytes of it that are read and parsed at once: some 10 ms in which the server does nothing else. */
export const IMPORT_READ_BYTES = 128 * 1024
/** Milliseconds within which a file must arrive: 100 MB at 1 Mbit/s. */
export const IMPORT_SENT_MS = 900_000
/** Characters of a file's name. */
export const FILE_NAME_CHARACTERS = 255
/** Rows of a file, and columns: an id of each row is in memory, and no export has more than some hundred columns. */
export const IMPORT_ROWS = 500_000
export const IMPORT_COLUMNS = 2_000
/**
 * Categories that a row names, and levels of one: no shop has a tenth of that. Categories of a whole file, whose ids
 * are in memory: a file of 100 MB could name ten million, and each becomes a record.
 */
export const IMPORT_CATEGORIES_OF_ROW = 200
export const IMPORT_CATEGORY_LEVELS = 32
export const IMPORT_CATEGORIES = 20_000
/** Characters of images and attributes that rows add to products of other rows: in memory until the whole file is read. */
export const IMPORT_ADDED_CHARACTERS = 32 * 1024 * 1024
/** Lines that may be refused: with more of them, the file itself is wrong. They are stored, some 100 bytes each. */
export const IMPORT_REFUSED = 10_000
/** Products that a preview shows, variants of each, and characters of a text in it. */
export const PREVIEWED_PRODUCTS = 20
export const PREVIEWED_VARIANTS = 50
export const PREVIEWED_CHARACTERS = 1_000
/** Records in a preview's comparison with what is stored. */
export const PREVIEWED_CHANGES = 100
/** Characters of a preview, after which no further product or variant is shown: it is built and sent in one piece. */
export const PREVIEW_CHARACTERS = 1024 * 1024
/** Milliseconds for which an import is kept with its file after it has ended. */
export const IMPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds for which an import can be undone and its changes are kept. */
export const IMPORT_UNDO_MS = 30 * 24 * 60 * 60 * 1000
/** Bytes of the changes of one import, and of all imports of a company: beyond them an import, or the oldest one, can no longer be undone. */
export const IMPORT_UNDO_BYTES = 256 * 1024 * 1024
export const IMPORTS_UNDO_BYTES = 512 * 1024 * 1024
/** Bytes that a change takes besides the previous members, with its indexes. */
export const IMPORT_CHANGE_BYTES = 350
/** Changes that an undo reverts in one transaction, and characters of previous members. */
export const IMPORT_UNDO_STEP = 500
export const IMPORT_UNDO_CHARACTERS = 2 * 1024 * 1024
/** Changes that one statement deletes after they expire. */
export const IMPORT_CHANGES_CLEARED = 10_000
/** Lines of one response about what an undo left unchanged. */
export const IMPORT_LEFT_LINES = 10_000
/** Pieces of a file that one statement copies. */
export const IMPORT_PIECES_COPIED = 8
/**
 * Imports of a company, and bytes of their files: beyond that, the oldest ended ones are removed. Of those that wait or
 * run, as many as a list shows at a glance.
 */
export const IMPORTS_KEPT = 1_000
export const IMPORTS_KEPT_BYTES = 500 * 1024 * 1024
export const IMPORTS_WAITING = 20
/** Uploads that wait to store a piece, one at a time: the connection is one of two. */
export const IMPORT_PIECES = { atOnce: 1, waiting: 200 } as const
/**
 * Connections to PostgreSQL for uploads, and as many for the import that is checked and the one that is run; the last
 * has one more, which holds its company.
 */
export const IMPORT_CONNECTIONS = 2
/** Megabytes of memory that an import may take: one of 500,000 rows takes a third. */
export const IMPORT_MEMORY_MB = 768
/** Milliseconds for which the thread of imports stays idle before it ends: to start one takes half a second of a core. */
export const IMPORT_THREAD_IDLE_MS = 10_000
/** Milliseconds of a server's lease on an import: after that, another server takes over what a dead one left. */
export const IMPORT_LEASE_MS = 10_000
/** Milliseconds between two saves of the progress, each of which renews the lease and checks for a cancellation. */
export const IMPORT_NOTE_MS = 1_000
/** Milliseconds between two looks for waiting imports, in case that no notice arrives, and between two removals of old ones. */
export const IMPORT_LOOK_MS = 2_000
export const IMPORT_CLEARING_MS = 60_000
/** Milliseconds after which a blocked import continues: the database was unreachable, or another import held the company. */
export const IMPORT_PAUSE_MS = 2_000
/** Times that an import is retried without progress of a hundredth: one that crashes its server must not crash all of them. */
export const IMPORT_TRIES = 5
/**
 * Fraction of an import that counts as progress, after which its retries are counted again: with less it would be
 * retried a hundred times and more.
 */
export const IMPORT_STEP = 0.01
