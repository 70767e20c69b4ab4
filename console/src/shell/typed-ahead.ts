// Keeps what is typed between the key that opens the search and the moment when its box has the focus.
import { useEffect, useState } from 'react'

/** Milliseconds for which keys are kept: then the search could not be loaded, and they go where they would otherwise. */
const KEPT_MS = 3_000

export interface TypeAhead {
  /** Keeps the keys from now on. */
  readonly begin: () => void
  /** Lets keys go where they would, and returns the text that was kept, and whether Enter followed it. */
  readonly end: () => { readonly text: string; readonly isEntered: boolean }
}

/** Listens before all else on the page, which may have the same keys as shortcuts. */
export function useTypeAhead(): TypeAhead {
  const [{ heard, letGo, ...ahead }] = useState(makeTypeAhead)
  useEffect(() => {
    window.addEventListener('keydown', heard, { capture: true })
    window.addEventListener('pointerdown', letGo, { capture: true })
    return () => {
      window.removeEventListener('keydown', heard, { capture: true })
      window.removeEventListener('pointerdown', letGo, { capture: true })
    }
  }, [heard, letGo])
  return ahead
}

function makeTypeAhead() {
  let until = 0
  let text = ''
  let isEntered = false

  const begin = () => {
    until = performance.now() + KEPT_MS
    text = ''
    isEntered = false
  }
  const letGo = () => {
    until = 0
  }
  const end = () => {
    const kept = { text, isEntered }
    until = 0
    text = ''
    return kept
  }

  function heard(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (key === 'Escape') letGo()
    if (performance.now() > until || isComposing || ctrlKey || metaKey || altKey) return
    if (key === 'Enter') isEntered = text !== ''
    else if (key === 'Backspace') text = text.slice(0, -1)
    else if ([...key].length === 1) text += key
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return { begin, end, heard, letGo }
}
