// Uploads a file and reports the progress, which `fetch` does not.
import { text } from '../texts/files.ts'
import { ApiProblem, type ProblemBody } from './problem.ts'
import { newIdempotencyKey, reported, type Scope, untilSignedIn, urlOf, writeHeaders } from './request.ts'

interface UploadOptions {
  readonly method?: 'POST' | 'PUT'
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly contentType: string
  /** The version that the file belongs to, if it must not have changed meanwhile. */
  readonly ifMatch?: string | undefined
  /** Called with the share that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Sends a file and reads the JSON response. Throws `ApiProblem`, or the signal's abort reason. */
export const upload = <T>(scope: Scope, path: string, file: Blob, options: UploadOptions): Promise<T> =>
  untilSignedIn(() => uploadOnce(scope, path, file, options), options.signal)

function uploadOnce<T>(
  scope: Scope,
  path: string,
  file: Blob,
  { method = 'POST', query, contentType, ifMatch, onProgress, signal }: UploadOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const call = new XMLHttpRequest()
    call.open(method, urlOf(path, query))
    const headers = {
      ...writeHeaders(scope),
      'content-type': contentType,
      'idempotency-key': newIdempotencyKey(),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    }
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value)
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    call.onload = () => {
      const isDone = call.status >= 200 && call.status < 300
      const body = bodyOf(call.responseText)
      if (isDone && body !== undefined) return resolve(body as T)
      const retryAfter = Number(call.getResponseHeader('retry-after')) || undefined
      reject(reported(new ApiProblem(call.status, (body ?? {}) as ProblemBody, retryAfter), path))
    }
    call.onerror = () => reject(new ApiProblem(0, { code: 'unreachable', message: text.broken }))
    call.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => call.abort(), { once: true })
    call.send(file)
  })
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
