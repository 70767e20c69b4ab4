// What the page of an attachment does with its file: uploads, links, downloads and removes it.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { type RecordData, refresh, removeRecord } from '../../api/records.ts'
import { get, newIdempotencyKey, send } from '../../api/request.ts'
import type { FileLink } from '../../api/schemas.ts'
import { upload as sendFile } from '../../api/upload.ts'
import { bytes } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { useUpload } from '../../parts/use-upload.ts'
import { text } from '../../texts/files.ts'

/** The maximum size of a file in bytes. */
const mostBytes = 25 * 1024 * 1024
/** Milliseconds for which a page uses a link, which works for ten minutes. */
const linkMs = 8 * 60 * 1000
const pathOf = (id: string): string => `/v1/attachment/${encodeURIComponent(id)}/file`

/** An attachment as it is shown: a file that someone else sent meanwhile is neither replaced nor removed. */
interface ShownAttachment {
  readonly id: string
  readonly etag: string
}

/** Does what may be refused because the attachment has changed, which is then shown. */
async function withChange<T>(show: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (asProblem(error).status === 412) await show()
    throw error
  }
}

/** Uploads the file of an attachment; without one it makes one of the file's name, and goes to its page. */
export function useFileUpload(shown?: ShownAttachment) {
  const id = shown?.id
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { upload, begin, cancel } = useUpload()
  const show = () => refresh(client, scope.companyId, 'attachments')

  async function create(file: File): Promise<string> {
    const body = { name: file.name.slice(0, 255), ...(file.type !== '' && { mimeType: file.type }) }
    const headers = { 'idempotency-key': newIdempotencyKey() }
    return (await get<RecordData>(scope, '/v1/attachment', { method: 'POST', body, headers })).id
  }

  const take = (file: File) =>
    void begin(file, async (sending) => {
      if (file.size === 0) return text.isEmpty
      if (file.size > mostBytes) return text.tooLarge(bytes(file.size))
      const own = id ?? (await create(file))
      try {
        const how = { ...sending, method: 'PUT', contentType: typeOf(file), ifMatch: shown?.etag } as const
        await withChange(show, () => sendFile(scope, pathOf(own), file, how))
      } catch (error) {
        // An attachment without its file would be left behind.
        if (id === undefined) await removeRecord(scope, 'attachment', own, true).catch(() => {})
        throw error
      }
      await show()
      notify(text.uploaded)
      if (id === undefined) await navigate({ to: `/c/${scope.companyId}/attachments/${own}`, replace: true })
    })
  return { upload, take, cancel }
}

/** The server takes no JSON as a file. */
const typeOf = ({ type }: File): string => (type === '' || /\bjson\b/.test(type) ? 'application/octet-stream' : type)

/** The link to the file of an attachment, and what else can be done with it. A file is known by its checksum. */
export function useAttachmentFile({ id, etag }: ShownAttachment, sha256: string) {
  const scope = useScope()
  const client = useQueryClient()
  const path = pathOf(id)
  const readLink = (signal?: AbortSignal) => get<FileLink>(scope, `${path}/link`, { signal })
  return {
    link: queryOptions({
      queryKey: [scope.companyId, 'attachments', 'link', id, sha256],
      queryFn: ({ signal }) => readLink(signal),
      staleTime: linkMs,
      refetchInterval: linkMs,
    }),
    async download(name: string) {
      const anchor = document.createElement('a')
      anchor.href = (await readLink()).path
      anchor.download = name
      anchor.click()
    },
    async remove() {
      const show = () => refresh(client, scope.companyId, 'attachments')
      await withChange(show, () => send(scope, path, { method: 'DELETE', headers: { 'if-match': etag } }))
      await show()
      notify(text.removed)
    },
  }
}
