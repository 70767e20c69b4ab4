// An action that a button or switch starts: whether it is under way, and a notice if it fails.
import { useEffect, useRef, useState } from 'react'
import { complain } from './notices.ts'

/** `run` never rejects: a failure is shown as a notice. */
export function useAction(): {
  readonly isBusy: boolean
  readonly run: (action: () => Promise<unknown>) => Promise<void>
} {
  const [isBusy, setBusy] = useState(false)
  const sender = useRef<Element>(null)
  // A button loses the focus while it is disabled, and then Tab would begin at the top of the page.
  useEffect(() => {
    const from = sender.current
    if (!isBusy && from instanceof HTMLElement && document.activeElement === document.body)
      from.focus({ preventScroll: true })
  }, [isBusy])

  async function run(action: () => Promise<unknown>): Promise<void> {
    sender.current = document.activeElement
    setBusy(true)
    try {
      await action()
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
