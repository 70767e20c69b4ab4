// The event feed as it happens: server-sent events, over as many connections as it takes.
import { type AnyOptions, type Core, mayRepeat, type Operation, sleep, waitBefore, within } from './request.ts'

/** Silence after which a connection is taken for dead; the service sends a comment every 15 seconds. */
const SILENCE_MS = 45_000

/** The events after a cursor, without end. */
export class Follow<Event> implements AsyncIterable<Event> {
  /** Where the next connection begins: it passes an event when the loop asks for the next one. */
  cursor: string | undefined
  readonly #core: Core
  readonly #operation: Operation
  readonly #options: AnyOptions

  constructor(core: Core, operation: Operation, cursor: string | number | undefined, options: object = {}) {
    this.#core = core
    this.#operation = operation
    this.#options = options as AnyOptions
    this.cursor = cursor === undefined || cursor === null ? undefined : String(cursor)
  }

  /** Connects again after every end, and after failures once it was connected; until then as often as any request. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { signal, maxRetries } = this.#core.settings(this.#options)
    for (let failures = 0, wasOpen = false; ; ) {
      let failure: unknown
      let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
      try {
        reader = await this.#open()
        wasOpen = true
        for await (const { id, data } of messages(reader, signal)) {
          failures = 0
          if (data !== '') yield JSON.parse(data)
          this.cursor = id ?? this.cursor
        }
      } catch (error) {
        if (!mayRepeat(this.#operation, error) || (!wasOpen && failures >= maxRetries)) throw error
        failure = error
      } finally {
        await reader?.cancel().catch(() => {})
      }
      failures++
      await sleep(waitBefore(failures, failure), signal)
    }
  }

  /** Opens a stream after the cursor. */
  async #open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { signal, timeoutMs } = this.#core.settings(this.#options)
    const place = this.cursor === undefined ? {} : { 'last-event-id': this.cursor }
    const options = { ...this.#options, headers: { ...this.#options.headers, ...place } }
    const answer = await within(timeoutMs, signal, this.#core.open(this.#operation, options))
    return (answer.body as ReadableStream<Uint8Array>).getReader()
  }
}

/** The messages of a stream (HTML, section 9.2) until it ends, breaks off or falls silent. */
async function* messages(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal | undefined) {
  const decoder = new TextDecoder()
  for (let rest = ''; ; ) {
    const { done, value } = await within(SILENCE_MS, signal, (stopped) => {
      stopped.addEventListener('abort', () => void reader.cancel().catch(() => {}))
      return reader.read()
    })
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split(/\r?\n/)
      const valuesOf = (field: string) =>
        lines.flatMap((line) => (line.startsWith(`${field}:`) ? line.slice(field.length + 1).replace(/^ /, '') : []))
      yield { id: valuesOf('id').at(-1), data: valuesOf('data').join('\n') }
    }
  }
}
