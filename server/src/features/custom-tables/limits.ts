// The limits of custom tables, each with its reason.

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
/**
 * Retries when the schema changes during a read: it changes seldom, but a program that sets tables up changes it a
 * hundred times.
 */
export const STRUCTURE_LOOKS = 100
/** Rows or values that one statement purges after a table or a field was deleted: locks are held for some ms. */
export const PURGED_ROWS = 2_000
/** Milliseconds between two looks for such rows; while there are some, the purge rests as long as it worked. */
export const PURGE_LOOK_MS = 2_000
