// What stands around the inputs of a form over a record: what is wrong as a whole, the buttons, and both versions where somebody else was first.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Conflict } from './Conflict.tsx'
import classes from './RecordForm.module.css'
import { LeaveGuard } from './unsaved.tsx'
import type { VersionedForm } from './versioned-form.ts'

interface FormFrameProps {
  readonly form: VersionedForm
  /** What the button says that saves. */
  readonly submit: string
  readonly isReadOnly?: boolean
  /** In a dialog the buttons stand at its end, and stay where they are. */
  readonly isDialog?: boolean
  /** At the other end from the button that saves, in place of whether all is saved. */
  readonly aside?: ReactNode
  /** Before the button that saves. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function FormFrame(props: FormFrameProps) {
  const { form, submit, isReadOnly = false, isDialog = false, aside, actions, children } = props
  const { draft, problem, isBusy, isNew } = form
  const hasChanges = draft.changed.length > 0 && !isNew
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <Stack gap={isDialog ? 'md' : 'lg'}>
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
        {!isReadOnly && (
          <div className={isDialog ? undefined : classes.bar}>
            <Group justify="space-between" flex={1} gap="xs">
              {aside ?? (
                <Text size="sm" c="dimmed" role="status">
                  {draft.isTyped && !(isDialog && isNew) ? text.unsaved : ''}
                </Text>
              )}
              <Group gap="xs">
                {actions}
                {hasChanges && aside === undefined && (
                  <Button variant="default" onClick={form.discard}>
                    {text.discard}
                  </Button>
                )}
                <Button type="submit" loading={isBusy} disabled={!isNew && !hasChanges}>
                  {submit}
                </Button>
              </Group>
            </Group>
          </div>
        )}
      </Stack>
      <Conflict
        conflict={form.conflict}
        close={form.closeConflict}
        save={(current, body) => form.write(body, current)}
        takeTheirs={form.takeTheirs}
      />
      <LeaveGuard isDirty={form.isDirty} />
    </form>
  )
}
