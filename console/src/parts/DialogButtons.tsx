// The buttons at the end of a dialog, which stay in view while a long one scrolls.
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../texts/shell.ts'
import classes from './DialogButtons.module.css'

interface DialogButtonsProps {
  /** Shown as the first button. */
  readonly cancel?: () => void
  /** Its label, if not “Cancel”. */
  readonly dismiss?: string | undefined
  readonly isBusy?: boolean
  readonly children: ReactNode
}

export const DialogButtons = ({ cancel, dismiss = text.cancel, isBusy = false, children }: DialogButtonsProps) => (
  <Group justify="flex-end" gap="xs" className={classes.buttons}>
    {cancel && (
      <Button variant="default" onClick={cancel} disabled={isBusy}>
        {dismiss}
      </Button>
    )}
    {children}
  </Group>
)
