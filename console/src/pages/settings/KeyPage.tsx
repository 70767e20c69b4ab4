// One API key of a company: what it may do, and its last requests, each to be copied as a shell command.
import { Group, SegmentedControl, Text } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useParam } from '../../api/company.ts'
import { get } from '../../api/request.ts'
import type { Key, KeyRequest, KeyRequests } from '../../api/schemas.ts'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { useRows } from '../../parts/rows.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/key-requests.ts'
import { text as keys } from '../../texts/keys.ts'
import { keysQuery, shownKey } from './key.ts'
import { permissionsOf } from './key-columns.tsx'
import { requestColumns } from './key-requests.tsx'
import { resourcesInWords } from './key-resources.ts'
import { type Tenant, useCompanyTenant } from './tenant.ts'

export function KeyPage() {
  const place = useCompanyTenant()
  const id = useParam('keyId')
  const list = useInfiniteQuery({ ...keysQuery(place), enabled: place.role !== 'viewer' })
  const { rows } = useRows(list)
  const key = rows.find((one) => one.id === id)
  const { hasNextPage, isFetching, fetchNextPage } = list
  // The list has a hundred keys a page, and few companies have more.
  useEffect(() => {
    if (key === undefined && hasNextPage && !isFetching) void fetchNextPage()
  }, [key, hasNextPage, isFetching, fetchNextPage])
  if (place.role === 'viewer') return <NotFound />
  if (key !== undefined) return <OneKey key={id} place={place} of={key} />
  if (list.error) return <PageWaiting error={list.error} retry={() => void list.refetch()} />
  return isFetching || hasNextPage ? <PageWaiting error={null} retry={() => {}} /> : <NotFound />
}

const statuses = ['all', '2xx', '3xx', '4xx', '5xx'] as const

const requestsQuery = ({ id, scope, root }: Tenant, keyId: string, status: (typeof statuses)[number]) => ({
  queryKey: [id, 'access', 'keys', keyId, 'requests', status],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get<KeyRequests>(scope, `${root}/keys/${keyId}/requests`, {
      query: { limit: 1_000, ...(status !== 'all' && { status }) },
      signal,
    }),
  refetchInterval: 5_000,
})

function OneKey({ place, of: key }: { place: Tenant; of: Key }) {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { status?: string }
  const status = statuses.find((one) => one === search.status) ?? 'all'
  const { data, error, refetch } = useQuery(requestsQuery(place, key.id, status))
  const rows = data?.data ?? []
  const columns = useMemo(() => requestColumns(place.timezone), [place.timezone])
  return (
    <PageBody>
      <PageHeader
        title={key.name}
        above={{ label: keys.title, to: `/c/${place.id}/settings/keys` }}
        description={
          <>
            <Text span inherit ff="monospace" fz="xs">
              {shownKey(key)}
            </Text>
            {` · ${permissionsOf(key)}`}
            {key.resources && (
              <Text span inherit display="block">
                {keys.limitedTo(resourcesInWords(key.resources))}
              </Text>
            )}
          </>
        }
      />
      <Group mb="sm" justify="space-between" gap="xs">
        <SegmentedControl
          aria-label={text.status}
          value={status}
          onChange={(next) => void navigate({ to: '.', search: { status: next } as never, replace: true })}
          data={statuses.map((one) => ({ value: one, label: one === 'all' ? text.all : one }))}
        />
        {data !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {text.count(rows.length)}
          </Text>
        )}
      </Group>
      {error && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <DataTable<KeyRequest>
          label={text.title}
          columns={columns}
          rows={rows}
          keyOf={({ requestId, at }) => `${at} ${requestId}`}
          isLoading={data === undefined}
          empty={
            <Empty
              icon={IconRoute}
              title={status === 'all' ? text.none : text.noneOf(status)}
              hint={status === 'all' ? text.noneHint : text.noneOfHint}
            />
          }
        />
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {text.hint}
      </Text>
    </PageBody>
  )
}
