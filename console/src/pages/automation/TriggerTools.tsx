// Actions on a whole trigger: send a test, resend failed deliveries, replay events, switch off, delete.

import { Button, Menu } from '@mantine/core'
import {
  IconDots,
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { complain, notify } from '../../parts/notices.ts'
import { titleOf } from '../../parts/record-title.ts'
import { text } from '../../texts/automation.ts'
import { SinceDialog } from './SinceDialog.tsx'
import { deliveriesOf, redeliverFailed, removeTrigger, replay, sendTest } from './triggers.ts'
import { useSwitch } from './use-switch.ts'

type Asking = 'again' | 'replay' | 'off' | 'delete'

interface TriggerToolsProps {
  readonly trigger: AutomationTrigger
  /** Its settings have unsaved changes. */
  readonly isDirty: boolean
}

export function TriggerTools({ trigger, isDirty }: TriggerToolsProps) {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const client = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<Asking>()
  const [isTesting, setTesting] = useState(false)
  const { run: switchTo, mayRun } = useSwitch(trigger, isDirty)
  const { id } = trigger
  const title = titleOf('automation-triggers', trigger)
  const isOn = trigger.isActive !== false
  const close = () => setAsking(undefined)
  const refreshed = () => refresh(client, whose.companyId, deliveriesOf(id))
  if (!canWrite) return null

  async function test() {
    setTesting(true)
    try {
      const { id: delivery } = await sendTest(whose, id)
      notify(text.testSent)
      await refreshed()
      await navigate({ to: '.', search: { tab: 'deliveries', delivery } as never })
    } catch (error) {
      complain(error)
    } finally {
      setTesting(false)
    }
  }

  return (
    <>
      {isOn && (
        <Button variant="default" leftSection={<IconSend size={16} />} onClick={test} loading={isTesting}>
          {text.test}
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <Button variant="default" px={9} aria-label={text.more}>
            <IconDots size={17} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isOn && (
            <>
              <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => setAsking('again')}>
                {text.againAll}
              </Menu.Item>
              <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => setAsking('replay')}>
                {text.replay}
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          {isOn ? (
            <Menu.Item leftSection={<IconPlayerPause size={15} />} onClick={() => mayRun() && setAsking('off')}>
              {text.switchOff}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={15} />} onClick={() => void switchTo(true)}>
              {text.switchOn}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setAsking('delete')}>
            {text.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SinceDialog
        opened={asking === 'again'}
        close={close}
        title={text.againAllTitle}
        hint={text.againAllHint}
        action={text.againAllRun}
        run={async (since, progress) => {
          const count = await redeliverFailed(whose, id, since, (so) => progress(text.againProgress(so)))
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
          await replay(whose, id, since)
          notify(text.replayDone)
          await refreshed()
        }}
      />
      <Confirm
        opened={asking === 'off'}
        close={close}
        title={text.switchOffTitle(title)}
        action={text.switchOff}
        isDangerous={false}
        run={() => switchTo(false)}
      >
        {text.switchOffHint}
      </Confirm>
      <Confirm
        opened={asking === 'delete'}
        close={close}
        title={text.deleteTitle(title)}
        action={text.delete}
        run={async () => {
          await removeTrigger(whose, id)
          notify(text.deleted(title))
          await router.navigate({ to: `/c/${whose.companyId}/automation`, ignoreBlocker: true })
          await refresh(client, whose.companyId, 'automation-triggers')
        }}
      >
        {text.deleteHint}
      </Confirm>
    </>
  )
}
