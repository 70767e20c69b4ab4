// The extensions that an organization offers, and the organization's public profile.
import { Button, Group, Select } from '@mantine/core'
import { IconPlus, IconPuzzle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { organizationListQuery, useOrganizationId } from '../../api/organization.ts'
import { asProblem } from '../../api/problem.ts'
import type { Extension } from '../../api/schemas.ts'
import { Count } from '../../parts/Count.tsx'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { ago, number } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useRows } from '../../parts/rows.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/extensions.ts'
import { ListSearch } from '../records/ListSearch.tsx'
import { useListState } from '../records/list-state.ts'
import { NothingFits } from '../records/NothingFits.tsx'
import { priceOf } from './listing.ts'
import { Offerer } from './Offerer.tsx'

const columns: readonly Column<Extension>[] = [
  { key: 'name', title: text.columns.name, width: 260, render: ({ name }) => <bdi>{name}</bdi> },
  { key: 'status', title: text.columns.status, width: 120, render: ({ status }) => <StatusBadge value={status} /> },
  { key: 'category', title: text.columns.category, width: 160, render: ({ category }) => <bdi>{category}</bdi> },
  { key: 'price', title: text.columns.price, width: 110, align: 'right', render: ({ price }) => priceOf(price) },
  {
    key: 'surfaces',
    title: text.columns.surfaces,
    width: 100,
    align: 'right',
    isTitled: true,
    render: ({ surfaces }) => number(surfaces?.length ?? 0),
  },
  {
    key: 'updatedAt',
    title: text.columns.updatedAt,
    width: 150,
    render: ({ updatedAt }) => <time dateTime={updatedAt}>{ago(updatedAt)}</time>,
  },
]

export function ExtensionsPage() {
  const organizationId = useOrganizationId()
  const [state, change] = useListState()
  const status = state.f?.status
  const list = useInfiniteQuery(organizationListQuery(organizationId, 'extensions', { search: state.q, status }))
  const { rows, count, isOutdated } = useRows(list)
  const at = (id: string) => `/o/${organizationId}/extensions/${id}`
  const isFiltered = state.q !== undefined || state.f !== undefined
  const create = (
    <Button component={Link} to={at('new')} leftSection={<IconPlus size={16} />}>
      {text.new}
    </Button>
  )

  if (list.isError && asProblem(list.error).status === 404) return <NotFound />
  return (
    <PageBody size="full">
      <PageHeader title={text.title} description={text.hint} aside={<Count of={count} isOutdated={isOutdated} />}>
        {create}
      </PageHeader>
      {!list.isLoadingError && <Offerer />}
      <Group gap="xs" mb="sm">
        <ListSearch label={text.search} />
        <Select
          aria-label={text.status}
          placeholder={text.anyStatus}
          w={150}
          clearable
          data={Object.entries(text.statuses).map(([value, label]) => ({ value, label }))}
          value={status ?? null}
          onChange={(value) => change({ f: value === null ? {} : { status: value } })}
        />
      </Group>
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        linkOf={({ id }) => at(id)}
        list={list}
        empty={
          isFiltered ? (
            <NothingFits />
          ) : (
            <Empty icon={IconPuzzle} title={text.none} hint={text.noneHint}>
              {create}
            </Empty>
          )
        }
      />
    </PageBody>
  )
}
