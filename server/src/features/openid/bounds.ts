// What the OpenID provider may cost: its answers end after a size and a time, so that a broken one does not hold requests or memory.

/** Bytes of one answer: metadata and keys have some ten thousand. */
const ANSWER_BYTES = 1_048_576
/**
 * Milliseconds within which all requests to the provider for one of our requests must end: below the deadline of a
 * request.
 */
const CALL_MS = 8_000

/** `fetch` for answers of a bounded size. Rejects with a TypeError, as `fetch` does for a connection that breaks. */
export async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES) throw new TypeError(`the answer has more than ${ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status, statusText, headers })
}

/** The result of `work`; rejects with a TypeError where it takes longer than a request can wait. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => over.reject(new TypeError(`no answer within ${CALL_MS} ms`)), CALL_MS)
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
  }
}
