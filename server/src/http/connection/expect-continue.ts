// Sends "100 Continue" when the body is about to be read: a client that waits for it learns of a refusal before it sends megabytes in vain (RFC 9110 10.1.1).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

const waiting = new WeakSet<IncomingMessage>()

/** Notes that the client waits before it sends the body. */
export const waitsToContinue = (request: IncomingMessage): void => void waiting.add(request)

/** Whether the client still waits. */
export const isWaiting = (request: IncomingMessage): boolean => waiting.has(request)

/** Lets the client continue once `body`, which is what is read of the request, begins to be read. */
export function continueWhenRead(request: IncomingMessage, body: Readable, response: ServerResponse): void {
  if (!waiting.has(request)) return
  body.once('resume', () => continueNow(request, response))
}

/** The same at once, if the body is read by other means. */
export function continueNow(request: IncomingMessage, response: ServerResponse): void {
  if (!waiting.has(request) || response.headersSent) return
  waiting.delete(request)
  response.writeContinue()
}
