// The bar below the sheet: the last message, the number of unsaved cells, and the save button.
import { Button, Menu, Text } from '@mantine/core'
import { IconAlertTriangle, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { text } from '../../texts/sheet.ts'
import classes from './SheetPage.module.css'

interface SaveBarProps {
  readonly message: string
  /** Why the last save failed. */
  readonly failure: string | undefined
  readonly unsaved: number
  readonly conflicts: number
  /** An input for what is saved along. */
  readonly children?: ReactNode
  readonly isSaving: boolean
  readonly save: () => void
  readonly discard: () => void
  readonly showConflict: () => void
  readonly overwriteAll: () => void
  readonly takeAll: () => void
}

export function SaveBar(props: SaveBarProps) {
  const { message, failure, unsaved, conflicts, children, isSaving, save, discard } = props
  const isFailure = failure !== undefined && failure === message
  return (
    <div className={classes.saveBar}>
      <div className={classes.state}>
        <Text size="sm" fw={unsaved > 0 ? 600 : 400} c={unsaved > 0 ? undefined : 'dimmed'}>
          {unsaved > 0 ? text.changed(unsaved) : text.unchanged}
        </Text>
        {conflicts > 0 && (
          <Menu position="top-start">
            <Menu.Target>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconAlertTriangle size={14} className={classes.warning} />}
                rightSection={<IconChevronUp size={14} />}
              >
                {text.conflicts(conflicts)}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={props.showConflict}>{text.showNext}</Menu.Item>
              <Menu.Item onClick={props.overwriteAll}>{text.overwriteAll}</Menu.Item>
              <Menu.Item onClick={props.takeAll}>{text.takeAll}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        <Text
          size="sm"
          c={isFailure ? 'var(--cw-bad)' : 'dimmed'}
          // A failure is read whole.
          className={`${classes.message} ${isFailure ? classes.failure : 'cut'}`}
          role="status"
          title={message}
        >
          {message}
        </Text>
      </div>
      {children}
      <Button variant="default" onClick={discard} disabled={unsaved === 0 || isSaving}>
        {text.discard}
      </Button>
      <Button data-saves onClick={save} disabled={unsaved === 0} loading={isSaving}>
        {text.save}
      </Button>
    </div>
  )
}
