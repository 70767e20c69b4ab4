// Subscribes to the event stream; after a disconnect it resumes from the last cursor, so that no event is missed.
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { send } from '../../api/request.ts'
import type { FeedEvent } from './triggers.ts'

export type Connection = 'connecting' | 'live' | 'away'

interface Following {
  readonly companyId: string
  /** The stream's own filters, `type` and `recordId`. */
  readonly filters: Readonly<Record<string, string | undefined>>
  /** The cursor after which it begins. */
  readonly after: string
  /** Events in order, each with the length of its text; `after` is the cursor after them. */
  readonly heard: (events: readonly (readonly [FeedEvent, number])[], after: string) => void
  readonly connection: (state: Connection) => void
  readonly signal: AbortSignal
}

/** The server sends something every 15 s; a client that receives nothing for much longer is disconnected. */
const silenceMs = 40_000

/** Ends when `signal` aborts. Throws errors that a retry would not change, such as a refused filter. */
export async function follow({ companyId, filters, after, heard, connection, signal }: Following): Promise<void> {
  let cursor = after
  for (let failures = 0; !signal.aborted; failures++) {
    let problem: ApiProblem | undefined
    try {
      await readOnce(() => {
        failures = 0
        connection('live')
      })
    } catch (error) {
      if (signal.aborted) return
      problem = asProblem(error)
      if ([400, 403, 404].includes(problem.status)) throw problem
    }
    if (signal.aborted) return
    connection('away')
    await pause(problem?.retryAfter ?? Math.min(2 ** failures, 10), signal)
  }

  async function readOnce(opened: () => void): Promise<void> {
    const ending = new AbortController()
    const end = () => ending.abort()
    signal.addEventListener('abort', end)
    let timer = setTimeout(end, silenceMs)
    try {
      const { body } = await send({ companyId }, '/v1/events/stream', {
        query: { ...filters, after: cursor },
        headers: { accept: 'text/event-stream' },
        signal: ending.signal,
      })
      opened()
      const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as never).getReader()
      for (let rest = ''; ; ) {
        const { value, done } = (await reader.read()) as ReadableStreamReadResult<string>
        if (done) return
        clearTimeout(timer)
        timer = setTimeout(end, silenceMs)
        const blocks = (rest + value).split('\n\n')
        rest = blocks.pop() as string
        const messages = blocks.map(messageOf)
        cursor = messages.findLast(({ id }) => id !== undefined)?.id ?? cursor
        heard(
          messages.flatMap(({ data }) =>
            data === undefined ? [] : [[JSON.parse(data) as FeedEvent, data.length] as const],
          ),
          cursor,
        )
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      ending.abort()
    }
  }
}

/** The fields of one message (WHATWG HTML, 9.2); each of ours is on one line. */
function messageOf(block: string): { readonly id?: string; readonly data?: string } {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
  return Object.fromEntries(fields.flatMap((found) => (found === null ? [] : [[found[1], found[2]]])))
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
