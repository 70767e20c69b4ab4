// Asks before something that cannot be undone; where it is grave, by having its name typed.
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { text } from '../texts/shell.ts'

interface ConfirmProps {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  readonly children: ReactNode
  /** The verb of what is done. */
  readonly action: string
  readonly isDangerous?: boolean
  /** Must be typed first. */
  readonly name?: { readonly value: string; readonly label: string }
  /** What is done; its failure is shown in place. */
  readonly run: () => Promise<unknown>
}

export function Confirm({ opened, close, title, children, action, isDangerous = true, name, run }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string>()

  function end() {
    setTyped('')
    setMessage(undefined)
    close()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setMessage(undefined)
    try {
      await run()
      end()
    } catch (error) {
      setMessage(asProblem(error).message)
    } finally {
      setBusy(false)
    }
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
          {message && (
            <Alert color="red" role="alert">
              {message}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={end}>
              {text.cancel}
            </Button>
            <Button
              type="submit"
              color={isDangerous ? 'red' : undefined}
              loading={isBusy}
              disabled={name !== undefined && typed !== name.value}
              data-autofocus={name === undefined ? true : undefined}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
