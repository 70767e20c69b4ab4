// A form in a dialog; closing it, or leaving its page, asks first if something typed would be lost.
import { Modal, type ModalProps } from '@mantine/core'
import { useRef } from 'react'
import { LeaveGuard } from './unsaved.tsx'
import { useLeaving } from './use-leaving.tsx'

interface FormModalProps extends Pick<ModalProps, 'opened' | 'title' | 'size' | 'closeOnClickOutside' | 'children'> {
  /** Whether closing would lose something typed. */
  readonly isDirty: boolean
  /** What was typed is being sent, so it stays open. */
  readonly isBusy?: boolean
  readonly close: () => void
}

export function FormModal({ opened, isDirty, isBusy = false, close, children, ...props }: FormModalProps) {
  const dirty = useRef(isDirty)
  dirty.current = isDirty
  const { leave, question } = useLeaving(opened && !isBusy, dirty, close)
  return (
    <>
      <Modal {...props} opened={opened} onClose={() => isBusy || leave()} closeOnEscape={false}>
        {children}
      </Modal>
      <LeaveGuard isDirty={opened && isDirty} />
      {question}
    </>
  )
}
