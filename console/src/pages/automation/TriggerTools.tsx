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
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { notify } from '../../parts/notices.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/automation.ts'
import { type Asking, Confirmations, SinceDialogs, type TriggerSwitch, useRefreshed } from './TriggerDialogs.tsx'
import { sendTest } from './triggers.ts'
import { useSwitch } from './use-switch.ts'

interface TriggerToolsProps {
  readonly trigger: AutomationTrigger
  /** Its settings have unsaved changes. */
  readonly isDirty: boolean
}

export function TriggerTools({ trigger, isDirty }: TriggerToolsProps) {
  const canWrite = useCanWrite()
  const [asking, setAsking] = useState<Asking>()
  const { run: switchTo, mayRun } = useSwitch(trigger, isDirty)
  const isOn = trigger.isActive !== false
  const close = () => setAsking(undefined)
  if (!canWrite) return null

  return (
    <>
      {isOn && <TestButton trigger={trigger} />}
      <TriggerMenu {...{ isOn, ask: setAsking, switchTo, mayRun }} />
      <SinceDialogs {...{ trigger, asking, close }} />
      <Confirmations {...{ trigger, asking, close, switchTo }} />
    </>
  )
}

interface TriggerMenuProps extends Pick<TriggerSwitch, 'mayRun'> {
  readonly isOn: boolean
  readonly ask: (asking: Asking) => void
  readonly switchTo: TriggerSwitch['run']
}

function TestButton({ trigger }: { trigger: AutomationTrigger }) {
  const scope = useScope()
  const navigate = useNavigate()
  const refreshed = useRefreshed(trigger)
  const { isBusy, run } = useAction()

  const test = () =>
    run(async () => {
      const { id: delivery } = await sendTest(scope, trigger.id)
      notify(text.testSent)
      await refreshed()
      await navigate({ to: '.', search: { tab: 'deliveries', delivery } as never })
    })

  return (
    <Button variant="default" leftSection={<IconSend size={16} />} onClick={test} loading={isBusy}>
      {text.test}
    </Button>
  )
}

function TriggerMenu({ isOn, ask, switchTo, mayRun }: TriggerMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" px={9} aria-label={text.more}>
          <IconDots size={17} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isOn && (
          <>
            <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => ask('again')}>
              {text.againAll}
            </Menu.Item>
            <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => ask('replay')}>
              {text.replay}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        {isOn ? (
          <Menu.Item leftSection={<IconPlayerPause size={15} />} onClick={() => mayRun() && ask('off')}>
            {text.switchOff}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPlayerPlay size={15} />} onClick={() => void switchTo(true)}>
            {text.switchOn}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => ask('delete')}>
          {text.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
