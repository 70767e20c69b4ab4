// Reads a part of the console when it is wanted for the first time, so that no page waits for what most visits never open.
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * The part, undefined until it is there, and the wish for it. Where it cannot be read the next wish tries again, and
 * nothing else happens: the server may be away. `load` is a function that stays the same.
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
 * For a menu that was read because somebody pressed its button: the new button has the focus that the old one had, and
 * the menu opens, as if it had been there all the time. Not where they have gone on to something else meanwhile.
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
