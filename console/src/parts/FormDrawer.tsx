// A form in a drawer beside its page; closing it asks first if something typed would be lost.
import { Drawer } from '@mantine/core'
import { type ReactNode, useCallback, useRef } from 'react'
import classes from './FormDrawer.module.css'
import { useLeaving } from './use-leaving.tsx'

interface FormDrawerProps {
  readonly isOpen: boolean
  readonly title: ReactNode
  readonly close: () => void
  /** Renders the form, which reports unsaved input and when it is done. */
  readonly children: (form: { readonly onDirty: (isDirty: boolean) => void; readonly end: () => void }) => ReactNode
}

export function FormDrawer({ isOpen, title, close, children }: FormDrawerProps) {
  const isDirty = useRef(false)
  const onDirty = useCallback((is: boolean) => {
    isDirty.current = is
  }, [])
  const { leave, end, question } = useLeaving(isOpen, isDirty, close)
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
      {question}
    </>
  )
}
