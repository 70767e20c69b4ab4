// Reads an answer of this server for a tool, up to a bound: an agent cannot use more, and several at once would fill the memory.

import { ToolError } from './tool.ts'

/** An answer of this server to itself, which is produced as it is read. */
export interface OwnAnswer {
  readonly status: number
  readonly body: AsyncIterable<Buffer>
  /** Ends the answer, as a client does that closes its connection. */
  readonly end: () => void
}

/** Bytes of an answer to a read: two of the longest records, and more than any model takes. */
const READ_BYTES = 4 * 1024 * 1024
/** Bytes of an answer to a write, which cannot be read again: more than that of the largest bulk. */
const WRITE_BYTES = 16 * 1024 * 1024

/** The text of an answer. Throws a ToolError, and ends the answer, where it is too long. */
export async function readAnswer({ body, end }: OwnAnswer, method: string): Promise<string> {
  const most = method === 'GET' ? READ_BYTES : WRITE_BYTES
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) {
      end()
      throw new ToolError({ code: 'result_too_long', detail: tooLong(method, most) })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const tooLong = (method: string, most: number): string =>
  `The result has more than ${most / 1024 / 1024} MiB. ${
    method === 'GET'
      ? 'Ask for fewer records with limit, or get them one by one.'
      : 'The call was carried out. Read the parts that you need with list or get.'
  }`
