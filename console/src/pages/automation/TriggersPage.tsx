// The triggers of a company: the events and the URL of each, and its last delivery.

import { Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconBolt, IconPlus, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useScope } from '../../api/company.ts'
import { listQuery, someQuery } from '../../api/records.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { Count } from '../../parts/Count.tsx'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useRows } from '../../parts/rows.ts'
import { text } from '../../texts/automation.ts'
import { ListSearch } from '../records/ListSearch.tsx'
import { useListState } from '../records/list-state.ts'
import { DeliveryBadge } from './DeliveryBadge.tsx'
import { deliveriesOf, failingOf, recentDeliveries } from './triggers.ts'

export function TriggersPage() {
  const scope = useScope()
  const canWrite = useCanWrite()
  const [{ q = '' }] = useListState()
  // All triggers fit on one page, so name, events and URL are searched here.
  const list = useInfiniteQuery(listQuery(scope, 'automation-triggers', { sortOrder: 'desc' }, 1000))
  const { rows: all, count } = useRows(list)
  const wanted = q.toLowerCase()
  const rows = all.filter(({ customTriggerName, triggerType, triggerUrl }) =>
    `${customTriggerName ?? ''}\n${triggerType}\n${triggerUrl}`.toLowerCase().includes(wanted),
  )
  const isEmpty = list.isSuccess && all.length === 0
  const create = canWrite && (
    <Button component={Link} to={`/c/${scope.companyId}/automation/new`} leftSection={<IconPlus size={16} />}>
      {text.newTrigger}
    </Button>
  )

  return (
    <PageBody size="full">
      <PageHeader title={text.title} guide="webhooks" description={text.description} aside={<Count of={count} />}>
        {!isEmpty && create}
      </PageHeader>
      {!isEmpty && <ListSearch label={text.search} mb="sm" />}
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/c/${scope.companyId}/automation/${id}`}
        fits
        list={list}
        empty={
          isEmpty ? (
            <Empty icon={IconBolt} title={text.empty} hint={text.emptyHint}>
              {create}
            </Empty>
          ) : (
            <Empty icon={IconSearch} title={text.nothing} hint={text.nothingHint} />
          )
        }
      />
    </PageBody>
  )
}

const columns: readonly Column<AutomationTrigger>[] = [
  {
    key: 'name',
    title: text.columns.name,
    width: 190,
    render: ({ customTriggerName, triggerType }) => <bdi>{customTriggerName || triggerType}</bdi>,
  },
  {
    key: 'events',
    title: text.columns.events,
    width: 150,
    render: ({ triggerType }) => (
      <Text span inherit ff="monospace" fz="xs">
        {triggerType}
      </Text>
    ),
  },
  {
    key: 'url',
    title: text.columns.url,
    width: 190,
    render: ({ triggerUrl }) => (
      <span className="muted" title={triggerUrl}>
        {triggerUrl}
      </span>
    ),
  },
  {
    key: 'state',
    title: text.columns.state,
    width: 150,
    isBesideName: () => true,
    render: (trigger) => <TriggerState trigger={trigger} />,
  },
  { key: 'last', title: text.columns.last, width: 250, render: ({ id }) => <LastDelivery id={id} /> },
]

/** On, failing or off, and why it is off. */
function TriggerState({ trigger: { id, isActive, inactiveReason } }: { trigger: AutomationTrigger }) {
  const { data } = useQuery(someQuery(useScope(), deliveriesOf(id), recentDeliveries))
  if (isActive !== false) {
    const isFailing = failingOf(data?.data ?? []) !== undefined
    return <Badge color={isFailing ? 'red' : 'teal'}>{isFailing ? text.failing : text.on}</Badge>
  }
  return (
    <Tooltip label={text.said(inactiveReason ?? '')} multiline maw={320}>
      <Group gap={6} wrap="nowrap">
        <Badge color="gray" style={{ flex: 'none' }}>
          {text.off}
        </Badge>
        <span className="muted cut">{text.said(inactiveReason ?? '')}</span>
      </Group>
    </Tooltip>
  )
}

function LastDelivery({ id }: { id: string }) {
  const format = useFormat()
  const { data } = useQuery(someQuery(useScope(), deliveriesOf(id), recentDeliveries))
  if (data === undefined) return null
  const [last] = data.data
  if (last === undefined) return <span className="muted">{text.noDelivery}</span>
  return (
    <Group gap={8} wrap="nowrap">
      <DeliveryBadge state={last.state} />
      <span className="muted cut">{format.ago(last.attempts.at(-1)?.at ?? last.createdAt)}</span>
    </Group>
  )
}
