// The list of any resource: search, filters, sort, chosen columns, exact count, CSV export.

import { Button, Group, Switch } from '@mantine/core'
import { IconPlus, IconTableOff, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useParam, useScope } from '../../api/company.ts'
import { listQuery, type RecordData } from '../../api/records.ts'
import { momentOf, type Resource, useResources } from '../../api/resources.ts'
import { inSentence } from '../../language.ts'
import { Count } from '../../parts/Count.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useTitleOf } from '../../parts/record-title.ts'
import { useRows } from '../../parts/rows.ts'
import { useTimeZone } from '../../parts/time-zone.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/records.ts'
import { purposes } from '../../texts/resources.ts'
import { text as shell } from '../../texts/shell.ts'
import { Columns } from './Columns.tsx'
import { useColumns } from './columns.ts'
import { isCreatable } from './creatable.ts'
import { ExportButton } from './ExportButton.tsx'
import classes from './Filters.module.css'
import { Filters } from './Filters.tsx'
import { useListColumns } from './list-columns.tsx'
import { queryOf, sortOf, useListState } from './list-state.ts'
import { MemberSearch } from './MemberSearch.tsx'
import { SelectionBar } from './many/SelectionBar.tsx'
import { useRowSelection } from './many/selection.ts'
import { NothingFits } from './NothingFits.tsx'
import { Views } from './Views.tsx'

export function ListPage() {
  const many = useParam('many')
  const resource = useResources().find((one) => one.many === many)
  if (resource === undefined) return <NotFound />
  return <RecordList key={many} resource={resource} />
}

const noRows: readonly RecordData[] = []

/** Resources that files of other shops have, and that an import reads with a preview. */
const importable: ReadonlySet<string> = new Set(['customers', 'products', 'orders'])

function RecordList({ resource }: { resource: Resource }) {
  const scope = useScope()
  const canWrite = useCanWrite()
  const [state, change] = useListState()
  const titleOf = useTitleOf()
  const { chosen, setChosen, widths, setWidths, setWidth, reset } = useColumns(resource)
  const query = queryOf(resource, state, useTimeZone())
  const list = useInfiniteQuery(listQuery(scope, resource.many, query))
  const { rows, count, isOutdated } = useRows(list)
  const isFiltered = state.q !== undefined || state.f !== undefined
  const columns = useListColumns(resource, chosen, widths, rows)
  // Rows and count of the previous search are not offered for selection: a change would apply to what the new search finds.
  const found = isOutdated ? { rows: noRows, count: undefined } : { rows, count }
  const selection = useRowSelection(found.rows, found.count, JSON.stringify(query))

  return (
    <PageBody size="full">
      <PageHeader
        title={resource.title}
        aside={<Count of={count} isOutdated={isOutdated} />}
        onPaper={state.q && <bdi>{text.soughtFor(state.q)}</bdi>}
      >
        <ExportButton resource={resource} columns={columns} query={query} count={count ?? 0} />
        {canWrite && importable.has(resource.many) && <ImportButton />}
        {canWrite && isCreatable(resource) && (
          <Button
            component={Link}
            to={`/c/${scope.companyId}/${resource.many}/new`}
            leftSection={<IconPlus size={16} />}
          >
            {text.new(resource.singular)}
          </Button>
        )}
      </PageHeader>
      <Group gap="xs" mb="sm" className={classes.tools}>
        <MemberSearch resource={resource} />
        <Filters resource={resource} values={state.f ?? {}} onChange={(f) => change({ f })} />
        {resource.remove === 'soft' && (
          <Switch
            label={text.deleted}
            checked={state.deleted ?? false}
            onChange={(event) => change({ deleted: event.currentTarget.checked })}
          />
        )}
        <Group gap="xs" wrap="nowrap" ml="auto">
          <Views many={resource.many} columns={chosen} setColumns={setChosen} {...{ widths, setWidths }} />
          <Columns resource={resource} chosen={chosen} setChosen={setChosen} reset={reset} />
        </Group>
      </Group>
      <DataTable
        label={resource.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sort={sortOf(state, resource.list.sort, momentOf(resource))}
        onSort={({ by, isDescending }) => change({ sort: `${isDescending ? '-' : ''}${by}` })}
        linkOf={(record) => `/c/${scope.companyId}/${resource.many}/${record.id}`}
        list={list}
        onWidth={setWidth}
        isGone={({ isDeleted }) => isDeleted === true}
        selection={{ ...selection, has: ({ id }) => selection.has(id), nameOf: (row) => titleOf(resource.many, row) }}
        empty={isFiltered ? <NothingFits resource={resource} /> : <Nothing resource={resource} />}
      />
      <SelectionBar {...{ resource, selection, query, columns }} rows={found.rows} total={found.count} />
    </PageBody>
  )
}

function ImportButton() {
  const { companyId } = useScope()
  return (
    <Button component={Link} to={`/c/${companyId}/imports`} variant="default" leftSection={<IconUpload size={16} />}>
      {text.import}
    </Button>
  )
}

/** Shown for a list without any record. */
function Nothing({ resource: { many, title, singular } }: { resource: Resource }) {
  const { companyId } = useScope()
  const mayCreate = useCanWrite() && isCreatable({ many })
  const first = mayCreate && text.emptyHint(singular, importable.has(many))
  return (
    <Empty
      icon={IconTableOff}
      title={text.empty(inSentence(title))}
      hint={[purposes[many], first].filter(Boolean).join(' ')}
    >
      {mayCreate && (
        <Button component={Link} to={`/c/${companyId}/${many}/new`}>
          {text.new(singular)}
        </Button>
      )}
      {!isCreatable({ many }) && (
        <Button component={Link} to={`/c/${companyId}/orders`} variant="default">
          {shell.pages.orders}
        </Button>
      )}
    </Empty>
  )
}
