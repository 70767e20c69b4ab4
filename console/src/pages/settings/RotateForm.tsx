// When a rotated key expires.
import { Button, Radio, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { Key } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { dateTime } from '../../parts/format.ts'
import { localOf } from '../../parts/local-time.ts'
import { messagesFor } from '../../parts/messages.ts'
import { useSubmission } from '../../parts/submission.ts'
import { zoneNote } from '../../parts/time-zone.ts'
import { text } from '../../texts/keys.ts'
import classes from './KeyForm.module.css'
import type { KeyDialog } from './KeyModal.tsx'
import { rotateKey } from './key.ts'
import { useMoment } from './moment.ts'
import type { Tenant } from './tenant.ts'

const choices = ['now', '1', '24', '168', 'at'] as const
/** The maximum number of days ahead. */
const most = 90

export function RotateForm({ place, of, dialog }: { place: Tenant; of: Key; dialog: KeyDialog }) {
  const when = useMoment('24', 48, place.timezone)
  const { isBusy, problem, forget, run } = useSubmission()
  const [isMissing, setMissing] = useState(false)
  const messages = messagesFor(problem, ...(when.choice === 'at' ? ['/deleteOldAt'] : []))

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(when.isMissing)
    forget()
    if (when.isMissing) return
    void run(async (key) => {
      const at = when.at()
      const made = await rotateKey(place, of.id, at, key).catch((error) => {
        // Another user has deleted or rotated it.
        if ([404, 409].includes(asProblem(error).status)) dialog.onChanged()
        throw error
      })
      dialog.onMade(made, at === undefined ? text.oldGone : text.oldEnds(dateTime(at, when.timeZone)))
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Text size="sm">{text.rotateHint}</Text>
        <FormMessage>{messages.rest}</FormMessage>
        <Radio.Group label={text.rotateWhen} value={when.choice} onChange={when.setChoice}>
          <div className={classes.permissions}>
            {choices.map((choice) => (
              <Radio
                key={choice}
                value={choice}
                className={classes.permission}
                label={text.rotateChoices[choice][0]}
                description={text.rotateChoices[choice][1] || undefined}
                data-autofocus={choice === when.choice || undefined}
              />
            ))}
          </div>
        </Radio.Group>
        {when.choice === 'at' && (
          <TextInput
            type="datetime-local"
            label={text.date}
            value={when.typed}
            description={zoneNote(when.timeZone)}
            min={localOf(Date.now(), when.timeZone)}
            max={localOf(Date.now() + most * 24 * 60 * 60 * 1000, when.timeZone)}
            onChange={(event) => when.setTyped(event.currentTarget.value)}
            error={isMissing ? text.missingTime : messages.at('/deleteOldAt')}
          />
        )}
        <DialogButtons cancel={dialog.close}>
          <Button type="submit" loading={isBusy}>
            {text.rotateAction}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
