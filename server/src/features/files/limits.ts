// The limits of attachments' files, each with its reason.
import { SEMAPHORES } from '../../core/limits.ts'
import { divided } from '../../core/worker-share.ts'

/** Bytes of a file: a photograph of any camera, a scanned contract. */
export const FILE_BYTES = 25 * 1024 * 1024
/** Bytes of all files of a company: they are in the database and each of its backups, and in each file of the company. */
export const COMPANY_FILES_BYTES = 10 * 1024 ** 3
/** Bytes of one stored chunk, written and read at once: a statement of some ms. */
export const FILE_CHUNK_BYTES = 256 * 1024
/** Bytes of one object in an object store: most pictures are one. More would be held by each upload that waits to store it. */
export const OBJECT_BYTES = 1024 * 1024
/**
 * Bytes that a download holds: a chunk as PostgreSQL sends it, in two characters a byte, its bytes, and what the connection
 * takes. Chunks that were objects before their company was moved have as many bytes as these.
 */
export const FILE_HELD_BYTES = 4 * 1024 * 1024
/** Milliseconds within which a file must arrive: 25 MB at 1 Mbit/s, and as long again. */
export const FILE_SENT_MS = 400_000
/** Milliseconds for which a replaced file can still be read by requests that have begun to. */
export const FILE_REPLACED_MS = 600_000
/** Uploads that store a chunk at the same time, and uploads that wait to. */
export const FILE_CHUNKS = { name: 'file_upload', atOnce: 1, waiting: divided(200, 50) } as const
/** The same if chunks are objects, since storing one waits for the network. */
export const FILE_OBJECTS = { name: 'file_upload', atOnce: 8, waiting: divided(50, 12) } as const
/** Statements that read files at once, and downloads that wait for one. */
export const FILE_ROWS = { ...SEMAPHORES.other, name: 'file_row' } as const
/**
 * Objects that are read at the same time, and downloads that wait to read one: only requests of files wait for a store.
 */
export const OBJECT_READS = { name: 'file_object', atOnce: divided(32, 8), waiting: divided(400, 100) } as const
/** Milliseconds within which an object is stored, with repetitions. */
export const OBJECT_WRITE_MS = 20_000
/** Milliseconds within which an object is read or removed: sooner than the request's deadline. */
export const OBJECT_READ_MS = 6_000
/** Milliseconds until an object that could not be removed is tried again. */
export const OBJECT_RETRY_MS = 10 * 60 * 1000
/** Objects in a row that cannot be removed, after which a look ends, since the store is down. */
export const OBJECT_FAILURES = 5
/** Objects that one look removes. */
export const OBJECTS_CLEARED = 100
/** Chunks that one statement deletes. */
export const FILE_CHUNKS_CLEARED = 100
/** Milliseconds between two removals of files that no attachment has. */
export const FILE_CLEARING_MS = 10 * 60 * 1000
/** Milliseconds for which a link to a file works: a page is shown, a download begun. */
export const FILE_LINK_MS = 10 * 60 * 1000
