// Closing a drawer or dialog with a form: Escape and a click outside ask first if something typed would be lost.
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, type RefObject, useState } from 'react'
import { LeaveQuestion } from './unsaved.tsx'

interface Leaving {
  /** Closes it, after the question if something is typed. */
  readonly leave: () => void
  /** Closes it at once. */
  readonly end: () => void
  /** Rendered beside the drawer or dialog, which must have `closeOnEscape={false}`. */
  readonly question: ReactNode
}

/** `isDirty` is a ref, not a state: a key pressed right after another must see the current value, not the last rendered one. */
export function useLeaving(isOpen: boolean, isDirty: RefObject<boolean>, close: () => void): Leaving {
  const [isAsking, setAsking] = useState(false)

  function end() {
    setAsking(false)
    isDirty.current = false
    close()
  }

  const leave = () => (isDirty.current ? setAsking(true) : end())

  // Escape closes the topmost element: a list, a question over the drawer, and only then the drawer.
  useWindowEvent(
    'keydown',
    (event) => {
      const isTyping = event.isComposing || (event.target as HTMLElement).dataset?.mantineStopPropagation === 'true'
      const isOnTop = isOpen && !isAsking && document.querySelectorAll('[role="dialog"]').length === 1
      // Deferred: the question would otherwise handle this key itself.
      if (event.key === 'Escape' && isOnTop && !isTyping) setTimeout(leave)
    },
    { capture: true },
  )

  // Deferred for the same reason: the drawer would handle this key.
  const stay = () => setTimeout(setAsking, 0, false)
  return { leave, end, question: <LeaveQuestion opened={isAsking} stay={stay} leave={end} /> }
}
