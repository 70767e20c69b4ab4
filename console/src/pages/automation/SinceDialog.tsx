// Asks for the start time of a resend or replay: a preset or any other time.
import { Button, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { localOf, timeOf } from '../../parts/local-time.ts'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { useSubmission } from '../../parts/submission.ts'
import { useTimeZone, zoneNote } from '../../parts/time-zone.ts'
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

export function SinceDialog({ opened, close, title, hint, action, run }: SinceDialogProps) {
  const [choice, setChoice] = useState<Choice>('day')
  const timeZone = useTimeZone()
  const [other, setOther] = useState(() => localOf(Date.now() - 3_600_000, timeZone))
  const { isBusy, problem, run: send } = useSubmission()
  const [progress, setProgress] = useState<string>()
  const messages = messagesFor(problem, '/since')

  function submit(event: FormEvent) {
    event.preventDefault()
    void send(async () => {
      const typed = timeOf(other, timeZone)
      refuseMissing({ '/since': choice === 'other' && typed === undefined && text.sinceMissing })
      const since = choice === 'other' ? typed : new Date(Date.now() - hours[choice] * 3_600_000).toISOString()
      try {
        await run(since as string, setProgress)
        close()
      } finally {
        setProgress(undefined)
      }
    })
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
              description={zoneNote(timeZone)}
              value={other}
              onChange={(event) => setOther(event.currentTarget.value)}
              error={messages.at('/since')}
            />
          )}
          <FormMessage>{messages.rest}</FormMessage>
          <DialogButtons>
            <Text size="sm" c="dimmed" role="status" mr="auto">
              {progress}
            </Text>
            <Button variant="default" onClick={close}>
              {shell.cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {action}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}
