// The dialogs of a trigger: since when to resend or replay, and whether to switch it off or delete it.

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { titleOf } from '../../parts/record-title.ts'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/automation.ts'
import { SinceDialog } from './SinceDialog.tsx'
import { deliveriesOf, redeliverFailed, removeTrigger, replay } from './triggers.ts'
import type { useSwitch } from './use-switch.ts'

export type TriggerSwitch = ReturnType<typeof useSwitch>
export type Asking = 'again' | 'replay' | 'off' | 'delete'

/** Reads the deliveries of a trigger again. */
export function useRefreshed({ id }: AutomationTrigger) {
  const { companyId } = useScope()
  const client = useQueryClient()
  return () => refresh(client, companyId, deliveriesOf(id))
}

interface DialogsProps {
  readonly trigger: AutomationTrigger
  readonly asking: Asking | undefined
  readonly close: () => void
}

/** The dialogs that ask since when: to resend failed deliveries, or to replay events. */
export function SinceDialogs({ trigger, asking, close }: DialogsProps) {
  const scope = useScope()
  const refreshed = useRefreshed(trigger)
  const { id } = trigger
  return (
    <>
      <SinceDialog
        opened={asking === 'again'}
        close={close}
        title={text.againAllTitle}
        hint={text.againAllHint}
        action={text.againAllRun}
        run={async (since, progress) => {
          const count = await redeliverFailed(scope, id, since, (so) => progress(text.againProgress(so)))
          notify(text.againAllDone(count))
          await refreshed()
        }}
      />
      <SinceDialog
        opened={asking === 'replay'}
        close={close}
        title={text.replayTitle}
        hint={text.replayHint}
        action={text.replayRun}
        run={async (since) => {
          await replay(scope, id, since)
          notify(text.replayDone)
          await refreshed()
        }}
      />
    </>
  )
}

export function Confirmations({ trigger, asking, close, switchTo }: DialogsProps & { switchTo: TriggerSwitch['run'] }) {
  const scope = useScope()
  const client = useQueryClient()
  const router = useRouter()
  const { id } = trigger
  const title = titleOf('automation-triggers', trigger)
  return (
    <>
      <Confirm
        opened={asking === 'off'}
        close={close}
        title={text.switchOffTitle(shortName(title))}
        action={text.switchOff}
        isDangerous={false}
        run={() => switchTo(false)}
      >
        {text.switchOffHint}
      </Confirm>
      <Confirm
        opened={asking === 'delete'}
        close={close}
        title={text.deleteTitle(shortName(title))}
        action={text.delete}
        run={async () => {
          await removeTrigger(scope, id)
          notify(text.deleted(title))
          await router.navigate({ to: `/c/${scope.companyId}/automation`, ignoreBlocker: true })
          await refresh(client, scope.companyId, 'automation-triggers')
        }}
      >
        {text.deleteHint}
      </Confirm>
    </>
  )
}
