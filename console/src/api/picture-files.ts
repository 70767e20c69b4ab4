// Pictures that are kept as the files of attachments: their addresses, and how one is made small and sent.
import { queryOptions } from '@tanstack/react-query'
import { type RecordData, removeRecord } from './records.ts'
import { get, newIdempotencyKey } from './request.ts'
import type { FileLink } from './schemas.ts'
import { upload } from './upload.ts'

/** Pixels of the longer side of a picture that is sent: sharp on the largest screens of tills, some 300 KB. */
const mostPixels = 1_600
/** Bytes of a picture that is sent as it is. */
const fewBytes = 300_000
/** Milliseconds for which a page uses a link, which works for ten minutes. */
const linkMs = 8 * 60 * 1000

const addressOf = (id: string): string => `/v1/attachment/${id}/file`

/** The attachment whose file is at an address; undefined for other addresses. */
export const attachmentAt = (url: string): string | undefined =>
  /^\/v1\/attachment\/([0-9a-f]{24})\/file$/.exec(url)?.[1]

/** A link that an image can load, without a key. */
export const pictureLinkQuery = ({ companyId }: { readonly companyId: string }, id: string) =>
  queryOptions({
    queryKey: [companyId, 'attachments', 'picture', id],
    queryFn: ({ signal }) => get<FileLink>({ companyId }, `${addressOf(id)}/link`, { signal }),
    staleTime: linkMs,
    refetchInterval: linkMs,
    retry: false,
  })

/** Sends a picture as the file of a new attachment, and returns its address for a record. */
export async function sendPicture(
  scope: { readonly companyId: string },
  file: File,
  signal: AbortSignal,
): Promise<string> {
  const picture = await scaled(file)
  const body = { name: file.name.slice(0, 255), mimeType: picture.type }
  const headers = { 'idempotency-key': newIdempotencyKey() }
  const { id } = await get<RecordData>(scope, '/v1/attachment', { method: 'POST', body, headers, signal })
  try {
    const sending = { method: 'PUT', contentType: picture.type, onProgress: () => {}, signal } as const
    await upload(scope, addressOf(id), picture, sending)
  } catch (error) {
    // An attachment without its file would be left behind.
    await removeRecord(scope, 'attachment', id, true).catch(() => {})
    throw error
  }
  return addressOf(id)
}

/** The picture in at most `mostPixels`. Throws if the browser cannot read it. */
async function scaled(file: File): Promise<Blob> {
  // A moving picture would stand still.
  if (file.type === 'image/gif') return file
  const bitmap = await createImageBitmap(file)
  const share = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height))
  const isKnown = ['image/jpeg', 'image/png', 'image/webp'].includes(file.type)
  if (share === 1 && file.size <= fewBytes && isKnown) return file
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * share)
  canvas.height = Math.round(bitmap.height * share)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // WebP keeps transparency; a browser that cannot write it writes PNG.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.85))
  return made === null || (share === 1 && isKnown && made.size > file.size) ? file : made
}
