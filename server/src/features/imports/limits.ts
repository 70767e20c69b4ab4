// Limits that several files of imports use, each with its reason. A limit of one file is in that file.

/** Bytes of the file of an import: a hundred thousand products with their descriptions. */
export const IMPORT_BYTES = 100 * 1024 * 1024
/** Bytes of a chunk that are read and parsed at once: some 10 ms in which the server does nothing else. */
export const IMPORT_READ_BYTES = 128 * 1024
/** Characters of a file's name. */
export const FILE_NAME_CHARACTERS = 255
/** Rows of a file: an id of each is in memory. */
export const IMPORT_ROWS = 500_000
/** Lines that may be refused: with more of them, the file itself is wrong. They are stored, some 100 bytes each. */
export const IMPORT_REFUSED = 10_000
/** Milliseconds for which an import is kept with its file after it has ended. */
export const IMPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Milliseconds for which an import can be undone and its changes are kept. */
export const IMPORT_UNDO_MS = 30 * 24 * 60 * 60 * 1000
/** Bytes of the changes of one import: beyond them it can no longer be undone. */
export const IMPORT_UNDO_BYTES = 256 * 1024 * 1024
/**
 * Imports of a company, and bytes of their files: beyond that, the oldest ended ones are removed. Imports that wait or
 * run are limited to what a list shows at a glance.
 */
export const IMPORTS_KEPT = 1_000
export const IMPORTS_KEPT_BYTES = 500 * 1024 * 1024
export const IMPORTS_WAITING = 20
/** Milliseconds of a server's lease on an import: after that, another server takes over what a dead one left. */
export const IMPORT_LEASE_MS = 10_000
/** Milliseconds between two looks for waiting imports, in case a notification is missed. */
export const IMPORT_LOOK_MS = 2_000
/** Milliseconds after which a blocked import continues: the database was unreachable, or a statement took too long. */
export const IMPORT_PAUSE_MS = 2_000
/** Times that an import is retried without progress of a hundredth: one that crashes its server must not crash all of them. */
export const IMPORT_TRIES = 5
/**
 * Connections to PostgreSQL for uploads, and as many for the import that is checked and the one that is run.
 */
export const IMPORT_CONNECTIONS = 2
