// The list of any resource: search, filters, sort, chosen columns, exact count, CSV of what is filtered.
import { ActionIcon, Badge, Button, Group, Menu, Switch, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconColumns3, IconDownload, IconPlus, IconSearch, IconTableOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { listQuery, type RecordData } from '../../api/records.ts'
import { type Member, type Resource, useResources } from '../../api/resources.ts'
import { Count } from '../../parts/Count.tsx'
import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { titleOf } from '../../parts/record-title.ts'
import { isMoney, Value } from '../../parts/Value.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { columnsOf, useColumns } from './columns.ts'
import { download, exportList } from './export.ts'
import { Filters } from './Filters.tsx'
import { queryOf, searchedIn, sortOf, useListState } from './list-state.ts'

export function ListPage() {
  const many = useParam('many')
  const resource = useResources().find((one) => one.many === many)
  if (resource === undefined) return <NotFound />
  return <RecordList key={many} resource={resource} />
}

/** Pixels of a column; six usual ones fit beside the name at 1280. */
function widthOf({ name, schema }: Member, isNumber: boolean): number {
  if (schema.format === 'date-time') return 168
  if (name === 'email') return 200
  return isNumber || ['status', 'type', 'source', 'sku'].includes(name) ? 118 : 148
}

function RecordList({ resource }: { resource: Resource }) {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const format = useFormat()
  const [state, change] = useListState()
  const { chosen, setChosen, reset } = useColumns(resource)
  const query = queryOf(resource, state)
  const list = useInfiniteQuery(listQuery(whose, resource.many, query))
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const count = list.data?.pages[0]?.meta.count
  const isFiltered = state.q !== undefined || state.f !== undefined

  const columns = useMemo(() => {
    const all = new Map(columnsOf(resource).map((member) => [member.name, member]))
    return chosen.flatMap((name): (Column<RecordData> & { valueOf: (record: RecordData) => unknown })[] => {
      const sortKey = resource.list.sort.includes(name) ? { sortKey: name } : {}
      if (name === 'name') {
        const isOwn = all.has('name')
        return [
          {
            key: name,
            title: isOwn ? labelOf('name') : labelOf(resource.singular),
            width: 220,
            ...(resource.many === 'customers'
              ? { sortKey: 'lastName' }
              : resource.list.sort.includes('receiptId')
                ? { sortKey: 'receiptId' }
                : sortKey),
            valueOf: (record) => titleOf(resource.many, record),
            render: (record) => (
              <>
                <bdi>{titleOf(resource.many, record)}</bdi>
                {record.isDeleted && (
                  <Badge color="gray" ml={8}>
                    {text.isDeleted}
                  </Badge>
                )}
              </>
            ),
          },
        ]
      }
      if (name === 'total')
        return [
          {
            key: name,
            title: labelOf(name),
            width: 130,
            align: 'right',
            valueOf: ({ summary }) => summary?.total,
            render: ({ summary, currency }) => format.money(summary?.total, currency),
          },
        ]
      const member = all.get(name)
      if (member === undefined) return []
      const { schema } = member
      const isNumber = schema.type === 'number' || schema.type === 'integer' || isMoney(name, schema)
      return [
        {
          key: name,
          title: labelOf(name),
          width: widthOf(member, isNumber),
          ...(isNumber && { align: 'right' as const }),
          ...sortKey,
          valueOf: (record) => record[name],
          render: (record) => (
            <Value member={name} schema={schema} value={record[name]} currency={record.currency} isCell />
          ),
        },
      ]
    })
  }, [chosen, resource, format])

  return (
    <PageBody size="full">
      <PageHeader title={resource.title} aside={<Count of={count} />}>
        <Export resource={resource} columns={columns} state={query} count={count ?? 0} />
        {canWrite && (
          <Button
            component={Link}
            to={`/c/${whose.companyId}/${resource.many}/new`}
            leftSection={<IconPlus size={16} />}
          >
            {text.new(resource.singular)}
          </Button>
        )}
      </PageHeader>
      <Group gap="xs" mb="sm">
        <Search resource={resource} />
        <Filters resource={resource} values={state.f ?? {}} onChange={(f) => change({ f })} />
        {resource.remove === 'soft' && (
          <Switch
            label={text.deleted}
            checked={state.deleted ?? false}
            onChange={(event) => change({ deleted: event.currentTarget.checked })}
          />
        )}
        <Columns resource={resource} chosen={chosen} setChosen={setChosen} reset={reset} />
      </Group>
      <DataTable
        label={resource.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sort={sortOf(state)}
        onSort={({ by, isDescending }) => change({ sort: `${isDescending ? '-' : ''}${by}` })}
        linkOf={(record) => `/c/${whose.companyId}/${resource.many}/${record.id}`}
        list={list}
        isGone={({ isDeleted }) => isDeleted === true}
        empty={
          isFiltered ? (
            <Empty icon={IconTableOff} title={text.nothing} hint={text.nothingHint}>
              <Button variant="default" onClick={() => change({ q: '', f: {} })}>
                {text.clearFilters}
              </Button>
            </Empty>
          ) : (
            <Empty
              icon={IconTableOff}
              title={text.empty(resource.title.toLowerCase())}
              hint={text.emptyHint(resource.singular)}
            >
              {canWrite && (
                <Button component={Link} to={`/c/${whose.companyId}/${resource.many}/new`}>
                  {text.new(resource.singular)}
                </Button>
              )}
            </Empty>
          )
        }
      />
      <div style={{ height: 24, flex: 'none' }} />
    </PageBody>
  )
}

/** Searches while it is typed, in one member at a time, as the lists of the API do. */
function Search({ resource }: { resource: Resource }) {
  const [state, change] = useListState()
  const [typed, setTyped] = useState(state.q ?? '')
  const input = useRef<HTMLInputElement>(null)
  const ask = useDebouncedCallback((q: string) => change({ q: q.trim() }), 250)
  const member = searchedIn(resource, state)

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [contenteditable]') !== null
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [])
  useEffect(() => {
    if (state.q === undefined) setTyped('')
  }, [state.q])

  if (member === undefined) return null
  return (
    <TextInput
      ref={input}
      type="search"
      w={{ base: '100%', xs: 300 }}
      leftSection={<IconSearch size={15} />}
      placeholder={text.search(labelOf(member))}
      aria-label={text.search(labelOf(member))}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        ask(event.currentTarget.value)
      }}
      rightSectionWidth={resource.list.search.length > 1 ? 96 : 0}
      rightSection={
        resource.list.search.length > 1 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                aria-label={`${text.searchIn}: ${labelOf(member)}`}
              >
                {labelOf(member)}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{text.searchIn}</Menu.Label>
              {resource.list.search.map((name) => (
                <Menu.Item key={name} onClick={() => change({ in: name })}>
                  {labelOf(name)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )
      }
    />
  )
}

function Columns({
  resource,
  chosen,
  setChosen,
  reset,
}: {
  resource: Resource
  chosen: readonly string[]
  setChosen: (names: readonly string[]) => void
  reset: () => void
}) {
  const computed = chosen.includes('total') || resource.members.some(({ name }) => name === 'summary') ? ['total'] : []
  const names = [...computed, ...columnsOf(resource).map(({ name }) => name)].filter((name) => name !== 'name')
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Tooltip label={text.columns}>
          <ActionIcon size={36} variant="default" aria-label={text.columns} ml="auto">
            <IconColumns3 size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {names.map((name) => {
          const isShown = chosen.includes(name)
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isShown}
              onChange={() => setChosen(isShown ? chosen.filter((one) => one !== name) : [...chosen, name])}
            >
              {labelOf(name)}
            </Menu.CheckboxItem>
          )
        })}
        <Menu.Divider />
        <Menu.Item onClick={reset}>{text.resetColumns}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface ExportProps {
  readonly resource: Resource
  readonly columns: readonly { readonly title: string; readonly valueOf: (record: RecordData) => unknown }[]
  readonly state: ReturnType<typeof queryOf>
  readonly count: number
}

function Export({ resource, columns, state, count }: ExportProps) {
  const { companyId } = useWhose()
  const [progress, setProgress] = useState<string>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  async function run() {
    stopping.current = new AbortController()
    setProgress(text.exporting(0, count))
    try {
      const { file, rows } = await exportList({
        companyId,
        many: resource.many,
        query: state,
        columns: [{ title: labelOf('id'), valueOf: ({ id }) => id }, ...columns],
        progress: (done, all) => setProgress(text.exporting(done, all)),
        signal: stopping.current.signal,
      })
      download(file, `${resource.many}-${new Date().toISOString().slice(0, 10)}.csv`)
      notifications.show({ message: text.exported(rows), color: 'teal' })
    } catch (error) {
      if (!stopping.current.signal.aborted) notifications.show({ message: asProblem(error).message, color: 'red' })
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={run} disabled={progress !== undefined}>
      {progress ?? text.export}
    </Button>
  )
}
