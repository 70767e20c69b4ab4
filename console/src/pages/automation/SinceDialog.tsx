// Asks since when something is to be done over: one of some usual times, or any other.
import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { text } from '../../texts/automation.ts'
import { text as shell } from '../../texts/shell.ts'

interface SinceDialogProps {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
  readonly hint: string
  readonly action: string
  readonly run: (since: string, progress: (message: string) => void) => Promise<unknown>
}

const hours = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const
type Choice = keyof typeof hours | 'other'

/** The form's notation of a point in time, in the browser's zone. */
const local = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

export function SinceDialog({ opened, close, title, hint, action, run }: SinceDialogProps) {
  const [choice, setChoice] = useState<Choice>('day')
  const [other, setOther] = useState(() => local(new Date(Date.now() - 3_600_000)))
  const [message, setMessage] = useState<string>()
  const [progress, setProgress] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isReady = choice !== 'other' || !Number.isNaN(Date.parse(other))

  async function submit(event: FormEvent) {
    event.preventDefault()
    const since = choice === 'other' ? new Date(other) : new Date(Date.now() - hours[choice] * 3_600_000)
    setBusy(true)
    setMessage(undefined)
    try {
      await run(since.toISOString(), setProgress)
      close()
    } catch (error) {
      setMessage(asProblem(error).message)
    } finally {
      setProgress(undefined)
      setBusy(false)
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{hint}</Text>
          <Radio.Group label={text.since} value={choice} onChange={(next) => setChoice(next as Choice)}>
            <Stack gap={8} mt={6}>
              {Object.entries(text.sincePresets).map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
              <Radio value="other" label={text.sinceOther} />
            </Stack>
          </Radio.Group>
          {choice === 'other' && (
            <TextInput
              type="datetime-local"
              label={text.sinceAt}
              value={other}
              onChange={(event) => setOther(event.currentTarget.value)}
            />
          )}
          {message && (
            <Alert color="red" role="alert">
              {message}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Text size="sm" c="dimmed" role="status" mr="auto">
              {progress}
            </Text>
            <Button variant="default" onClick={close}>
              {shell.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
