// What stands around the inputs of an organization's forms: what is wrong as a whole, the buttons, and the two versions where somebody else was first.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Conflict } from '../../parts/Conflict.tsx'
import classes from '../../parts/RecordForm.module.css'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import type { OwnedForm } from './owned-form.ts'

interface FrameProps {
  readonly form: OwnedForm
  readonly submit: string
  /** In a dialog the buttons stand at its end, and stay where they are. */
  readonly isDialog?: boolean
  /** Before the button that saves. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function OwnedFormFrame({ form, submit, isDialog = false, actions, children }: FrameProps) {
  const { problem, isDirty, isBusy, isNew } = form
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="lg">
        {problem && (
          <Alert color="red" role="alert" ref={alert} title={problem.errors.length > 0 ? text.wrong : undefined}>
            {problem.errors.length > 0 ? (
              <ul className={classes.messages}>
                {problem.errors.map(({ pointer, message }) => (
                  <li key={pointer + message}>
                    {pointer.slice(1).split('/').map(labelOf).join(' › ')}: {message}
                  </li>
                ))}
              </ul>
            ) : (
              problem.message
            )}
          </Alert>
        )}
        {children}
        <div className={isDialog ? undefined : classes.bar}>
          <Group justify="space-between" flex={1} gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {isDirty && !isNew ? text.unsaved : ''}
            </Text>
            <Group gap="xs">
              {actions}
              {isDirty && !isNew && (
                <Button variant="default" onClick={form.discard}>
                  {text.discard}
                </Button>
              )}
              <Button type="submit" loading={isBusy} disabled={!isNew && !isDirty}>
                {submit}
              </Button>
            </Group>
          </Group>
        </div>
      </Stack>
      <Conflict
        conflict={form.conflict}
        close={form.closeConflict}
        save={(current, body) => form.write(body, current)}
        takeTheirs={form.takeTheirs}
      />
      <LeaveGuard isDirty={isDirty && !isBusy} />
    </form>
  )
}
