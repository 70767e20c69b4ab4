// The frame of a record's form: form-level errors, the buttons, and the conflict dialog.
import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Conflict } from './Conflict.tsx'
import dialog from './DialogButtons.module.css'
import { sentence } from './messages.ts'
import { OpenSession, openSessionOf } from './OpenSession.tsx'
import classes from './RecordForm.module.css'
import { firstWrong } from './submission.ts'
import { LeaveGuard } from './unsaved.tsx'
import { SendingProvider, useUploads } from './uploads.ts'
import { useFirstInput } from './use-first-input.ts'
import type { VersionedForm } from './versioned-form.ts'

/** Records that are edited within a form and saved with it, such as the variants of a product. */
export interface FormPart {
  readonly isDirty: boolean
  readonly isBusy: boolean
  /** Whether what is typed can be sent; otherwise it says what cannot. */
  readonly check: () => boolean
  readonly save: () => void
  readonly discard: () => void
}

interface FormFrameProps {
  readonly form: VersionedForm
  /** The label of the save button. */
  readonly submit: string
  readonly isReadOnly?: boolean
  /** In a dialog the buttons are at its end and stay in place. */
  readonly isDialog?: boolean
  /** Opposite the save button, instead of the save status. */
  readonly aside?: ReactNode
  /** Before the save button. */
  readonly actions?: ReactNode
  /** `onSaved` of the form saves it if the record itself has changes too. */
  readonly part?: FormPart | undefined
  /** Says which members a new record needs at least one of, in place of the server's message about them. */
  readonly needed?: string | undefined
  /** What the form calls members, where it is not what `labelOf` says. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly children: ReactNode
}

export function FormFrame(props: FormFrameProps) {
  const { form, submit: label, isReadOnly = false, isDialog = false, aside, actions, part, children } = props
  const { draft, problem, isBusy, isNew } = form
  const { isSending, report } = useUploads()
  const isDirty = form.isDirty || isSending || part?.isDirty === true
  const hasChanges = (draft.changed.length > 0 || part?.isDirty === true) && !isNew
  const isOff = isSending || (!isNew && !hasChanges)

  function submit(event: FormEvent) {
    if (isOff) return event.preventDefault()
    if (part === undefined || event.target !== event.currentTarget) return form.submit(event)
    event.preventDefault()
    if (!part.check()) return firstWrong(event.currentTarget)?.focus()
    if (isNew || draft.changed.length > 0) form.submit(event)
    else part.save()
  }

  function discard() {
    form.discard()
    part?.discard()
  }

  return (
    <form ref={useFirstInput(isNew)} onSubmit={submit} noValidate className={classes.form}>
      <Stack gap={isDialog ? 'md' : 'lg'}>
        {problem && <ProblemAlert problem={problem} needed={props.needed} labels={props.labels} />}
        <SendingProvider value={report}>{children}</SendingProvider>
        {!isReadOnly && (
          <div className={isDialog ? dialog.buttons : `${classes.bar} screen-only`}>
            <Group justify="flex-end" flex={1} gap="xs">
              <Box mr="auto">
                {aside ?? (
                  <Text size="sm" c="dimmed" role="status">
                    {(draft.isTyped || part?.isDirty) && !(isDialog && isNew) ? text.unsaved : ''}
                  </Text>
                )}
              </Box>
              <Group gap="xs">
                {actions}
                {hasChanges && aside === undefined && (
                  <Button variant="default" onClick={discard}>
                    {text.discard}
                  </Button>
                )}
                <Button
                  type="submit"
                  loading={isBusy || part?.isBusy === true}
                  // Not disabled: after a save it keeps the focus.
                  data-disabled={isOff || undefined}
                  aria-disabled={isOff || undefined}
                >
                  {label}
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
      <LeaveGuard isDirty={isDirty} />
    </form>
  )
}

interface ProblemAlertProps extends Pick<FormFrameProps, 'needed' | 'labels'> {
  readonly problem: ApiProblem
}

/** The errors of the last save. */
function ProblemAlert({ problem, needed, labels }: ProblemAlertProps) {
  const alert = useRef<HTMLDivElement>(null)
  const listed = useRef(0)
  const session = openSessionOf(problem)
  // No field is wrong if the plan allows no more records.
  const isListed = problem.errors.length > 0 && session === undefined && problem.code !== 'plan_limit'
  // Each problem is shown, also one after another; not what is left of it while it is being corrected.
  useEffect(() => {
    if (problem.errors.length >= listed.current) alert.current?.scrollIntoView({ block: 'nearest' })
    listed.current = problem.errors.length
  }, [problem])
  return (
    <Alert color="red" role="alert" ref={alert} className={classes.problem} title={isListed ? text.wrong : undefined}>
      {session !== undefined ? (
        <OpenSession id={session} />
      ) : isListed ? (
        <ul className={classes.messages}>
          {problem.errors.map(({ in: where, pointer, code, message }) => (
            <li key={pointer + message}>
              {pointer === '' || where === 'header'
                ? (code === 'required' && needed) || sentence(message)
                : `${pointer
                    .slice(1)
                    .split('/')
                    .map((member) =>
                      /^\d+$/.test(member) ? text.entry(Number(member) + 1) : (labels?.[member] ?? labelOf(member)),
                    )
                    .join(' › ')}: ${message}`}
            </li>
          ))}
        </ul>
      ) : (
        problem.message
      )}
    </Alert>
  )
}
