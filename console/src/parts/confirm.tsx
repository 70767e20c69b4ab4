// Asks for confirmation before something that cannot be undone; in grave cases, by typing a name.
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { text } from '../texts/shell.ts'
import { DialogButtons } from './DialogButtons.tsx'
import { FormMessage } from './FormMessage.tsx'
import { messagesFor } from './messages.ts'
import { refuseMissing } from './missing.ts'
import { useSubmission } from './submission.ts'
import { firstInput } from './use-first-input.ts'

interface ConfirmProps {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  readonly children: ReactNode
  /** The verb on the button. */
  readonly action: string
  readonly isDangerous?: boolean
  /** On the button that does nothing, where “Cancel” could be the action. */
  readonly dismiss?: string | undefined
  /** The effects are still loading, so it cannot be confirmed yet. */
  readonly isWaiting?: boolean
  /** The text to type first. */
  readonly name?: { readonly value: string; readonly label: string }
  /** A milder action in its place. */
  readonly alternative?: { readonly action: string; readonly run: () => Promise<unknown> } | undefined
  /** The action; its failure is shown in the dialog. `key` is its idempotency key. */
  readonly run: (key: string) => Promise<unknown>
}

export function Confirm(props: ConfirmProps) {
  const {
    opened,
    close,
    title,
    children,
    action,
    isDangerous = true,
    isWaiting = false,
    name,
    dismiss,
    alternative,
    run,
  } = props
  const [typed, setTyped] = useState('')
  const { isBusy, problem, forget, run: send } = useSubmission()
  const messages = messagesFor(problem, '/name')

  function end() {
    setTyped('')
    forget()
    close()
  }

  const perform = (what: ConfirmProps['run']) =>
    void send(async (key) => {
      await what(key)
      end()
    })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isWaiting) return
    const isOther = name !== undefined && typed !== name.value
    perform(isOther ? async () => refuseMissing({ '/name': text.typeExactly(name.value) }) : run)
  }

  return (
    <Modal opened={opened} onClose={end} title={<span className="name">{title}</span>}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {name && (
            <TextInput
              label={name.label}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={messages.at('/name')}
              autoComplete="off"
              {...firstInput()}
            />
          )}
          <FormMessage>{messages.rest}</FormMessage>
          <Buttons
            {...{ action, alternative, dismiss, isDangerous, isBusy, end, perform }}
            isOff={isWaiting}
            isFirst={name === undefined}
          />
        </Stack>
      </form>
    </Modal>
  )
}

interface ButtonsProps extends Pick<ConfirmProps, 'action' | 'alternative' | 'dismiss'> {
  readonly isDangerous: boolean
  readonly isBusy: boolean
  readonly isOff: boolean
  /** Whether Enter confirms at once. */
  readonly isFirst: boolean
  readonly end: () => void
  readonly perform: (what: ConfirmProps['run']) => void
}

function Buttons({ action, alternative, dismiss, isDangerous, isBusy, isOff, isFirst, end, perform }: ButtonsProps) {
  return (
    <DialogButtons cancel={end} dismiss={dismiss}>
      {alternative && (
        <Button variant="default" onClick={() => perform(alternative.run)} disabled={isBusy}>
          {alternative.action}
        </Button>
      )}
      <Button
        type="submit"
        color={isDangerous ? 'red' : undefined}
        loading={isBusy}
        // A disabled button cannot have the focus, and would not get it once it is enabled.
        aria-disabled={isOff}
        data-disabled={isOff || undefined}
        data-autofocus={isFirst || undefined}
      >
        {action}
      </Button>
    </DialogButtons>
  )
}
