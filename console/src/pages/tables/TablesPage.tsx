// The custom tables of a company, with those that extend customers, and the form for a new one.

import { Badge, Button } from '@mantine/core'
import { IconPlus, IconSearch, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { CustomTable } from '../../api/schemas.ts'
import { locale } from '../../language.ts'
import { Count } from '../../parts/Count.tsx'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { SearchInput } from '../../parts/SearchInput.tsx'
import { text } from '../../texts/tables.ts'
import { NewTable } from './NewTable.tsx'
import { fieldsQuery, isLink, tablesQuery } from './tables.ts'

export function TablesPage() {
  const scope = useScope()
  const canWrite = useCanWrite()
  const [typed, setTyped] = useState('')
  const [isMaking, setMaking] = useState(false)
  const { data: tables, error, isPending, refetch } = useQuery(tablesQuery(scope))
  const wanted = typed.trim().toLowerCase()
  const rows = (tables ?? []).filter(({ name, description = '' }) =>
    `${name}\n${description}`.toLowerCase().includes(wanted),
  )
  const isEmpty = tables?.length === 0
  const columns = useColumns()
  const create = canWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {text.new}
    </Button>
  )

  return (
    <PageBody size="full">
      <PageHeader
        title={text.title}
        description={text.description}
        guide="custom-tables"
        aside={<Count of={tables?.length} />}
      >
        {!isEmpty && create}
      </PageHeader>
      {!isEmpty && <SearchInput label={text.search} value={typed} onChange={setTyped} mb="sm" />}
      {error && tables === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <DataTable
          label={text.title}
          columns={columns}
          rows={rows}
          keyOf={({ _id }) => _id.$oid}
          linkOf={({ _id }) => `/c/${scope.companyId}/tables/${_id.$oid}`}
          isLoading={isPending}
          fits
          empty={
            isEmpty ? (
              <Empty icon={IconTable} title={text.empty} hint={text.emptyHint}>
                {create}
              </Empty>
            ) : (
              <Empty icon={IconSearch} title={text.nothing} hint={text.nothingHint} />
            )
          }
        />
      )}
      <NewTable opened={isMaking} close={() => setMaking(false)} />
    </PageBody>
  )
}

function useColumns(): readonly Column<CustomTable>[] {
  const format = useFormat()
  return useMemo(
    (): readonly Column<CustomTable>[] => [
      { key: 'name', title: text.columns.name, width: 220, render: ({ name }) => <bdi>{name}</bdi> },
      {
        key: 'description',
        title: text.columns.description,
        width: 320,
        render: ({ description }) =>
          description && (
            <span className="muted">
              <bdi>{description}</bdi>
            </span>
          ),
      },
      {
        key: 'fields',
        title: text.columns.fields,
        width: 90,
        align: 'right',
        isTitled: true,
        render: ({ _id }) => <FieldCount id={_id.$oid} />,
      },
      { key: 'kind', title: text.columns.kind, width: 140, render: ({ _id }) => <Extends id={_id.$oid} /> },
      {
        key: 'created',
        title: text.columns.created,
        width: 190,
        render: ({ createdAt }) => <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>,
      },
    ],
    [format],
  )
}

const useFields = (id: string) => useQuery({ ...fieldsQuery(useScope(), id), staleTime: 60_000 }).data

function FieldCount({ id }: { id: string }) {
  const fields = useFields(id)
  return fields === undefined ? null : fields.length.toLocaleString(locale)
}

function Extends({ id }: { id: string }) {
  return useFields(id)?.some(isLink) ? <Badge>{text.customers}</Badge> : null
}
