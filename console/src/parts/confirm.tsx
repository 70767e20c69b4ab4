// Asks for confirmation before something that cannot be undone; in grave cases, by typing a name.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { text } from '../texts/shell.ts'
import { FormMessage } from './FormMessage.tsx'
import { useSubmission } from './submission.ts'

interface ConfirmProps {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  readonly children: ReactNode
  /** The verb on the button. */
  readonly action: string
  readonly isDangerous?: boolean
  /** The effects are still loading, so it cannot be confirmed yet. */
  readonly isWaiting?: boolean
  /** The text to type first. */
  readonly name?: { readonly value: string; readonly label: string }
  /** The action; its failure is shown in the dialog. */
  readonly run: () => Promise<unknown>
}

export function Confirm(props: ConfirmProps) {
  const { opened, close, title, children, action, isDangerous = true, isWaiting = false, name, run } = props
  const [typed, setTyped] = useState('')
  const { isBusy, problem, forget, run: send } = useSubmission()

  function end() {
    setTyped('')
    forget()
    close()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void send(async () => {
      await run()
      end()
    })
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
              autoComplete="off"
              data-autofocus
            />
          )}
          <FormMessage>{problem?.message}</FormMessage>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={end}>
              {text.cancel}
            </Button>
            <Button
              type="submit"
              color={isDangerous ? 'red' : undefined}
              loading={isBusy}
              disabled={isWaiting || (name !== undefined && typed !== name.value)}
              data-autofocus={name === undefined && !isWaiting ? true : undefined}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
