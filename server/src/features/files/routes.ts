// The files of attachments on the wire: sending one, reading it with the key or by a link that expires, and removing it.

import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { companyActivity } from '../../concurrency/tenant-activity.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { isId } from '../../core/ids.ts'
import { string, time } from '../../core/json-schema.ts'
import { REQUEST_DEADLINE_MS, SEMAPHORES } from '../../core/limits.ts'
import { notFound, Problem } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { documents } from '../../engine/documents.ts'
import { type Answer, type Call, json, type ReplyDocument, type Route } from '../../http/route.ts'
import { attachment } from '../../resources/attachment.ts'
import { FILE_LINK_MS, fileLinks } from './links.ts'
import type { ObjectStore } from './object-store.ts'
import { type FilePlaces, findFile, readFile, type StoredFile } from './stored.ts'
import { FILE_BYTES, fileReceiver, fileRemover, noFile } from './upload.ts'

/**
 * Bytes that a download holds: a chunk as PostgreSQL sends it, in two characters a byte, its bytes, and what the connection
 * takes. Chunks that were objects before their company was moved have as many bytes as these.
 */
const FILE_HELD_BYTES = 4 * 1024 * 1024
/** Milliseconds within which a file must arrive: 25 MB at 1 Mbit/s, and as long again. */
const FILE_SENT_MS = 400_000
/** Statements that read files at once, and downloads that wait for one. */
const FILE_ROWS = { ...SEMAPHORES.other, name: 'file_row' } as const
/**
 * Objects that are read at the same time, and downloads that wait to read one: only requests of files wait for a store.
 */
const OBJECT_READS = { name: 'file_object', atOnce: divided(32, 8), waiting: divided(400, 100) } as const

const { record, example } = documents(attachment)
const root = '/v1/attachment/{id}/file'
const megabytes = FILE_BYTES / 1024 / 1024
const minutes = FILE_LINK_MS / 60_000
const common = { surface: 'company', tag: attachment.title, path: root } as const satisfies Partial<Route>

/** Types that browsers show and that cannot run anything. Others are saved: an SVG or a page could hold a script. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'application/pdf'])

const fileReply: ReplyDocument = {
  description: 'The file, with the content type that it was sent with.',
  contentType: '*/*',
  schema: { type: 'string', format: 'binary' },
  headers: {
    'Content-Disposition': 'The name of the attachment. Browsers show pictures and PDFs, and save everything else.',
    'Content-Length': 'Its size in bytes.',
  },
}

/** What the routes need besides the database. */
interface FileParts {
  /** For uploads, so that no other request waits for a file. */
  readonly stored: Database
  readonly seal: Seal
  readonly objects: ObjectStore | undefined
}

/** The routes. */
export function fileRoutes(database: Database, { stored, seal, objects }: FileParts): Route[] {
  const links = fileLinks(seal)
  const read = reader({ database, objects })
  return [
    putRoute(stored, objects),
    readRoute(read),
    removeRoute(database),
    linkRoute(database, links),
    linkedRoute(read, links),
  ]
}

/** Answers a call with the file that `find` finds, from places in which it waits for its turn. */
type Read = (call: Call, companyId: string, find: (database: Queryable) => Promise<StoredFile>) => Promise<Answer>

/**
 * Makes the function that reads files, with separate semaphores, so that a store that is down delays no other request.
 */
function reader({ database, objects }: FilePlaces): Read {
  const rows = fairSemaphore(FILE_ROWS, companyActivity)
  const reads = fairSemaphore(OBJECT_READS, companyActivity)
  return async (call, companyId, find) => {
    let isAnswered = false
    // Once the answer has begun, its chunks are read beyond the request's deadline.
    const waiter = { tenant: companyId, isGone: () => !isAnswered && call.isGone() }
    const places: FilePlaces = {
      database: { ...database, query: (...statement) => rows(waiter, () => database.query(...statement)) },
      objects: objects && { ...objects, read: (name) => reads(waiter, () => objects.read(name)) },
    }
    const answer = await sent(places, await find(places.database), call)
    isAnswered = true
    return answer
  }
}

function putRoute(stored: Database, objects: ObjectStore | undefined): Route {
  return {
    ...common,
    method: 'PUT',
    permission: 'update',
    operationId: 'putAttachmentFile',
    summary: 'Send the file of an attachment',
    description: `The body is the file itself, of at most ${megabytes} MB and any content type except JSON and forms (multipart). It replaces the attachment’s current file once it has arrived completely. Sending the same file again changes nothing.`,
    takesFile: { contentType: '*', bytes: FILE_BYTES, description: 'The bytes of the file.' },
    takesIfMatch: true,
    isRecord: true,
    semaphore: 'none',
    isHeldBack: true,
    deadlineMs: FILE_SENT_MS + REQUEST_DEADLINE_MS,
    replies: { 200: { description: 'The attachment.', schema: record, example } },
    problems: ['not_found', 'conflict'],
    handle: fileReceiver(stored, objects),
  }
}

const readRoute = (read: Read): Route => ({
  ...common,
  method: 'GET',
  operationId: 'readAttachmentFile',
  summary: 'Download the file of an attachment',
  description:
    'Its `ETag` changes with the file. The connection is cut if the key is deleted meanwhile. A page in a browser sends no key; get a link for it instead.',
  takesIfNoneMatch: true,
  semaphore: 'none',
  replies: { 200: fileReply },
  problems: ['not_found'],
  handle: (call) => {
    const { companyId } = call.scope
    return read(call, companyId, (database) => required(database, companyId, call.params.id as string))
  },
})

const removeRoute = (database: Database): Route => ({
  ...common,
  method: 'DELETE',
  permission: 'update',
  operationId: 'deleteAttachmentFile',
  summary: 'Remove the file of an attachment',
  description: 'The attachment stays. Deleting an attachment removes its file too.',
  takesIfMatch: true,
  isRecord: true,
  replies: { 200: { description: 'The attachment, without `file`.', schema: record, example } },
  problems: ['not_found'],
  handle: fileRemover(database),
})

const linkRoute = (database: Database, links: ReturnType<typeof fileLinks>): Route => ({
  ...common,
  method: 'GET',
  path: `${root}/link`,
  operationId: 'readAttachmentFileLink',
  summary: 'Get a link to the file of an attachment',
  description: `The link needs no key and works for ${minutes} minutes. Use it for pictures on a page.`,
  replies: {
    200: {
      description: 'The link.',
      schema: {
        title: 'FileLink',
        description: 'A link to a file.',
        type: 'object',
        properties: {
          path: string('Path on this server. It needs no key.'),
          expiresAt: time('When the link expires.'),
        },
        required: ['path', 'expiresAt'],
      },
      example: { path: '/v1/public/file/x8sK…', expiresAt: '2026-11-24T10:10:00.000Z' },
    },
  },
  problems: ['not_found'],
  handle: async ({ scope: { companyId }, params }) => {
    const id = params.id as string
    await required(database, companyId, id)
    return json(links.make({ companyId, id }))
  },
})

const linkedRoute = (read: Read, links: ReturnType<typeof fileLinks>): Route => ({
  method: 'GET',
  path: '/v1/public/file/{link}',
  surface: 'public',
  tag: attachment.title,
  operationId: 'readLinkedFile',
  summary: 'Download a file by its link',
  params: { link: string('The end of the link’s `path`.') },
  takesIfNoneMatch: true,
  semaphore: 'none',
  replies: { 200: fileReply },
  problems: ['not_found'],
  handle: async (call) => {
    const named = links.read(call.params.link as string)
    if (named === undefined) throw expired()
    // No key is deleted that the link depends on.
    const answer = await read({ ...call, authorizeAgain: () => {} }, named.companyId, async (database) => {
      const file = await findFile(database, named.companyId, named.id)
      if (file === undefined) throw expired()
      return file
    })
    // A browser may keep a picture, and must ask each time whether the link still works.
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'private, no-cache' } }
  },
})

const expired = () => new Problem('not_found', 'This link has expired, or its file is gone. Get a new link.')

/** Throws `not_found` where there is no such attachment, or it has no file. */
async function required(database: Queryable, companyId: string, id: string): Promise<StoredFile> {
  if (!isId(id)) throw notFound('attachment', id)
  const file = await findFile(database, companyId, id)
  if (file) return file
  const [row] = await database.query('select 1 from attachments where company_id = $1 and id = $2', [companyId, id])
  throw row === undefined ? notFound('attachment', id) : noFile(id)
}

/** A file as a response, or 304. It can run nothing in a browser, wherever it is opened. */
async function sent(places: FilePlaces, file: StoredFile, { knows, authorizeAgain, expect }: Call): Promise<Answer> {
  const { sha256, bytes, name, contentType } = file
  const etag = `"${sha256.slice(0, 32)}"`
  if (knows(etag)) return { status: 304, body: '', headers: { etag } }
  expect(Math.min(4 * bytes, FILE_HELD_BYTES))
  const disposition = shownTypes.has(contentType) ? 'inline' : 'attachment'
  return {
    status: 200,
    body: '',
    stream: await readFile(places, file, authorizeAgain),
    contentType,
    headers: {
      etag,
      'content-length': String(bytes),
      // RFC 6266, with the encoding of RFC 8187.
      'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, escaped)}`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  }
}

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
