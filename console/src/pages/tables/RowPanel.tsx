// One row beside the table: all its columns to edit, with conflict handling.
import { Button, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { refresh, type Versioned } from '../../api/records.ts'
import type { CustomTable, CustomTableField } from '../../api/schemas.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { useFormat } from '../../parts/format.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { useVersionedForm } from '../../parts/versioned-form.ts'
import { text } from '../../texts/tables.ts'
import { useRemoval } from '../records/removal.ts'
import { CellInput } from './CellInput.tsx'
import { isLink, readRow, rowOf, rowsOf, writeRow } from './tables.ts'

const { rows: words } = text

interface RowPanelProps {
  readonly table: CustomTable
  readonly fields: readonly CustomTableField[]
  /** `new` for a new row. */
  readonly id: string
  readonly close: () => void
  readonly onDirty: (isDirty: boolean) => void
}

export function RowPanel(props: RowPanelProps) {
  const { table, id } = props
  const scope = useScope()
  const isNew = id === 'new'
  const { data, error, refetch } = useQuery({
    queryKey: [scope.companyId, rowsOf(table._id.$oid), 'one', id],
    queryFn: ({ signal }) => readRow(scope, table.name, id, signal),
    enabled: !isNew,
    gcTime: 0,
  })
  if (isNew) return <RowForm {...props} versioned={undefined} />
  if (data !== undefined) return <RowForm {...props} versioned={data} />
  if (error === null) return <RowsSkeleton rows={5} />
  if (asProblem(error).status === 404) return <Text c="dimmed">{words.gone}</Text>
  return <Failure error={error} retry={() => void refetch()} />
}

function RowForm({ table, fields, versioned, close, onDirty }: RowPanelProps & { versioned: Versioned | undefined }) {
  const scope = useScope()
  const canWrite = useCanWrite()
  const client = useQueryClient()
  const format = useFormat()
  const many = rowsOf(table._id.$oid)
  const remove = useRemoval({ one: rowOf(table.name), many })
  const members = useMemo(() => fields.map(({ name }) => ({ name, schema: {} })), [fields])
  const form = useVersionedForm({
    versioned,
    members,
    onDirty,
    read: (id) => readRow(scope, table.name, id),
    write: async (body, over, key) => {
      const saved = await writeRow(scope, table.name, { body, over, key })
      await refresh(client, scope.companyId, many)
      if (fields.some(isLink)) void refresh(client, scope.companyId, 'customers')
      return saved
    },
    said: versioned === undefined ? words.added : words.saved,
    onSaved: close,
  })
  const { draft, errors, version, isNew } = form

  return (
    <FormFrame
      form={form}
      submit={isNew ? words.create : words.save}
      isReadOnly={!canWrite}
      aside={
        version === undefined ? undefined : (
          <Button
            variant="subtle"
            color="red"
            px="xs"
            leftSection={<IconTrash size={15} />}
            onClick={() => {
              remove(version.record.id, words.noName)
              close()
            }}
          >
            {words.delete}
          </Button>
        )
      }
    >
      {fields.map((field) => (
        <CellInput
          key={field._id.$oid}
          field={field}
          value={draft.values[field.name]}
          onChange={(value) => draft.set(field.name, value)}
          errors={errors}
          isReadOnly={!canWrite}
          description={
            isNew && field.defaultValue !== undefined ? words.defaultIs(String(field.defaultValue)) : undefined
          }
        />
      ))}
      {version !== undefined && (
        <Stack gap={4} fz="sm" c="dimmed">
          <CopyValue value={version.record.id} label={words.id} />
          <span>
            {words.createdAt} {format.dateTime(version.record.createdAt)}
          </span>
        </Stack>
      )}
    </FormFrame>
  )
}
