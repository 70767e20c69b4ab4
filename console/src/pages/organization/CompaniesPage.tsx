// The companies of an organization: found by name, status and plan; new ones are onboarded here.
import { Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuildingStore, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { organizationListQuery, plansQuery, useOrganizationId } from '../../api/organization.ts'
import { asProblem } from '../../api/problem.ts'
import type { Company, Plan } from '../../api/schemas.ts'
import { Count } from '../../parts/Count.tsx'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { date } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useRows } from '../../parts/rows.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/organization.ts'
import { ListSearch } from '../records/ListSearch.tsx'
import { sortOf, useListState } from '../records/list-state.ts'
import { NothingFits } from '../records/NothingFits.tsx'
import { Onboarding } from './Onboarding.tsx'
import { nameOf } from './regions.ts'

const sortable = ['name', 'createdAt']

export function CompaniesPage() {
  const organizationId = useOrganizationId()
  const [state, change] = useListState()
  const [isOnboarding, onboarding] = useDisclosure(false)
  const { data: plans } = useQuery(plansQuery(organizationId))
  const sort = sortOf(state, sortable)
  const { status, planId } = state.f ?? {}
  const list = useInfiniteQuery(
    organizationListQuery(organizationId, 'companies', {
      searchByName: state.q,
      status,
      planId,
      sortBy: sort.by,
      sortOrder: sort.isDescending ? 'desc' : 'asc',
    }),
  )
  const { rows, count, isOutdated } = useRows(list)
  const isFiltered = state.q !== undefined || state.f !== undefined
  const columns = useColumns(plans)
  if (list.isError && asProblem(list.error).status === 404) return <NotFound />
  return (
    <PageBody size="full">
      <PageHeader title={text.companies} aside={<Count of={count} isOutdated={isOutdated} />}>
        <Button leftSection={<IconPlus size={16} />} onClick={onboarding.open}>
          {text.onboard}
        </Button>
      </PageHeader>
      <CompanyFilters plans={plans} />
      <DataTable
        label={text.companies}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={({ by, isDescending }) => change({ sort: `${isDescending ? '-' : ''}${by}` })}
        linkOf={({ id }) => `/o/${organizationId}/companies/${id}`}
        list={list}
        empty={
          isFiltered ? (
            <NothingFits />
          ) : (
            <Empty icon={IconBuildingStore} title={text.noCompanies} hint={text.noCompaniesHint}>
              <Button onClick={onboarding.open}>{text.onboard}</Button>
            </Empty>
          )
        }
      />
      <Onboarding opened={isOnboarding} close={onboarding.close} />
    </PageBody>
  )
}

function useColumns(plans: readonly Plan[] | undefined): readonly Column<Company>[] {
  return useMemo((): Column<Company>[] => {
    const planOf = new Map(plans?.map(({ id, name }) => [id, name]))
    return [
      { key: 'name', title: labelOf('name'), width: 260, sortKey: 'name', render: ({ name }) => <bdi>{name}</bdi> },
      { key: 'status', title: text.status, width: 120, render: ({ status }) => <StatusBadge value={status} /> },
      {
        key: 'plan',
        title: text.plan,
        width: 170,
        render: ({ planId }) => <bdi>{planId === undefined ? '' : (planOf.get(planId) ?? '')}</bdi>,
      },
      { key: 'country', title: text.fields.country, width: 150, render: ({ country }) => nameOf('region', country) },
      { key: 'currency', title: text.fields.currency, width: 110, render: ({ currency }) => currency },
      {
        key: 'createdAt',
        title: labelOf('createdAt'),
        width: 140,
        sortKey: 'createdAt',
        render: ({ createdAt }) => <time dateTime={createdAt}>{date(createdAt)}</time>,
      },
    ]
  }, [plans])
}

function CompanyFilters({ plans = [] }: { plans: readonly Plan[] | undefined }) {
  const [state, change] = useListState()
  const { status, planId } = state.f ?? {}
  const filter = (name: string, value: string | null) =>
    change({ f: Object.fromEntries(Object.entries({ ...state.f, [name]: value ?? '' }).filter(([, kept]) => kept)) })
  return (
    <Group gap="xs" mb="sm">
      <ListSearch label={text.findCompany} />
      <Select
        aria-label={text.status}
        placeholder={text.anyStatus}
        w={150}
        clearable
        data={[
          { value: 'active', label: text.active },
          { value: 'suspended', label: text.suspended },
        ]}
        value={status ?? null}
        onChange={(value) => filter('status', value)}
      />
      <Select
        aria-label={text.plan}
        placeholder={text.anyPlan}
        w={180}
        clearable
        searchable
        data={plans.map(({ id, name }) => ({ value: id, label: name }))}
        value={planId ?? null}
        onChange={(value) => filter('planId', value)}
      />
    </Group>
  )
}
