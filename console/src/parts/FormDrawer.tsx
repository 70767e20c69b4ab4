// A form beside the page that it belongs to; closing it asks first where something typed would be lost.
import { Drawer } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import classes from './FormDrawer.module.css'
import { LeaveQuestion } from './unsaved.tsx'

interface FormDrawerProps {
  readonly isOpen: boolean
  readonly title: ReactNode
  readonly close: () => void
  /** Makes the form, which tells whether something is typed, and ends when it is done. */
  readonly children: (form: { readonly onDirty: (isDirty: boolean) => void; readonly end: () => void }) => ReactNode
}

export function FormDrawer({ isOpen, title, close, children }: FormDrawerProps) {
  // Not a state: a key that is pressed right after another must not be answered by what was drawn before both.
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

  // Escape closes what lies on top: a list, a question over the drawer, and only then the drawer.
  useWindowEvent(
    'keydown',
    (event) => {
      const isTyping = event.isComposing || (event.target as HTMLElement).dataset?.mantineStopPropagation === 'true'
      const isOnTop = isOpen && !isAsking && document.querySelectorAll('[role="dialog"]').length === 1
      // After this key: the question would take it for its own.
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
      {/* After this key, too: the drawer would take it for its own. */}
      <LeaveQuestion opened={isAsking} stay={() => setTimeout(setAsking, 0, false)} leave={end} />
    </>
  )
}
