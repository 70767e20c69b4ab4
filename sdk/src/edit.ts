// Changes of a record that others change too: read, change, write that version, and again if it was another one.
import type { Call } from './call.ts'
import { ApiError } from './errors.ts'
import type { RequestOptions, VersionOptions } from './request.ts'

/**
 * Reads a record, computes its change and writes it with `If-Match`; after a 412 it begins again. Without a change nothing is
 * written.
 */
export async function edit<Record, Change, Written>(
  read: (options: RequestOptions) => Call<Record>,
  write: (change: Change, options: RequestOptions & VersionOptions) => Call<Written>,
  change: (record: Record) => Change | undefined | Promise<Change | undefined>,
  options: RequestOptions = {},
): Promise<Record | Written> {
  for (;;) {
    const { data, etag } = await read(options).withResponse()
    const changed = await change(data)
    if (changed === undefined) return data
    if (etag?.startsWith('W/'))
      throw new TypeError(
        'A proxy weakened the ETag, so no version can be required: switch its compression off for the API.',
      )
    try {
      return await write(changed, { ...options, ifMatch: etag })
    } catch (error) {
      // Another writer was faster: of all that edit at once, one is done each time, so it ends without waits.
      if (!(error instanceof ApiError) || error.code !== 'version_mismatch') throw error
    }
  }
}
