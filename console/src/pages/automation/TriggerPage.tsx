// One trigger: what was delivered to it, its settings, and how a receiver tells that a call is genuine. The address `new` makes one.
import { Alert, Badge, Button, Group, Tabs, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import type { RecordData } from '../../api/records.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { titleOf } from '../../parts/record-title.ts'
import { PageSkeleton } from '../../parts/Skeletons.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/automation.ts'
import { Deliveries } from './Deliveries.tsx'
import { NewTrigger } from './NewTrigger.tsx'
import classes from './TriggerPage.module.css'
import { TriggerSettings } from './TriggerSettings.tsx'
import { TriggerTools } from './TriggerTools.tsx'
import { triggerQuery } from './triggers.ts'
import { useSwitch } from './use-switch.ts'
import { Verify } from './Verify.tsx'

export function TriggerPage() {
  const id = useParam('triggerId')
  return id === 'new' ? <NewTrigger /> : <OneTrigger key={id} id={id} />
}

const tabs = ['deliveries', 'settings', 'verify'] as const

function OneTrigger({ id }: { id: string }) {
  const whose = useWhose()
  const navigate = useNavigate()
  const { tab: asked } = useSearch({ strict: false }) as { tab?: string }
  const tab = tabs.find((one) => one === asked) ?? 'deliveries'
  const [isDirty, setDirty] = useState(false)
  // It may be switched off by the service at any time.
  const { data: versioned, error, refetch } = useQuery({ ...triggerQuery(whose, id), refetchInterval: 15_000 })
  if (versioned === undefined && error) {
    if (asProblem(error).status === 404) return <NotFound />
    return (
      <PageBody size="narrow">
        <Failure error={error} retry={() => void refetch()} />
      </PageBody>
    )
  }
  if (versioned === undefined) return <PageSkeleton />
  const { record } = versioned
  const isOn = record.isActive !== false

  return (
    <PageBody size={tab === 'deliveries' ? 'full' : 'wide'}>
      <PageHeader
        title={titleOf('automation-triggers', record)}
        above={{ label: text.title, to: `/c/${whose.companyId}/automation` }}
        aside={<Badge color={isOn ? 'teal' : 'gray'}>{isOn ? text.on : text.off}</Badge>}
        description={<Target record={record} />}
      >
        <TriggerTools trigger={record} isDirty={isDirty} />
      </PageHeader>
      {!isOn && <OffAlert record={record} isDirty={isDirty} />}
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: { tab: next } as never, replace: true })}
        keepMounted={false}
        classNames={{ root: tab === 'deliveries' ? classes.filling : undefined, panel: classes.panel }}
      >
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {text.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <Deliveries trigger={record} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" keepMounted>
          <TriggerSettings versioned={versioned} onDirty={setDirty} />
        </Tabs.Panel>
        <Tabs.Panel value="verify">
          <Verify hasSecret={record.apiKey !== undefined} />
        </Tabs.Panel>
      </Tabs>
    </PageBody>
  )
}

function Target({ record: { triggerType, triggerUrl } }: { record: RecordData }) {
  return (
    <Text span inherit className="name">
      <Text span inherit ff="monospace" fz="xs">
        {triggerType}
      </Text>{' '}
      → {triggerUrl}
    </Text>
  )
}

/** Since when and why nothing is sent. */
function OffAlert({ record, isDirty }: { record: RecordData; isDirty: boolean }) {
  const format = useFormat()
  const canWrite = useCanWrite()
  const { run, isBusy } = useSwitch(record, isDirty)
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconPlayerPause size={18} />}
      title={text.offSince(format.dateTime(record.inactiveSince))}
    >
      <Text size="sm" className="name">
        {record.inactiveReason} {text.offHint}
      </Text>
      {canWrite && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => void run(true)} loading={isBusy}>
            {text.switchOn}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
