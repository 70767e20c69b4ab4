// An action that a button or switch starts: whether it is under way, and a notice if it fails.
import { useState } from 'react'
import { complain } from './notices.ts'

/** `run` never rejects: a failure is shown as a notice. */
export function useAction(): {
  readonly isBusy: boolean
  readonly run: (action: () => Promise<unknown>) => Promise<void>
} {
  const [isBusy, setBusy] = useState(false)
  async function run(action: () => Promise<unknown>): Promise<void> {
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
