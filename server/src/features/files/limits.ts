// The limits of attachments' files, each with its reason.
import { divided } from '../../core/worker-share.ts'

/** Bytes of a file: a photograph of any camera, a scanned contract. */
export const FILE_BYTES = 25 * 1024 * 1024
/** Bytes of all files of a company: they are in the database, and in each of its backups. */
export const COMPANY_FILES_BYTES = 10 * 1024 ** 3
/** Bytes of one stored piece, written and read at once: a statement of some ms. */
export const FILE_PIECE_BYTES = 256 * 1024
/** Bytes that a download holds: a piece as PostgreSQL sends it, and what the connection takes. */
export const FILE_HELD_BYTES = 1024 * 1024
/** Milliseconds within which a file must arrive: 25 MB at 1 Mbit/s, and as long again. */
export const FILE_SENT_MS = 400_000
/** Milliseconds for which a replaced file can still be read by those who began to. */
export const FILE_REPLACED_MS = 600_000
/** Uploads that store a piece at once, and that wait to. */
export const FILE_PIECES = { name: 'file_upload', atOnce: 1, waiting: divided(200, 50) } as const
/** Pieces that one statement deletes. */
export const FILE_PIECES_CLEARED = 100
/** Milliseconds between two removals of files that no attachment has. */
export const FILE_CLEARING_MS = 10 * 60 * 1000
/** Milliseconds for which a link to a file works: a page is shown, a download begun. */
export const FILE_LINK_MS = 10 * 60 * 1000
