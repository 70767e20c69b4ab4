// A form in a drawer beside its page; closing it asks first if something typed would be lost.
import { Drawer } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import classes from './FormDrawer.module.css'
import { LeaveQuestion } from './unsaved.tsx'

interface FormDrawerProps {
  readonly isOpen: boolean
  readonly title: ReactNode
  readonly close: () => void
  /** Renders the form, which reports unsaved input and when it is done. */
  readonly children: (form: { readonly onDirty: (isDirty: boolean) => void; readonly end: () => void }) => ReactNode
}

export function FormDrawer({ isOpen, title, close, children }: FormDrawerProps) {
  // A ref, not a state: a key pressed right after another must see the current value, not the last rendered one.
  const isDirty = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const onDirty = useCallback((is: boolean) => {
    isDirty.current = is
  }, [])

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

  return (
    <>
      <Drawer
        opened={isOpen}
        onClose={leave}
        closeOnEscape={false}
        title={<span className="name">{title}</span>}
        size="lg"
        classNames={classes}
      >
        {isOpen && children({ onDirty, end })}
      </Drawer>
      {/* Deferred for the same reason: the drawer would handle this key. */}
      <LeaveQuestion opened={isAsking} stay={() => setTimeout(setAsking, 0, false)} leave={end} />
    </>
  )
}
