// One trigger: what was delivered to it, its settings, and how a receiver tells that a call is genuine. The address `new` makes one.
import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageTabs, useTab } from '../../parts/PageTabs.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { titleOf } from '../../parts/record-title.ts'
import { text } from '../../texts/automation.ts'
import { Deliveries } from './Deliveries.tsx'
import { NewTrigger } from './NewTrigger.tsx'
import { TriggerSettings } from './TriggerSettings.tsx'
import { TriggerTools } from './TriggerTools.tsx'
import { triggerQuery } from './triggers.ts'
import { useSwitch } from './use-switch.ts'
import { Verify } from './Verify.tsx'

export function TriggerPage() {
  const id = useParam('triggerId')
  return id === 'new' ? <NewTrigger /> : <OneTrigger key={id} id={id} />
}

function OneTrigger({ id }: { id: string }) {
  const whose = useWhose()
  const tab = useTab(['deliveries', 'settings', 'verify'])
  const [isDirty, setDirty] = useState(false)
  // It may be switched off by the service at any time.
  const { data: versioned, error, refetch } = useQuery({ ...triggerQuery(whose, id), refetchInterval: 15_000 })
  if (versioned === undefined) return <PageWaiting error={error} retry={refetch} />
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
      <PageTabs
        open={tab}
        tabs={[
          { name: 'deliveries', label: text.tabs.deliveries, panel: <Deliveries trigger={record} />, isFilling: true },
          {
            name: 'settings',
            label: text.tabs.settings,
            panel: <TriggerSettings versioned={versioned} onDirty={setDirty} />,
            isKept: true,
          },
          { name: 'verify', label: text.tabs.verify, panel: <Verify hasSecret={record.apiKey !== undefined} /> },
        ]}
      />
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
