// The upload of a file as a page shows it: its progress, and why it was refused.
import { useEffect, useRef, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { text } from '../texts/files.ts'
import { complain } from './notices.ts'

export type Upload =
  | { readonly state: 'none' }
  | { readonly state: 'sending'; readonly name: string; readonly bytes: number; readonly share: number }
  | { readonly state: 'refused'; readonly name: string; readonly reason: string; readonly isWrongFile: boolean }

/** Statuses of an answer that is about the file itself: it is refused again if it is sent again. */
const aboutFile = [400, 413, 415, 422]

/** How a page sends its file: it reports the share that has been sent, and stops at the signal. */
interface Sending {
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** One upload at a time; `send` returns why the file cannot be sent, or nothing once it is. */
export function useUpload() {
  const [upload, setUpload] = useState<Upload>({ state: 'none' })
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  async function begin(file: File, send: (sending: Sending) => Promise<string | undefined>) {
    stopping.current?.abort()
    const own = new AbortController()
    stopping.current = own
    const { name } = file
    const onProgress = (share: number) => {
      if (!own.signal.aborted) setUpload({ state: 'sending', name, bytes: file.size, share })
    }
    onProgress(0)
    try {
      const reason = await send({ onProgress, signal: own.signal })
      if (own.signal.aborted) return
      setUpload(reason === undefined ? { state: 'none' } : { state: 'refused', name, reason, isWrongFile: true })
    } catch (error) {
      const { status, message, isAboutRole } = asProblem(error)
      if (own.signal.aborted) return
      // The page hides the upload once it has read the new role; a notice stays.
      if (isAboutRole) {
        setUpload({ state: 'none' })
        return complain(error, text.refused)
      }
      // A user who is no longer signed in is asked for the password over the page, and chooses the file again.
      const isWrongFile = aboutFile.includes(status)
      setUpload(status === 401 ? { state: 'none' } : { state: 'refused', name, reason: message, isWrongFile })
    }
  }

  function cancel() {
    stopping.current?.abort()
    setUpload({ state: 'none' })
  }

  return { upload, begin, cancel }
}
