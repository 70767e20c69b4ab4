// One trigger: its deliveries, its settings, and how to verify its calls. The address `new` creates one.

import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useParam, useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { someQuery } from '../../api/records.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { sentence } from '../../parts/messages.ts'
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
import { deliveriesOf, type Failing, failingOf, lookMs, recentDeliveries, triggerQuery } from './triggers.ts'
import { useSwitch } from './use-switch.ts'
import { Verify } from './Verify.tsx'

export function TriggerPage() {
  const id = useParam('triggerId')
  return id === 'new' ? <NewTrigger /> : <OneTrigger key={id} id={id} />
}

function OneTrigger({ id }: { id: string }) {
  const scope = useScope()
  const tab = useTab(['deliveries', 'settings', 'verify'])
  const [isDirty, setDirty] = useState(false)
  // The service may switch it off at any time.
  const { data: versioned, error, refetch } = useQuery({ ...triggerQuery(scope, id), refetchInterval: lookMs })
  const { data: recent } = useQuery({
    ...someQuery(scope, deliveriesOf(id), recentDeliveries),
    refetchInterval: lookMs,
  })
  // Someone may have deleted it: its deliveries are gone too. What was typed stays.
  const isGone = error !== null && asProblem(error).status === 404 && !isDirty
  if (versioned === undefined || isGone) return <PageWaiting error={error} retry={refetch} />
  const { record } = versioned
  const isOn = record.isActive !== false
  const failing = isOn ? failingOf(recent?.data ?? []) : undefined

  return (
    <PageBody size={tab === 'deliveries' ? 'full' : 'wide'}>
      <PageHeader
        title={titleOf('automation-triggers', record)}
        above={{ label: text.title, to: `/c/${scope.companyId}/automation` }}
        aside={<StateBadge isOn={isOn} isFailing={failing !== undefined} />}
        description={<Target record={record} />}
      >
        <TriggerTools trigger={record} isDirty={isDirty} />
      </PageHeader>
      {!isOn && <OffAlert record={record} isDirty={isDirty} />}
      {failing && <FailingAlert {...failing} />}
      {record.typeHint !== undefined && (
        <Alert color="yellow" mb="md" icon={<IconAlertTriangle size={18} />} role="status">
          {sentence(text.said(record.typeHint))}
        </Alert>
      )}
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

function Target({ record: { triggerType, triggerUrl } }: { record: AutomationTrigger }) {
  return (
    <Text span inherit className="name">
      <Text span inherit ff="monospace" fz="xs">
        {triggerType}
      </Text>{' '}
      → {triggerUrl}
    </Text>
  )
}

function StateBadge({ isOn, isFailing }: { isOn: boolean; isFailing: boolean }) {
  if (!isOn) return <Badge color="gray">{text.off}</Badge>
  return <Badge color={isFailing ? 'red' : 'teal'}>{isFailing ? text.failing : text.on}</Badge>
}

/** Since when all calls have failed, and the result of the last one. */
function FailingAlert({ count, since, last }: Failing) {
  const format = useFormat()
  return (
    <Alert color="red" mb="md" icon={<IconAlertTriangle size={18} />} title={text.failingSince(format.dateTime(since))}>
      <Text size="sm" className="name">
        {text.failingHint(text.failedCalls(count))}{' '}
        {sentence(last.error ? text.said(last.error) : text.lastAnswer(String(last.status)))}
      </Text>
    </Alert>
  )
}

/** Since when and why nothing is sent. */
function OffAlert({ record, isDirty }: { record: AutomationTrigger; isDirty: boolean }) {
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
        {text.said(record.inactiveReason ?? '')} {text.offHint}
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
