// Lets a form know that files are being sent for it: until they are there, it would be saved without them.
import { createContext, use, useEffect, useState } from 'react'

const Sending = createContext<(change: 1 | -1) => void>(() => {})

/** Around the inputs of a form. */
export const SendingProvider = Sending.Provider

/** Whether inputs of a form are sending, and what they report it to. */
export function useUploads() {
  const [count, setCount] = useState(0)
  const [report] = useState(() => (change: 1 | -1) => setCount((now) => now + change))
  return { isSending: count > 0, report }
}

/** Reports to the form around an input that it is sending. */
export function useReportSending(isSending: boolean): void {
  const report = use(Sending)
  useEffect(() => {
    if (!isSending) return
    report(1)
    return () => report(-1)
  }, [isSending, report])
}
