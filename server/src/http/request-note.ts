// Notes that a request was made with a company's key, from the moment the key is known until the response has ended.
import type { IncomingMessage } from 'node:http'
import type { KnownKey } from './auth/api-key.ts'
import type { Route } from './route.ts'

/** A request of a company's key that has ended. */
export interface KeyRequest {
  readonly companyId: string
  readonly keyId: string
  readonly method: string
  /** As it was sent; undefined where it is too long to be kept. */
  readonly url: string | undefined
  readonly route: Pick<Route, 'path' | 'query'>
  readonly requestId: string
  /** Undefined where the client left before the response began. */
  readonly status: number | undefined
  readonly ms: number
  /** When it began, in milliseconds since 1970. */
  readonly at: number
}

/** Characters of a path and query that are kept until they are written. */
const URL_CHARACTERS = 1_000

/** A request with what is noted once it has ended. */
interface NotedRequest extends IncomingMessage {
  ended?: (status: number | undefined, ms: number) => void
}

/** Has a request noted once it has ended. */
export function noteAtEnd(
  raw: IncomingMessage,
  { key, route, id, url }: { key: KnownKey; route: KeyRequest['route']; id: string; url: string },
  note: (request: KeyRequest) => void,
): void {
  const { companyId } = key
  if (companyId === undefined) return
  ;(raw as NotedRequest).ended = (status, ms) =>
    note({
      companyId,
      keyId: key.id,
      method: raw.method ?? '',
      url: url.length > URL_CHARACTERS ? undefined : url,
      route,
      requestId: id,
      status,
      ms,
      at: Date.now() - ms,
    })
}

/** Notes the end of a request, if it was made with a key. */
export const requestEnded = (raw: NotedRequest, status: number | undefined, ms: number): void => raw.ended?.(status, ms)
