// Objects in a store that speaks the protocol of S3: written, read and removed one by one. Each is sent as a whole, and
// is at most a chunk of a file.

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { Logger } from 'pino'
import { Problem, unavailable } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { ObjectStoreSettings } from './settings.ts'

/** Bytes of one object in an object store: most pictures are one. More would be held by each upload that waits to store it. */
export const OBJECT_BYTES = 1024 * 1024
/** Milliseconds within which an object is stored, with repetitions. */
const OBJECT_WRITE_MS = 20_000
/** Milliseconds within which an object is read or removed: sooner than the request's deadline. */
const OBJECT_READ_MS = 6_000

/** Times that a request is sent, after a 5xx, a 429 or an error of the network. */
const TRIES = 3
/** Milliseconds of the first pause between two of them, at most; the second one is twice as long. */
const PAUSE_MS = 50
/** Characters of an error response's message that are shown. */
const SHOWN = 300

/** A store of objects. An object's name has its bucket, so that rows say where their bytes are, whatever is set later. */
export interface ObjectStore {
  /** A new name for a chunk of a file, which nobody can guess and no other company shares. */
  newName(companyId: string, attachmentId: string): string
  /** Resolves once the object is stored. */
  write(name: string, bytes: Buffer): Promise<void>
  /** Throws 500 for an object that does not exist. */
  read(name: string): Promise<Buffer>
  /** Also resolves if the object does not exist; a missing bucket is an error. */
  remove(name: string): Promise<void>
  /** Writes, reads and removes an object, and returns why that is not possible; undefined if it is. */
  findProblem(): Promise<string | undefined>
}

/** 503 for bytes in a store that does not answer correctly, or that is not set up. The log has the reason. */
export const storeAway = (reason: string) =>
  Object.assign(unavailable('The store of files does not answer at the moment. Try again.', 'files_unreachable'), {
    cause: new Error(reason),
  })

/** 500 for bytes that are lost or changed, so that no client tries for ever. The log has the reason. */
export const fileDamaged = (reason: string) =>
  Object.assign(
    new Problem(
      'internal_error',
      'The stored bytes of this file are lost or damaged. Remove the file and send it again.',
    ),
    { cause: new Error(reason) },
  )

/** A wrong answer of the store. */
class StoreRefusal extends Error {
  readonly isMissing: boolean

  /** Of the body only what names the error is shown: the rest may repeat what was sent, such as a session token. */
  constructor(request: string, status: number, body: string) {
    const of = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? ''
    const code = of('Code')
    super(`${request}: ${status} ${code} ${of('Message')}`.slice(0, request.length + SHOWN).trim())
    // A bucket or a path that does not exist is another code.
    this.isMissing = status === 404 && code === 'NoSuchKey'
  }
}

/**
 * Opens the store. Its functions throw 503 `unavailable` if it does not answer correctly, and `read` throws 500 for an
 * object that does not exist.
 */
export function objectStore(settings: ObjectStoreSettings): ObjectStore {
  const { bucket, prefix, region } = settings
  const { accessKeyId, secretAccessKey, sessionToken } = settings
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region,
    ...(sessionToken !== undefined && { sessionToken }),
  })

  /** Sends a request, again where that may help, and returns the body of its response. */
  async function send(method: 'PUT' | 'GET' | 'DELETE', name: string, body?: Buffer): Promise<Buffer> {
    const signal = AbortSignal.timeout(body ? OBJECT_WRITE_MS : OBJECT_READ_MS)
    for (let tries = 1; ; tries++) {
      try {
        const request = await client.sign(urlOf(settings, name), {
          method,
          // The store refuses bytes that changed on their way.
          ...(body && { body: body as Buffer<ArrayBuffer>, headers: { 'x-amz-content-sha256': sha256(body) } }),
          redirect: 'manual',
          signal,
        })
        const response = await fetch(request)
        if (tries < TRIES && (response.status >= 500 || response.status === 429)) await response.body?.cancel()
        else return await bodyOf(response, `${method} ${name}`)
      } catch (error) {
        if (error instanceof StoreRefusal || signal.aborted || tries >= TRIES) throw error
      }
      await delay(Math.random() * PAUSE_MS * 2 ** (tries - 1))
    }
  }

  /** The same for an object that a row names; undefined if it is not there. */
  const sent = (method: 'GET' | 'DELETE', name: string): Promise<Buffer | undefined> =>
    send(method, name).catch((error) => {
      if (error instanceof StoreRefusal && error.isMissing) return undefined
      throw storeAway(reasonOf(error))
    })

  return {
    newName: (companyId, attachmentId) =>
      `${bucket}/${prefix}${companyId}/${attachmentId}/${randomBytes(16).toString('hex')}`,
    async write(name, bytes) {
      await send('PUT', name, bytes).catch((error) => {
        throw storeAway(reasonOf(error))
      })
    },
    async read(name) {
      const bytes = await sent('GET', name)
      if (bytes === undefined) throw fileDamaged(`the object ${name} is not in the store`)
      return bytes
    },
    remove: async (name) => void (await sent('DELETE', name)),
    async findProblem() {
      const name = `${bucket}/${prefix}cashwrap-test-${randomBytes(8).toString('hex')}`
      const bytes = Buffer.from('Cashwrap writes, reads and removes this at its start.')
      try {
        await send('PUT', name, bytes)
        const read = await send('GET', name)
        await send('DELETE', name)
        return read.equals(bytes) ? undefined : 'it returned other bytes than were written'
      } catch (error) {
        return reasonOf(error)
      }
    },
  }
}

function urlOf({ endpoint, region, isPathStyle }: ObjectStoreSettings, name: string): string {
  const origin = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (isPathStyle) return `${origin.origin}/${name}`
  const slash = name.indexOf('/')
  return `${origin.protocol}//${name.slice(0, slash)}.${origin.host}${name.slice(slash)}`
}

/** The body of a response, which is no longer than an object. Throws a `Refusal` of an error response. */
async function bodyOf(response: Response, request: string): Promise<Buffer> {
  if (Number(response.headers.get('content-length')) > OBJECT_BYTES) {
    await response.body?.cancel()
    throw new StoreRefusal(`${request}, with more bytes than an object has`, response.status, '')
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.ok) return bytes
  throw new StoreRefusal(request, response.status, bytes.toString())
}

/** Logs at the start if the store cannot be used, or if none is set although files are in one. */
export async function warnOfStore(objects: ObjectStore | undefined, database: Queryable, log: Logger): Promise<void> {
  if (objects !== undefined) {
    const reason = await objects.findProblem()
    if (reason !== undefined)
      log.warn({ reason }, 'the bucket of CASHWRAP_FILES cannot be used; files are answered 503 until it can')
    return
  }
  const [row] = await database.query('select object from attachment_file_pieces where object is not null limit 1')
  if (row !== undefined)
    log.warn(
      { object: row[0] },
      'CASHWRAP_FILES is not set, but files are in an object store; they are answered 503 until it is set',
    )
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Why it failed, as the network or the store says it. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause === undefined ? message : reasonOf(cause)
}
