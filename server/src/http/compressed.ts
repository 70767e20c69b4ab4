// Compresses long responses that many callers share, once per content coding, outside the event loop.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer, Call } from './route.ts'

/** The same bytes in each content coding, and uncompressed. */
export interface Compressed {
  readonly plain: Buffer
  readonly br?: Buffer | undefined
  readonly gzip?: Buffer | undefined
}

/** Compresses bytes in both codings. Brotli quality 6 instead of 11: a tenth of the time for a tenth more bytes. */
export async function compressed(plain: Buffer): Promise<Compressed> {
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    promisify(gzip)(plain),
  ])
  return { plain, br, gzip: gzipped }
}

/** Answers with the shortest coding that the caller accepts. */
export function encoded(
  { plain, br, gzip }: Compressed,
  accepts: Call['accepts'],
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Answer<Buffer> {
  const [coding, body] =
    br && accepts('br') ? ['br', br] : gzip && accepts('gzip') ? ['gzip', gzip] : [undefined, plain]
  return {
    status: 200,
    body,
    contentType,
    headers: { ...headers, vary: 'accept-encoding', ...(coding && { 'content-encoding': coding }) },
  }
}
