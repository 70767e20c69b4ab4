// Every limit of the service in one place, each with its reason, so that the code, the reference and the tests agree.

/** Largest request body in bytes (decisions §12): a bulk of 1,000 records of 10 KB each. */
export const BODY_BYTES = 10 * 1024 * 1024
/** Deepest JSON nesting (decisions §12): no real record comes near it, and a bomb is refused before it is walked. */
export const JSON_DEPTH = 32
/** Values in one body: 1,000 records of 250 members; more could only be there to exhaust the memory. */
export const JSON_VALUES = 250_000
/**
 * Characters of the places of all that a body would lose, after which it is refused whole: a name of a megabyte may stand before
 * each of 250,000 numbers, and a thousand items with 200 places of 40 characters each stay below.
 */
export const LOSSES_CHARACTERS = 8 * 1024 * 1024
/** Characters of the places that one problem lists, the first one aside: no answer is many times as long as its request. */
export const POINTERS_LISTED_CHARACTERS = 64 * 1024
/** Bytes of a body that are parsed at once: a millisecond's work. What is longer is parsed piece by piece, others between. */
export const JSON_PIECE_BYTES = 32 * 1024
/** Milliseconds after which long work lets everybody else have a turn. */
export const SLICE_MS = 5
/** Members of one object: as many columns as a customer may have of a company's own tables, twice; more are there to hold others up. */
export const OBJECT_MEMBERS = 20_000
/** Characters of a number: more are needed for no double, however exactly it is written. */
export const NUMBER_CHARACTERS = 2_048
/** Bytes in which the first error of a text that is no JSON is looked for. */
export const SEARCHED_FOR_ERROR = 256 * 1024
/**
 * Wrong members that the items of one bulk request list together before each further item lists only its first
 * `ERRORS_OF_LATER_ITEMS`: what is wrong with a thousand items is seen from ten, and an answer of 100,000 errors helps nobody.
 */
export const ERRORS_OF_REQUEST = 1_000
export const ERRORS_OF_LATER_ITEMS = 10
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
/** Maximum characters of an unstreamed page, and about what a statement keeps of its rows. Longer pages are streamed. */
export const PAGE_CHARACTERS = 16 * 1024 * 1024
/** Characters of an answer that is kept under an idempotency key: that of a bulk of 10 MB several times over. */
export const KEPT_CHARACTERS = 64 * 1024 * 1024
/** Characters of a URL (decisions §1). */
export const URL_CHARACTERS = 2_048
/** Characters of a reference to another record (decisions §1). */
export const REFERENCE_CHARACTERS = 64
/** Characters of an open vocabulary: status, source, type … (decisions §2). */
export const VOCABULARY_CHARACTERS = 100
/** Characters of `clientRef` (decisions §5). */
export const CLIENT_REF_CHARACTERS = 200
/** Characters of the reason for a change of stock: a sentence or two, in each entry of the history. */
export const REASON_CHARACTERS = 500
/** Characters of one query parameter: a search term, or a list of some hundred ids. */
export const PARAMETER_CHARACTERS = 8_192
/** Records on one page, when not said and at most (decisions §3). */
export const PAGE_DEFAULT = 100
export const PAGE_MAXIMUM = 1_000
/** Largest `skip`: beyond it the answer could only be empty, and PostgreSQL's OFFSET ends at 2^63. */
export const SKIP_MAXIMUM = 1_000_000_000

/** Milliseconds in which a whole request must have come in: 10 MB at 1 Mbit/s, and no more for those who dawdle on purpose. */
export const REQUEST_READ_MS = 120_000
/** Milliseconds in which its headers must have come in, and the first byte after a connection was made: 16 KB take no longer anywhere. */
export const HEADERS_READ_MS = 15_000
/** Header fields of a request: browsers and proxies together send some thirty. */
export const HEADER_FIELDS = 100
/** Milliseconds that a connection waits for its next request: longer than proxies wait (60 s), so that theirs is the side that closes. */
export const KEEP_ALIVE_MS = 72_000
/** Milliseconds without a byte in either direction while a request is under way: no handler takes so long, and no network that works. */
export const SOCKET_SILENCE_MS = 60_000
/** Milliseconds within which a client must read the rest of an answer: the longest unstreamed page, 16 MB, at 0.5 Mbit/s. */
export const ANSWER_TAKEN_MS = 300_000
/** Milliseconds between two looks at all connections for those that are over their time: some microseconds each. */
export const SOCKET_CHECK_MS = 5_000
/** Requests that clients have sent ahead of the answers before theirs, on all connections: parsed, each costs some 3 KB. */
export const SENT_AHEAD = 10_000
/** Connections of one server process: idle ones cost it about 10 KB each, and it must not run out of file descriptors. */
export const SOCKETS = 10_000
/** Part of them that one network may have without having shown a valid key: the others are for those who have one. */
export const STRANGERS_OF_NETWORK = 1 / 4
/** Milliseconds after which a request is answered 503, whatever the database does. */
export const REQUEST_DEADLINE_MS = 9_000
/** Milliseconds after which PostgreSQL gives up a statement by itself. */
export const STATEMENT_TIMEOUT_MS = 8_000
/** Milliseconds after which PostgreSQL ends a transaction that says nothing more: its server froze or is gone, and what it locked is free again. */
export const IDLE_TRANSACTION_MS = 10_000
/** Milliseconds that a statement waits for a free or a new connection. */
export const CONNECT_TIMEOUT_MS = 4_000
/** Milliseconds after which a connection that does not answer is given up and closed. */
export const QUERY_DEADLINE_MS = 8_500
/** Milliseconds a streamed page may hold its snapshot: 100 MB at 3 Mbit/s, or 32 such pages at once from a busy machine. Meanwhile PostgreSQL keeps all rows visible to it. */
export const CURSOR_MS = 300_000
/** Milliseconds during which new cursors can join a transaction. It lasts at most that long plus `CURSOR_MS`. */
export const CURSORS_OPENED_MS = 180_000
/** Connections that cursors share: enough for the transaction that cursors join, and those that are ending. */
export const CURSOR_CONNECTIONS = 3
/** Items of a statement up to which a plan kept from earlier is good enough; more are planned for themselves, in some 0.3 ms. */
export const KEPT_PLAN_ITEMS = 50
/** Connections of one server process to PostgreSQL (its default limit is 100 for all). */
export const CONNECTIONS = 16
/**
 * Connections besides for what waits behind no work: finding a key, and saying that the service is up. Who asks the same at
 * once shares a statement, so that only look-ups of different keys can keep them busy.
 */
export const RESERVED_CONNECTIONS = 2
/** Statements that wait for a connection: only a flood of different unknown keys comes near it, and each is answered in 0.2 ms. */
export const CONNECTION_WAITING = 1_000

/** Concurrent single operations that go into one statement, and statements of a kind under way at once. */
export const GATHERED_ITEMS = 128
export const GATHERED_STATEMENTS = 2
/** Those of one company in one statement while another company is present: a few milliseconds' work, so that nobody waits long behind them. */
export const GATHERED_ITEMS_BESIDE = 32
/** Items of a company that go together with others'; with more waiting it has statements of its own, so that nobody's record waits for theirs. */
export const GATHERED_FEW = 8
/** Concurrent single operations of a kind that wait for their statement, of all companies: less than a second's work. */
export const GATHERED_WAITING = 4_000
/**
 * What is carried out at once, and what waits for it, besides what is gathered: bulk requests, statements of lists, all
 * other requests, and single operations that have to wait for rows which somebody holds, or that are long transactions.
 * Of the last a company has half at most, since it may be waiting for itself. Together they leave a connection to the gathered ones. More would not go faster: three bulks keep
 * the disk and a core busy. What would wait longer than the deadline need not begin to: 64 bulks of 1,000 take some 8 s.
 */
export const SEMAPHORES = {
  bulk: { atOnce: 3, waiting: 64 },
  list: { atOnce: 5, waiting: 2_000 },
  other: { atOnce: 3, waiting: 2_000 },
  contended: { atOnce: 4, waiting: 2_000, each: 2 },
} as const
/** Milliseconds after a request for which its company counts as present, so that no other one takes more than half of any places. */
export const PRESENT_MS = 1_000
/**
 * Requests of one company that begin in one turn of the event loop while another company is present, and those that wait for a
 * later turn: some half a millisecond's work, so that a flood of requests, also of refused ones, delays nobody else by more.
 */
export const BEGUN_IN_TURN = { atOnce: 64, beside: 8, waiting: 10_000 } as const
/**
 * Companies that may let one item each wait though the room is full, in the gathering and in the lanes: twelve companies
 * that ask too much fill the room for 4,000 between them, and the next one is not to find it closed. As many bulks as can
 * be done before the deadline; of anything else some milliseconds' work.
 */
export const NEWCOMERS = 64
/** Characters of records that one statement reads or changes, where they are not one alone: writing as many takes about a second. */
export const STATEMENT_CHARACTERS = 2 * 1024 * 1024
/** Bytes of all request bodies under way at once, read, waiting or carried out; parsed, usual ones take one to four times as much. */
export const BODIES_BYTES = 256 * 1024 * 1024
/** Bytes of a body for which there is half as much room again, so that no single record is refused for others' bulks. */
export const SMALL_BODY_BYTES = 64 * 1024
/** Bytes of all answers that clients have not read yet: sixteen 16 MB pages, 64 streamed ones, or thousands of usual ones. Half as much again for answers of one record. */
export const ANSWERS_BYTES = 256 * 1024 * 1024
/** Bytes from which on an answer counts among them: shorter ones of all connections together do no harm. */
export const LONG_ANSWER_BYTES = 4096
/** Times that work is begun which each time gives way to another: who makes twenty levels of stock may meet as many who make one of them. */
export const RACE_TRIES = 20
/** Rounds in which an update that lost a race is tried again before it is answered 503. */
export const UPDATE_ROUNDS = 50

/** Characters of an `Idempotency-Key` (decisions §12): room for every client's own naming, and an index entry's worth. */
export const IDEMPOTENCY_KEY_CHARACTERS = 255
/** Milliseconds for which a key's answer is kept (decisions §12). */
export const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60 * 1000
/** Milliseconds between two clearings of older ones; the first is at the start. */
export const IDEMPOTENCY_CLEARING_MS = 10 * 60 * 1000
/** Rows that one statement removes: 7 ms for answers of 1 KB, 90 ms for ones of 100 KB; larger ones may take it several tries, each with half as many. */
export const IDEMPOTENCY_ROWS_CLEARED = 500

/** Characters of the name of a custom table, and of a field (decisions §7). */
export const CUSTOM_NAME_CHARACTERS = 63
/** Custom tables of a company, and fields of a table: what people still find their way in, and what a row's cells bear. */
export const CUSTOM_TABLES = 200
export const CUSTOM_FIELDS = 200
/** Names that a field of a table which extends customers may have had: each is remembered, some 60 bytes. */
export const FORMER_NAMES = 200
/** Companies whose tables are held in memory, by name and version, those without tables too; and tables of all of them together, of some 200 bytes each. */
export const CACHED_TABLE_LISTS = 50_000
export const CACHED_TABLE_NAMES = 400_000
/** Tables held in memory with their fields, and fields of all of them together, of some 300 bytes each. */
export const CACHED_TABLES = 20_000
export const CACHED_FIELDS = 200_000
/** Companies whose customers have columns of their own, ready for use, of some 20 KB each; and columns of all of them together, of 200 bytes each. */
export const CACHED_EXTENSIONS = 1_000
export const CACHED_EXTENSION_COLUMNS = 100_000
/** Tables that may extend customers: with 200 columns each, a company's reference takes half a second to make. */
export const EXTENDING_TABLES = 50
/** Sets of tables that customers of a company have rows in, remembered to read them fast. */
export const REMEMBERED_HEADS = 1_000
/** Looks at a structure that is another each time: it changes seldom, but a program that sets tables up changes it a hundred times. */
export const STRUCTURE_LOOKS = 100
/** Rows that the first and the later pieces of an unbounded list hold at most: a statement of some ms each. */
export const STREAMED_ROWS_FIRST = 100
export const STREAMED_ROWS = 1_000
/** Target size of a piece of a streamed list, in characters; a single record may be longer. */
export const STREAMED_CHARACTERS = 1024 * 1024
/** Rows or values that one statement removes of what was deleted with a table or a field: locks are held for some ms. */
export const PURGED_ROWS = 2_000
/** Milliseconds between two looks for such; while there are some, the purge rests as long as it worked. */
export const PURGE_LOOK_MS = 2_000
/** Documents of the API as one company sees it that are held in memory, usually of 0.7 MB each, and their bytes: for those whose programs are being written just now; making one takes some 15 ms. */
export const CACHED_DOCUMENTS = 16
export const CACHED_DOCUMENT_BYTES = 32 * 1024 * 1024

/** Characters of the reason for which a company is suspended: a sentence or two, in each answer to its keys. */
export const SUSPENDED_REASON_CHARACTERS = 500
/** Characters of a company's address as JSON, members that we do not know included: a page of 1,000 companies fits the memory. */
export const COMPANY_ADDRESS_CHARACTERS = 10_000
/** Largest limit of a plan: beyond what any shop has, and far from what PostgreSQL cannot count. */
export const PLAN_LIMIT_MOST = 1_000_000_000
/** Characters of an organization's alias: a label of a host name has no more. */
export const ALIAS_CHARACTERS = 63
/** Characters of an extension's text: a description of 100 KB, twice, and all else; public lists hold thousands of them. */
export const EXTENSION_CHARACTERS = 256 * 1024
/** Pictures of an extension, and surfaces. */
export const EXTENSION_PARTS = 100
/** Characters of names by which the published list is ordered; migrations name the same number. */
export const ORDERED_CHARACTERS = 250
/** Extensions that one statement moves in that order when their organization gets another name: a tenth of a second. */
export const EXTENSIONS_REORDERED = 1_000
/** Bytes of the published list that are kept in memory, older ones included that are still read while there is room: 50,000 extensions of 1 KB twice. */
export const PUBLISHED_BYTES = 128 * 1024 * 1024
/** Bytes of one piece of it: what a connection that takes nothing more keeps alive of a list that is gone. */
export const PUBLISHED_PIECE_BYTES = 64 * 1024
/** Bytes that a list takes which is read for one caller alone while it is sent: a piece on its way, the next one, and their rows. */
export const STREAMED_BYTES = 4 * 1024 * 1024
/**
 * Who waits for a public list, and how many are served at once: pages, and apart from them reads of the whole list. Anybody
 * may ask, so most of the places of lists stay with the companies.
 */
export const PUBLIC_LISTS = { page: { atOnce: 1, waiting: 1_000 }, whole: { atOnce: 1, waiting: 1_000 } } as const
/** Characters of a public search at least: with fewer no trigram is known, and all texts would be read for anybody. */
export const PUBLIC_SEARCH_CHARACTERS = 3
/** Customers that one server asks the payment processor for at once: a tenth of the 100 calls a second that Stripe takes. */
export const PROCESSOR_AT_ONCE = 8
/** Milliseconds for a call to the payment processor, connection and answer together: usual ones take less than one second. */
export const PROCESSOR_TIMEOUT_MS = 20_000
/** Bytes of its answer: a page of 100 customers takes some 100 KB. */
export const PROCESSOR_ANSWER_BYTES = 4 * 1024 * 1024
/** Pages of 100 customers that are looked through for one; half of the lease ends it earlier where pages are slow. */
export const PROCESSOR_PAGES = 500
/** Milliseconds for which a company is one server's to ask for: a search of some pages and a call have half of that. */
export const PROCESSOR_LEASE_MS = 120_000
/** Milliseconds between two looks for companies that are due, where nobody says that there is one. */
export const PROCESSOR_LOOK_MS = 2_000
/** Milliseconds before the second try, and at most before any. */
export const PROCESSOR_PAUSE_MS = 1_000
export const PROCESSOR_PAUSE_MOST_MS = 60 * 60 * 1000
/** Milliseconds for which an idempotency key is relied on: Stripe keeps them for 24 hours. */
export const PROCESSOR_KEY_MS = 22 * 60 * 60 * 1000

/** Milliseconds for a call to a receiver, from the look-up of its name to the headers of its answer (decisions §9). */
export const WEBHOOK_TIMEOUT_MS = 15_000
/** Bytes that are read, and kept, of a receiver's answer (decisions §9). */
export const WEBHOOK_ANSWER_BYTES = 4096
/** Milliseconds that the text of an answer is waited for behind its headers: it decides nothing, so one that trickles holds nobody up. */
export const WEBHOOK_ANSWER_MS = 2_000
/** Longest silence that a receiver's `Retry-After` is granted: the longest pause between tries is as long. */
export const WEBHOOK_RETRY_AFTER_MS = 24 * 60 * 60 * 1000
/** Milliseconds for which a connection to a receiver is kept for the next call: shorter than most servers keep theirs (5 s). */
export const WEBHOOK_IDLE_MS = 4_000
/** Such connections for each host: as many as one trigger may have calls at once. */
export const WEBHOOK_IDLE_SOCKETS = 20
/** Milliseconds that the name of a target is looked up when it is written; one that takes longer is checked when connecting. */
export const TARGET_NAME_MS = 2_000
/** Names of one request that are looked up at once: a name server has other askers. */
export const TARGET_LOOKUPS = 20
/** Names that the operating system looks up at once, each in one of the four threads that files need too. */
export const SYSTEM_LOOKUPS = 1

/** Companies of which is held in memory what their plans limit, of some 100 bytes each. */
export const CACHED_PLANS = 50_000
/** Milliseconds that it is held, in case that a notice is lost: one look-up a minute for a company and a server. */
export const CACHED_PLAN_MS = 60_000
/** Milliseconds that a create or delete may take which began without a limit; one that took longer has the company's records counted anew. */
export const PLAN_UNAWARE_MS = 60_000
/** Milliseconds after which every server has heard of a limit and has nothing under way from before: the two together, and as much again. */
export const PLAN_SETTLING_MS = 240_000
/** Milliseconds that a count is relied on: whoever changed rows behind the service's back is found out the next day. */
export const PLAN_COUNT_MS = 24 * 60 * 60 * 1000

/** Attempts that a delivery shows, the last ones: two whole schedules of ten, of 4 KB of answer each. */
export const ATTEMPTS_KEPT = 20
/** Deliveries that one statement begins with anew or gives up: with the longest answers a second's work. */
export const DELIVERIES_REWRITTEN_AT_ONCE = 250
/** Those of one request or step, and the characters after which it ends earlier: less work than the deadline leaves time for. */
export const DELIVERIES_REWRITTEN = 5_000
export const DELIVERIES_REWRITTEN_CHARACTERS = 16 * 1024 * 1024

/** Characters of a custom event's name (decisions §9). */
export const CUSTOM_EVENT_CHARACTERS = 100
/** Events that one page of the feed looks at in order to find those that its filters let pass: some 30 ms. */
export const FEED_SCANNED = 20_000
/** Types and patterns of one filter: each is compared with each event that is looked at. */
export const FEED_TYPES = 50
/** Seconds that a request may wait for an event (decisions §9): less than any proxy's patience, usually of 60 s. */
export const FEED_WAIT_SECONDS = 30
/** Requests that wait for events, and streams, at one server and of one company at it: each is a socket, of which there are 10,000. */
export const FOLLOWERS = 4_000
export const FOLLOWERS_OF_COMPANY = 200
/** Milliseconds after which they look though nobody woke them: a wake is lost with the server that would have sent it. */
export const FOLLOWED_LOOK_MS = 5_000
/** Milliseconds between two looks of one follower, however often he is woken: so that following costs the same at any rate of writes. */
export const FOLLOWED_PAUSE_MS = 20
/** Milliseconds between two looks, at first and at most, while an older write of the company is still committing: nobody tells when one is undone. */
export const HELD_LOOK_MS = 20
export const HELD_LOOK_MOST_MS = 1_000
/** Events of one look of a stream, and characters behind which it ends: what a stream holds whose reader does not take it. */
export const STREAMED_EVENTS = 100
export const STREAMED_LOOK_CHARACTERS = 128 * 1024
/** Characters of events that are sent at once: what is on its way when a key is deleted. */
export const STREAMED_EVENT_CHARACTERS = 16 * 1024
/** Milliseconds of silence on a stream before a comment is sent: proxies take a connection for dead after 30 to 60 s. */
export const STREAM_COMMENT_MS = 15_000
/** Milliseconds between two checks of the key of a stream, or of a request that waits, while nothing is sent: both end within a second of it. */
export const STREAM_CHECK_MS = 500
/** Milliseconds that a stream's reader waits before he comes again. */
export const STREAM_RETRY_MS = 2_000
/** Milliseconds between two notices of one server to the others: twenty commits a second, however many writes there are. */
export const WAKE_PAUSE_MS = 50
/** Bytes of a notice: PostgreSQL takes fewer than 8,000. */
export const WAKE_BYTES = 8_000

/** Characters of a trigger's secret: any that a tool makes, and a header line's worth. */
export const TRIGGER_SECRET_CHARACTERS = 500
/** Calls of one trigger at once at most: a receiver that wants more can have several triggers. */
export const TRIGGER_PARALLEL = 20
/** Triggers remembered whose secrets cannot be opened: with more of them the key is wrong, and all is logged anew. */
export const TRIGGERS_UNOPENED = 1_000
/** Triggers whose secrets one statement seals: some 100 ms. */
export const TRIGGERS_SEALED = 500

/** API keys held in memory, so that a request costs no look-up. */
export const CACHED_KEYS = 50_000
/** Milliseconds that a key is held in memory, in case that a pooler between swallows the notice of its deletion. */
export const CACHED_KEY_MS = 60_000
/** Milliseconds between two writes of `lastUsedAt`. */
export const LAST_USED_FLUSH_MS = 60_000
/** Requests a second for each key where nothing is said: with a database of one's own, and with the embedded one, which is for one shop or a trial. 0 is no limit. */
export const RATE_LIMIT_OWN_DATABASE = 1_000
export const RATE_LIMIT_EMBEDDED = 0
/** Smallest and largest rate that can be set: one in 100 seconds, and more than a process answers. */
export const RATE_LIMIT_LEAST = 0.01
export const RATE_LIMIT_MOST = 1_000_000
/** Seconds' worth of requests that may come at once (decisions §12). */
export const RATE_LIMIT_BURST = 2
/** Buckets of keys, and as many of addresses, in one generation; there are two at most, of a few megabytes each. */
export const RATED_BUCKETS = 50_000

/** Seconds that a client is asked to wait after 503. */
export const RETRY_AFTER_SECONDS = 1
/** Milliseconds that requests in flight are given after SIGTERM. */
export const SHUTDOWN_MS = 7_000
/** Milliseconds after SIGTERM for which idle connections stay open: a request may be on its way on them. */
export const KEEP_ALIVE_GRACE_MS = 300
/** Milliseconds from SIGTERM to the end of the process, whatever still holds it up. */
export const STOP_MS = 9_000

/** Milliseconds for which a browser stays signed in: thirty days, or seven without a request. */
export const SIGN_IN_MS = 30 * 24 * 60 * 60 * 1000
export const SIGN_IN_UNUSED_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds between two writes of when a sign-in was last seen: one a minute, however busy the page is. */
export const LAST_SEEN_MS = 60_000
/** Sign-ins of one user, the newest: nobody has so many browsers, and a program that signs in for each request fills no table. */
export const SIGN_INS_OF_USER = 100
/** Sign-ins in memory that were known a short while ago, so that their look-ups are no guesses. */
export const FAMILIAR_SIGN_INS = 50_000
/** Characters that are kept of how a browser calls itself: usual names have some 150. */
export const USER_AGENT_CHARACTERS = 300
/** Characters of a password (NIST SP 800-63B asks for 8 at least and 64 at most to be taken). */
export const PASSWORD_LEAST = 10
export const PASSWORD_MOST = 200
/**
 * Argon2id as OWASP asks for at least: 19 MiB, two passes, one lane. One takes some 20 ms; how many there are at once, which is
 * the memory and the cores that anybody can take who types passwords, and how many wait.
 */
export const ARGON2 = { memoryKiB: 19_456, passes: 2, lanes: 1 } as const
export const PASSWORDS = { atOnce: 2, waiting: 200 } as const
/**
 * Wrong passwords for one account, and from one network, in that many milliseconds: then none is looked at until they are over.
 * A browser in which the account's user signed in before has as many as an account for itself.
 */
export const ACCOUNT_FAILURES = 10
export const NETWORK_FAILURES = 50
export const FAILURES_MS = 15 * 60 * 1000
/** Milliseconds for which a browser is known again by whom signed in there: a quarter of a year, from the last time. */
export const KNOWN_BROWSER_MS = 90 * 24 * 60 * 60 * 1000
/** Browsers in which one user is known, the newest. */
export const KNOWN_BROWSERS_OF_USER = 100
/** Bytes of a body that anybody may send without a key: an address, a password and a token. */
export const PUBLIC_BODY_BYTES = 16 * 1024
/** Organizations, and companies, that a sign-in tells of; more are found by the list of companies. */
export const OWN_PLACES = 100
/** Members of one company or organization: more people than any has, and a list that is made in a moment. */
export const MEMBERS = 1_000
/** Number of companies that an invitation link names. If there are more, it shows how many. */
export const INVITATION_COMPANIES = 20
/** Sign-ins, links and the like that one statement removes when they are over. */
export const CLEARED_ROWS = 5_000
/** Milliseconds for which a key that was rotated may go on beside the new one: a quarter of a year. */
export const KEY_OVERLAP_MS = 90 * 24 * 60 * 60 * 1000
/** Milliseconds for which the first link is good, which stands in the output of `serve`, and any other. */
export const FIRST_LINK_MS = 24 * 60 * 60 * 1000
export const LINK_MS = 7 * 24 * 60 * 60 * 1000

/** Milliseconds for which a server has a trigger to itself: what it leaves behind when it dies is taken up after that. */
export const WEBHOOK_LEASE_MS = 15_000
/** Milliseconds between two renewals of leases. */
export const WEBHOOK_RENEWAL_MS = 4_000
/** Milliseconds that a trigger without news stays with its server, so that busy ones are not taken anew each time. */
export const WEBHOOK_UNUSED_MS = 5_000
/**
 * Calls of one server that are under way at once to receivers that are well, with those that turn out slow; of one company;
 * and of receivers that failed or were slow the last time.
 */
export const WEBHOOK_CALLS = 400
export const WEBHOOK_CALLS_MOST = 2_000
export const WEBHOOK_COMPANY_CALLS = 100
export const WEBHOOK_SUSPECT_CALLS = 200
/** Characters of events that a company's calls under way send, after which none is begun: each is in the memory several times over. */
export const WEBHOOK_COMPANY_CHARACTERS = 8 * 1024 * 1024
/** Milliseconds after which an answer counts as slow: such a receiver waits among those that fail. */
export const WEBHOOK_SLOW_MS = 2_000
/** Events that are read ahead for a trigger, and their characters, of one and of all: what a call or two takes to be read meanwhile. */
export const WEBHOOK_QUEUE = 200
export const WEBHOOK_QUEUE_CHARACTERS = 1024 * 1024
export const WEBHOOK_QUEUES_CHARACTERS = 64 * 1024 * 1024
/** Events that one look reads for a trigger at most, those that do not concern it included. */
export const WEBHOOK_PAGE = 500
/** Companies that one look is at: with more of them it would take longer than the others should wait. */
export const WEBHOOK_COMPANIES = 500
/** Milliseconds between two looks for new events while they keep coming: some three statements each, whatever the number of events. */
export const WEBHOOK_LOOK_MS = 10
/** Milliseconds between two looks for calls that are due again, and at least while there are looks for events anyway. */
export const WEBHOOK_DUE_MS = 500
export const WEBHOOK_DUE_LEAST_MS = 100
/** Milliseconds after which a look or a save that failed is tried again: the database may be away. */
export const WEBHOOK_AFTER_FAILURE_MS = 500
/** Deliveries that are due which one look reads for a trigger. */
export const WEBHOOK_DUE_PAGE = 50
/** Milliseconds for which outcomes are gathered before they are written down: what a killed server had not is sent twice. */
export const WEBHOOK_SAVE_MS = 40
/** Milliseconds that calls under way are waited for when the server ends. */
export const WEBHOOK_STOP_MS = 3_000
/** Triggers that one look for forgotten events passes over, and milliseconds between two such looks. */
export const WEBHOOK_SWEEP = 500
export const WEBHOOK_SWEEP_MS = 1_000

/** Bytes of the file of an import: a hundred thousand products with their descriptions. */
export const IMPORT_BYTES = 100 * 1024 * 1024
/** Bytes in which it is stored, and read again: a statement of some ms. */
export const IMPORT_PIECE_BYTES = 1024 * 1024
/** Bytes of it that are read and parsed at once: some 10 ms in which the server does nothing else. */
export const IMPORT_READ_BYTES = 128 * 1024
/** Bytes that count for a file on its way: the piece that fills up, what came beyond it, and the statement that carries it. */
export const TEXT_HELD_BYTES = 4 * IMPORT_PIECE_BYTES
/** Milliseconds in which a file must have come in: 100 MB at 1 Mbit/s. */
export const IMPORT_SENT_MS = 900_000
/** Characters of a file's name. */
export const FILE_NAME_CHARACTERS = 255
/** Rows of a file, and columns: of each row an id is held in memory, and nobody exports more columns than some hundred. */
export const IMPORT_ROWS = 500_000
export const IMPORT_COLUMNS = 2_000
/**
 * Categories that a row names, and levels of one: no shop has a tenth. Categories of a whole file, whose ids are held in
 * memory: a file of 100 MB could name ten million, and each becomes a record.
 */
export const IMPORT_CATEGORIES_OF_ROW = 200
export const IMPORT_CATEGORY_LEVELS = 32
export const IMPORT_CATEGORIES = 20_000
/** Characters of images and attributes that rows add to products which stand elsewhere: held until the whole file was read. */
export const IMPORT_ADDED_CHARACTERS = 32 * 1024 * 1024
/** Lines that may be refused: with more of them it is the file that is wrong, and not its lines. They are kept, some 100 bytes each. */
export const IMPORT_REFUSED = 10_000
/** Products that a preview shows, variants of each, and characters of a text in it. */
export const PREVIEWED_PRODUCTS = 20
export const PREVIEWED_VARIANTS = 50
export const PREVIEWED_CHARACTERS = 1_000
/** Records in a preview's comparison with what is stored. */
export const PREVIEWED_CHANGES = 100
/** Characters of a preview, after which no further product or variant is shown: it is made and answered in one piece. */
export const PREVIEW_CHARACTERS = 1024 * 1024
/** Milliseconds for which an import is kept with its file once it has come to rest. */
export const IMPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds for which an import can be undone, and its changes are kept. */
export const IMPORT_UNDO_MS = 30 * 24 * 60 * 60 * 1000
/** Bytes of the changes of one import, and of all imports of a company: beyond them an import cannot be undone, or the oldest no longer can. */
export const IMPORT_UNDO_BYTES = 256 * 1024 * 1024
export const IMPORTS_UNDO_BYTES = 512 * 1024 * 1024
/** Bytes that a change takes besides the members before, with its indexes. */
export const IMPORT_CHANGE_BYTES = 350
/** Changes that an undo takes back in one transaction, and characters of members before. */
export const IMPORT_UNDO_STEP = 500
export const IMPORT_UNDO_CHARACTERS = 2 * 1024 * 1024
/** Changes that one statement deletes once their time is over. */
export const IMPORT_CHANGES_CLEARED = 10_000
/** Lines in one answer of what an undo left. */
export const IMPORT_LEFT_LINES = 10_000
/** Pieces of a file that one statement copies. */
export const IMPORT_PIECES_COPIED = 8
/** Imports that a company has, and bytes of their files: for more the oldest that rest give way. Of those that wait or run, as many as a list shows at a glance. */
export const IMPORTS_KEPT = 1_000
export const IMPORTS_KEPT_BYTES = 500 * 1024 * 1024
export const IMPORTS_WAITING = 20
/** Files on their way that wait to have a piece stored, one at a time: the connection is one of two. */
export const IMPORT_PIECES = { atOnce: 1, waiting: 200 } as const
/** Connections to PostgreSQL for files that come in, and as many for the import that is checked and the one that is run; the last has one more, which holds its company. */
export const IMPORT_CONNECTIONS = 2
/** Megabytes of memory that an import may take: one of 500,000 rows takes a third. */
export const IMPORT_MEMORY_MB = 768
/** Milliseconds for which the thread of imports stays without any: to start one takes half a second of a core. */
export const IMPORT_THREAD_IDLE_MS = 10_000
/** Milliseconds for which an import is one server's: what it leaves behind when it dies is taken over after that. */
export const IMPORT_LEASE_MS = 10_000
/** Milliseconds between two notes of how far it is, each of which renews the lease and hears of a cancellation. */
export const IMPORT_NOTE_MS = 1_000
/** Milliseconds between two looks for imports that wait, where nobody says that there are some, and between two clearings of old ones. */
export const IMPORT_LOOK_MS = 2_000
export const IMPORT_CLEARING_MS = 60_000
/** Milliseconds after which an import is gone on with that something stood in the way of: the database was away, or the company was held by another import. */
export const IMPORT_PAUSE_MS = 2_000
/** Times that an import is taken up and gets not a hundredth further: one that takes its server down is not to take down all of them. */
export const IMPORT_TRIES = 5
/** Part of an import beyond which it got further, and its tries are counted anew: with less it would be begun a hundred times and more. */
export const IMPORT_STEP = 0.01
/** Days of one report (a leap year), and when nothing is said. */
export const REPORT_DAYS = 366
export const REPORT_DAYS_DEFAULT = 30
/** Payment methods that a report lists, those with the most sales: any word is one, and a company could make a million. */
export const REPORT_METHODS = 100
/** Products that a report lists when not said and at most. */
export const REPORT_PRODUCTS_DEFAULT = 10
export const REPORT_PRODUCTS = 100
/** Levels that the report of low stock lists when not said and at most, and its `below` when not said and at most. */
export const LOW_STOCK_DEFAULT = 20
export const LOW_STOCK = 1_000
export const LOW_STOCK_BELOW = 5
export const LOW_STOCK_BELOW_MOST = 1_000_000_000
/** Events that one statement adds to sums, those that do not concern them included: some 20 ms. */
export const REPORT_EVENTS = 2_000
/** Events that an answer reads beside the sums, and characters of them: some milliseconds. What is more is added to the sums first; where an open write holds that up, the answer reads as many as a step. */
export const REPORT_TAIL_EVENTS = 500
export const REPORT_TAIL_CHARACTERS = 256 * 1024
/** Records that one statement adds from their table: some 100 ms of payments, twice that of orders. */
export const REPORT_ROWS = 10_000
/** Characters of records of one such statement, as the database keeps them: a second's work. */
export const REPORT_CHARACTERS = 16 * 1024 * 1024
/** Milliseconds of such a statement beyond which the next one has half as much to do; and how many times less one has that was given up. */
export const REPORT_STEP_MS = 1_000
export const REPORT_LESS = 8
/** Lines of an order that are summed, the first ones: as many as records in a bulk request; 2 MB of them would be 100,000. */
export const REPORT_LINES = 1_000
/** Rows of old sums that one statement removes: some 50 ms. */
export const REPORT_ROWS_CLEARED = 10_000
/** Milliseconds for which a request waits until its sums are whole; beyond them the answer says that they are not. */
export const REPORT_PATIENCE_MS = 1_000
/** Milliseconds between two looks for what companies wrote: what comes between them is added at once. A request looks by itself. */
export const REPORT_LOOK_MS = 1_000
/** Companies of one such look: the others have their turn at the next one. */
export const REPORT_COMPANIES = 500
/** Milliseconds between two looks for sums that nobody brings up to date, and companies that one of them finds. */
export const REPORT_SWEEP_MS = 60_000
export const REPORT_SWEEP = 500
/** Milliseconds after which a look that failed is tried again: the database may be away. */
export const REPORT_AFTER_FAILURE_MS = 1_000
/** Days after which sums are no longer kept up to date when nobody asks for them, and hours between two looks at those of which nothing is heard. */
export const REPORT_UNASKED_DAYS = 30
export const REPORT_UNREAD_HOURS = 24
/** Days after which sums that nobody brought up to date are made anew: events are kept for 30. */
export const REPORT_UNREAD_DAYS = 28
/** Bytes of the log that wait for a disk with room, or for a reader; further lines are lost. */
export const LOG_WAITING_BYTES = 1024 * 1024
