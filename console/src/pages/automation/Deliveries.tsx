// The delivery log of a trigger, newest first, filtered by state; each delivery opens to its attempts.

import { Drawer, Group, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconMailForward, IconMailOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useScope } from '../../api/company.ts'
import { listQuery } from '../../api/records.ts'
import type { AutomationTrigger, WebhookDelivery } from '../../api/schemas.ts'
import { locale } from '../../language.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { useFormat } from '../../parts/format.ts'
import { useRows } from '../../parts/rows.ts'
import { text } from '../../texts/automation.ts'
import { Ago } from './Ago.tsx'
import { DeliveryBadge } from './DeliveryBadge.tsx'
import { DeliveryDetail } from './DeliveryDetail.tsx'
import { type DeliveryState, deliveriesOf, lookMs } from './triggers.ts'

const states = ['all', 'succeeded', 'pending', 'failed'] as const

export function Deliveries({ trigger }: { trigger: AutomationTrigger }) {
  const scope = useScope()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { state?: string; delivery?: string }
  const state = states.find((one) => one === search.state) ?? 'all'
  const isSmall = useMediaQuery('(max-width: 48em)')
  const query = state === 'all' ? {} : { state }
  const list = useInfiniteQuery({
    ...listQuery(scope, deliveriesOf(trigger.id), query),
    // A list scrolled further than two pages is not read again.
    refetchInterval: ({ state: { data } }) => (data?.pages.length ?? 0) <= 2 && lookMs,
  })
  const { rows, count } = useRows(list)
  const columns = useColumns()
  const to = (delivery: string | undefined) => ({
    tab: 'deliveries',
    ...(state !== 'all' && { state }),
    ...(delivery !== undefined && { delivery }),
  })

  return (
    <>
      <Group mb="sm" justify="space-between" gap="xs">
        <SegmentedControl
          size={isSmall ? 'xs' : 'sm'}
          aria-label={text.columns.state}
          value={state}
          onChange={(next) =>
            void navigate({ to: '.', search: { tab: 'deliveries', state: next } as never, replace: true })
          }
          data={states.map((one) => ({ value: one, label: text.states[one] }))}
        />
        {count !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {count.toLocaleString(locale)}
          </Text>
        )}
      </Group>
      <DataTable
        label={text.tabs.deliveries}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        linkOf={({ id }) =>
          `/c/${scope.companyId}/automation/${trigger.id}?${new URLSearchParams(to(id) as Record<string, string>)}`
        }
        list={list}
        empty={
          state === 'all' ? (
            <Empty icon={IconMailForward} title={text.deliveriesEmpty} hint={text.deliveriesEmptyHint} />
          ) : (
            <Empty icon={IconMailOff} title={text.deliveriesNone} hint={text.deliveriesNoneHint} />
          )
        }
      />
      <Drawer
        opened={search.delivery !== undefined}
        onClose={() => void navigate({ to: '.', search: to(undefined) as never, replace: true })}
        size={isSmall ? '100%' : 620}
        title={text.delivery.title}
      >
        {search.delivery !== undefined && <DeliveryDetail trigger={trigger} id={search.delivery} />}
      </Drawer>
    </>
  )
}

function useColumns(): readonly Column<WebhookDelivery>[] {
  const format = useFormat()
  return useMemo(
    () => [
      {
        key: 'event',
        title: text.columns.event,
        width: 220,
        render: ({ eventType }) => (
          <Text span inherit ff="monospace" fz="xs">
            {eventType}
          </Text>
        ),
      },
      {
        key: 'state',
        title: text.columns.state,
        width: 132,
        render: ({ state }) => <DeliveryBadge state={state as DeliveryState} />,
      },
      {
        key: 'attempts',
        title: text.columns.attempts,
        width: 92,
        align: 'right',
        isTitled: true,
        render: ({ attempts }) => attempts.length,
      },
      {
        key: 'answer',
        title: text.columns.answer,
        width: 250,
        render: ({ attempts }) => <LastAnswer attempt={attempts.at(-1)} />,
      },
      {
        key: 'created',
        title: text.columns.created,
        width: 140,
        render: ({ createdAt }) => <Ago at={createdAt} title={format.dateTime(createdAt)} />,
      },
      {
        key: 'next',
        title: text.columns.next,
        width: 140,
        isTitled: true,
        render: ({ nextAttemptAt }) =>
          nextAttemptAt && <Ago at={nextAttemptAt} title={format.dateTime(nextAttemptAt)} isNext />,
      },
    ],
    [format],
  )
}

function LastAnswer({ attempt }: { attempt: WebhookDelivery['attempts'][number] | undefined }) {
  if (attempt === undefined) return null
  const { status } = attempt
  const error = attempt.error && text.said(attempt.error)
  return (
    <span className="muted" title={error}>
      {status}
      {status !== undefined && error ? ' · ' : ''}
      {error}
    </span>
  )
}
