// Objects in a store that speaks the protocol of S3: written, read and removed one by one, each whole and of at most a piece of a file.

import { createHash, randomBytes } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Logger } from 'pino'
import { unavailable } from '../../core/problem.ts'
import { OBJECT_READ_MS, OBJECT_WRITE_MS } from './limits.ts'
import type { ObjectStoreSettings } from './settings.ts'

/** Times that a request is sent again after a 5xx or 429. */
const RETRIES = 2
/** Characters of an error response that are shown. */
const SHOWN = 300

/** A store of objects. An object's name has its bucket, so that rows say where their bytes are, whatever is set later. */
export interface ObjectStore {
  /** A new name for a piece of a file, which nobody can guess and no other company shares. */
  newName(companyId: string, attachmentId: string): string
  /** Resolves once the object is stored. */
  write(name: string, bytes: Buffer): Promise<void>
  read(name: string): Promise<Buffer>
  /** Resolves if it is not there either. */
  remove(name: string): Promise<void>
  /** Writes, reads and removes an object, and returns why that is not possible; undefined if it is. */
  findProblem(): Promise<string | undefined>
}

/** 503 for bytes that are in a store that does not answer as it should, or that is not set up. The log has the reason. */
export const storeAway = (reason: string) =>
  Object.assign(unavailable('The store of files does not answer at the moment. Try again.', 'files_unreachable'), {
    cause: new Error(reason),
  })

/** Opens the store. Its functions throw 503 `unavailable` where it does not answer as it should. */
export function objectStore(settings: ObjectStoreSettings): ObjectStore {
  const { bucket, prefix, endpoint, region, isPathStyle } = settings
  const { accessKeyId, secretAccessKey, sessionToken } = settings
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, service: 's3', region, retries: RETRIES },
    ...(sessionToken !== undefined && { sessionToken }),
  })
  const origin = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)

  function urlOf(name: string): string {
    if (isPathStyle) return `${origin.origin}/${name}`
    const slash = name.indexOf('/')
    return `${origin.protocol}//${name.slice(0, slash)}.${origin.host}${name.slice(slash)}`
  }

  /** Sends a request and returns the body of its response. */
  async function send(method: 'PUT' | 'GET' | 'DELETE', name: string, body?: Buffer): Promise<Buffer> {
    try {
      const response = await client.fetch(urlOf(name), {
        method,
        // The store refuses bytes that changed on their way.
        ...(body && { body: body as Buffer<ArrayBuffer>, headers: { 'x-amz-content-sha256': sha256(body) } }),
        redirect: 'manual',
        signal: AbortSignal.timeout(body ? OBJECT_WRITE_MS : OBJECT_READ_MS),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.ok || (method === 'DELETE' && response.status === 404)) return bytes
      throw new Error(`${method} ${name}: ${response.status} ${bytes.toString().slice(0, SHOWN)}`)
    } catch (error) {
      throw storeAway(reasonOf(error))
    }
  }

  return {
    newName: (companyId, attachmentId) =>
      `${bucket}/${prefix}${companyId}/${attachmentId}/${randomBytes(16).toString('hex')}`,
    write: async (name, bytes) => void (await send('PUT', name, bytes)),
    read: (name) => send('GET', name),
    remove: async (name) => void (await send('DELETE', name)),
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

/** Logs at the start if the store cannot be used. */
export async function warnOfStore(objects: ObjectStore, log: Logger): Promise<void> {
  const reason = await objects.findProblem()
  if (reason === undefined) return
  log.warn({ reason }, 'the bucket of CASHWRAP_FILES cannot be used; files are answered 503 until it can')
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Why it failed, as the network or the store says it. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause === undefined ? message : reasonOf(cause)
}
