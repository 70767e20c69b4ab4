// The upload of a file as the page shows it: its progress, and why it was rejected.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { refresh } from '../../api/records.ts'
import type { Import } from '../../api/schemas.ts'
import { upload } from '../../api/upload.ts'
import { whyNot } from './file-check.ts'
import { importQuery } from './import-job.ts'

export type Sending =
  | { readonly state: 'none' }
  | { readonly state: 'sending'; readonly name: string; readonly bytes: number; readonly share: number }
  | { readonly state: 'refused'; readonly name: string; readonly reason: string }

export function useSending() {
  const whose = useWhose()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [sending, setSending] = useState<Sending>({ state: 'none' })
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  async function begin(file: File, outletId: string | undefined) {
    stopping.current?.abort()
    const own = new AbortController()
    stopping.current = own
    const { name } = file
    const show = (share: number) => {
      if (!own.signal.aborted) setSending({ state: 'sending', name, bytes: file.size, share })
    }
    show(0)
    try {
      const reason = await whyNot(file)
      if (reason !== undefined) return setSending({ state: 'refused', name, reason })
      const job = await upload<Import>(whose, '/v1/imports', file, {
        query: { fileName: name.slice(0, 255), outletId },
        contentType: 'text/csv',
        onProgress: show,
        signal: own.signal,
      })
      client.setQueryData(importQuery(whose, job.id).queryKey, job)
      void refresh(client, whose.companyId, 'imports')
      await navigate({ to: `/c/${whose.companyId}/imports/${job.id}` })
    } catch (error) {
      const { status, message } = asProblem(error)
      if (own.signal.aborted) return
      // A user who is no longer signed in is asked for the password over the page, and chooses the file again.
      setSending(status === 401 ? { state: 'none' } : { state: 'refused', name, reason: message })
    }
  }

  function cancel() {
    stopping.current?.abort()
    setSending({ state: 'none' })
  }

  return { sending, begin, cancel }
}
