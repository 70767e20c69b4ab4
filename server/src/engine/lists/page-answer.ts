// Turns a page into a response: one text if it is short, a stream if it is long. A failed stream closes the connection, so that a client cannot mistake part of a page for the whole.
import type { Answer } from '../../http/route.ts'
import type { Page } from './list.ts'

/** The Style B response: `data` and `meta` (decisions §3). */
export function richAnswer(page: Page): Answer {
  const { count, skip, limit, nextCursor } = page
  return {
    status: 200,
    ...between('{"data":[', page, `],"meta":${JSON.stringify({ count, skip, limit, nextCursor })}}`),
  }
}

/** The Style A response: a bare array, and headers. */
export const plainAnswer = (page: Pick<Page, 'texts' | 'chunks'>, headers: NonNullable<Answer['headers']>): Answer => ({
  status: 200,
  ...between('[', page, ']'),
  headers,
})

function between(head: string, { texts, chunks }: Pick<Page, 'texts' | 'chunks'>, tail: string) {
  if (chunks === undefined) return { body: joined(head, texts, tail) }
  return { body: '', stream: streamed(head, chunks, tail) }
}

/** The texts between two others. All are joined at once, since each addition to a long text copies it again. */
function joined(head: string, texts: readonly string[], tail: string): string {
  if (texts.length === 0) return head + tail
  const parts = [...texts]
  parts[0] = head + parts[0]
  parts[parts.length - 1] += tail
  return parts.join(',')
}

/** The chunks as bytes, which are outside the heap. Calling return releases the chunks, even before the first read. */
function streamed(head: string, chunks: AsyncIterableIterator<string>, tail: string): AsyncIterableIterator<Buffer> {
  let before = head
  let isOver = false
  return {
    async next() {
      if (isOver) return { done: true, value: undefined }
      const { done, value } = await chunks.next()
      isOver = done === true
      const text = isOver ? `${before === head ? head : ''}${tail}` : before + value
      before = ','
      return { done: false, value: Buffer.from(text) }
    },
    return: async () => {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
