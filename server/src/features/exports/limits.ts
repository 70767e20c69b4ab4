// The limits of exports, each with its reason.

/** Milliseconds for which an export and its file are kept. */
export const EXPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Exports of a company in progress: one, and another that was requested after a write which it must contain. */
export const EXPORTS_UNDER_WAY = 2
/** Exports of a company that are kept with their files: with a further one, the oldest is removed. */
export const EXPORTS_KEPT = 5
/** Bytes of one stored chunk, written and read at once: a statement of some ms. */
export const EXPORT_CHUNK_BYTES = 1024 * 1024
/** Bytes of it that are sent at once. */
export const EXPORT_SENT_BYTES = 128 * 1024
/** Bytes that a download holds: a chunk as PostgreSQL sends it, and what the connection takes. */
export const EXPORT_HELD_BYTES = 4 * 1024 * 1024
/** Chunks that one statement deletes. */
export const EXPORT_CHUNKS_CLEARED = 100
/** Milliseconds of a server's lease on an export: after that, another server begins it again. */
export const EXPORT_LEASE_MS = 10_000
/** Milliseconds between two saves of the progress. Each save renews the lease. */
export const EXPORT_NOTE_MS = 1_000
/** Milliseconds between two looks for waiting exports, and between two removals of old ones. */
export const EXPORT_LOOK_MS = 2_000
export const EXPORT_CLEARING_MS = 60_000
/** Milliseconds after which an export that failed is begun again, four times as long after each time; and how often. */
export const EXPORT_PAUSE_MS = 2_000
export const EXPORT_TRIES = 5
/** Connections to PostgreSQL for the chunks of exports; the snapshot has one more. */
export const EXPORT_CONNECTIONS = 1
