// Carries out what a dialog about many records asks for: it comes back with what was typed if nothing was changed.
import { useState } from 'react'
import type { Many } from './use-many.tsx'

export function useApply(many: Many, close: () => void) {
  const [isRunning, setRunning] = useState(false)

  /** `change` returns whether anything was changed. */
  async function apply(change: () => Promise<boolean>): Promise<void> {
    setRunning(true)
    if (await change()) close()
    else setRunning(false)
  }

  // The list of what failed is shown first.
  return { isHidden: isRunning || many.failure !== undefined, apply }
}
