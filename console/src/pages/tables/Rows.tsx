// The rows of a table as a grid; a row opens beside it for editing.

import { Button, Group, Text } from '@mantine/core'
import { IconColumns3, IconDownload, IconPlus, IconTableOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import { useResources } from '../../api/resources.ts'
import type { CustomTable, CustomTableField } from '../../api/schemas.ts'
import { locale } from '../../language.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { today } from '../../parts/days.ts'
import { download } from '../../parts/download.ts'
import { Empty } from '../../parts/Empty.tsx'
import { FormDrawer } from '../../parts/FormDrawer.tsx'
import { useFormat } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { useRows } from '../../parts/rows.ts'
import { useTimeZone } from '../../parts/time-zone.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/tables.ts'
import { referenceNames } from '../records/reference-names.ts'
import { Cell } from './Cell.tsx'
import { csvOf } from './csv.ts'
import { RowPanel } from './RowPanel.tsx'
import { allRows, collectionOf, rowsQuery } from './tables.ts'

const { rows: words } = text

export function Rows({ table, fields }: { table: CustomTable; fields: readonly CustomTableField[] }) {
  const scope = useScope()
  const canWrite = useCanWrite()
  const navigate = useNavigate()
  const { row: open } = useSearch({ strict: false }) as { row?: string }
  const list = useInfiniteQuery(rowsQuery(scope, table._id.$oid, table.name))
  const { rows, count } = useRows(list)
  const columns = useColumns(fields)
  const show = (row: string | undefined) =>
    void navigate({ to: '.', search: { tab: 'data', ...(row !== undefined && { row }) } as never, replace: true })
  const add = canWrite && (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => show('new')}>
      {words.add}
    </Button>
  )

  if (fields.length === 0)
    return (
      <Empty icon={IconColumns3} title={words.noFields} hint={words.noFieldsHint}>
        {canWrite && (
          <Button onClick={() => void navigate({ to: '.', search: { tab: 'structure' } as never })}>
            {words.toStructure}
          </Button>
        )}
      </Empty>
    )
  return (
    <>
      <Group mb="sm" gap="xs">
        <Text size="sm" c="dimmed" role="status" mr="auto">
          {count?.toLocaleString(locale)}
        </Text>
        <Export table={table} fields={fields} isEmpty={count === 0} />
        {add}
      </Group>
      <DataTable
        label={table.name}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/c/${scope.companyId}/tables/${table._id.$oid}?tab=data&row=${id}`}
        list={list}
        empty={
          <Empty icon={IconTableOff} title={words.empty} hint={words.emptyHint}>
            {add}
          </Empty>
        }
      />
      <FormDrawer
        isOpen={open !== undefined}
        title={open === 'new' ? words.new : words.edit}
        close={() => show(undefined)}
      >
        {({ onDirty, end }) => (
          <RowPanel key={open} table={table} fields={fields} id={open as string} close={end} onDirty={onDirty} />
        )}
      </FormDrawer>
    </>
  )
}

const widths = { string: 200, number: 130, boolean: 110, date: 190, 'json-string': 240 } as const

function useColumns(fields: readonly CustomTableField[]): readonly Column<RecordData>[] {
  const resources = useResources()
  const format = useFormat()
  return useMemo(
    () => [
      ...fields.map((field, n): Column<RecordData> => {
        const collection = collectionOf(field, resources)
        return {
          key: field._id.$oid,
          title: field.name,
          width: widths[field.type],
          align: field.type === 'number' ? 'right' : 'left',
          isTitled: field.type === 'number' || field.type === 'boolean',
          render: (row) => {
            const value = row[field.name]
            // The first cell is the link to the row: it needs a text even if it is empty.
            if (n === 0 && (value === undefined || value === '')) return <span className="muted">{words.noName}</span>
            return <Cell field={field} value={value} collection={collection} />
          },
        }
      }),
      {
        key: 'updatedAt',
        title: words.updatedAt,
        width: 190,
        render: ({ updatedAt }) => <span className="muted">{format.dateTime(updatedAt)}</span>,
      },
    ],
    [fields, resources, format],
  )
}

function Export({
  table,
  fields,
  isEmpty,
}: {
  table: CustomTable
  fields: readonly CustomTableField[]
  isEmpty: boolean
}) {
  const scope = useScope()
  const resources = useResources()
  const timeZone = useTimeZone()
  const { isBusy, run: act } = useAction()

  const run = () =>
    act(async () => {
      const rows = await allRows(scope, table.name)
      const file = await csvOf({
        fields,
        rows,
        timeZone,
        names: referenceNames(scope, resources),
        collectionOf: (field) => collectionOf(field, resources),
      })
      download(file, `${table.name}-${today(timeZone)}.csv`)
      notify(words.exported(rows.length))
    })

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={15} />}
      onClick={run}
      disabled={isBusy || isEmpty}
    >
      {isBusy ? words.exporting : words.export}
    </Button>
  )
}
