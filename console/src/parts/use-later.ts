// Loads a part of the console when it is first needed, so that pages do not wait for what most visits never open.
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * The part, undefined until it is loaded, and a function that loads it. A failure is ignored and the next call tries again:
 * the server may be unreachable. `load` must be the same function in every render.
 */
export function useLater<Part>(load: () => Promise<Part>): [part: Part | undefined, want: () => void] {
  const [part, setPart] = useState<Part>()
  const want = useCallback(() => {
    load().then(
      (read) => setPart(() => read),
      () => {},
    )
  }, [load])
  return [part, want]
}

/**
 * For a menu that was loaded because its button was pressed: focuses the new button and opens the menu, as if it had been
 * loaded all the time. Not if the user has moved the focus elsewhere in the meantime.
 */
export function useOpenAtOnce<Button extends HTMLElement>(open: () => void): RefObject<Button | null> {
  const button = useRef<Button>(null)
  const opening = useEffectEvent(open)
  useEffect(() => {
    if (document.activeElement !== document.body) return
    button.current?.focus()
    opening()
  }, [])
  return button
}
