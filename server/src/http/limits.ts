// Limits that several files of the HTTP layer use, each with its reason. A limit of one file is in that file.

/** Bytes of a body that are parsed at once: a millisecond's work. A longer body is parsed in chunks, with other work in between. */
export const JSON_CHUNK_BYTES = 32 * 1024
/**
 * Bytes of a body up to which it may use the extra half of the memory budget, so that bulk requests never cause a
 * single record to be refused.
 */
export const SMALL_BODY_BYTES = 64 * 1024
