// One row in its panel: all its columns to be filled in, with what others made of it meanwhile.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { type ApiProblem, asProblem, messagesByPointer } from '../../api/problem.ts'
import { refresh, type Versioned } from '../../api/records.ts'
import { newIdempotencyKey } from '../../api/request.ts'
import { Conflict, type ConflictState } from '../../parts/Conflict.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { useDraft } from '../../parts/draft.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/tables.ts'
import { useRemoval } from '../records/removal.tsx'
import { CellInput, pointerOf } from './CellInput.tsx'
import { type CustomTable, isLink, readRow, rowOf, rowsOf, type TableField, writeRow } from './tables.ts'

const { rows: words } = text

interface RowPanelProps {
  readonly table: CustomTable
  readonly fields: readonly TableField[]
  /** `new` for a row that is added. */
  readonly id: string
  readonly close: () => void
  /** Told whether something is typed that is not saved. */
  readonly tell: (isDirty: boolean) => void
}

export function RowPanel(props: RowPanelProps) {
  const { table, id } = props
  const whose = useWhose()
  const isNew = id === 'new'
  const { data, error, refetch } = useQuery({
    queryKey: [whose.companyId, rowsOf(table._id.$oid), 'one', id],
    queryFn: ({ signal }) => readRow(whose, table.name, id, signal),
    enabled: !isNew,
    gcTime: 0,
  })
  if (isNew) return <RowForm {...props} versioned={undefined} />
  if (data !== undefined) return <RowForm {...props} versioned={data} />
  if (error === null) return <RowsSkeleton rows={5} />
  if (asProblem(error).status === 404) return <Text c="dimmed">{words.gone}</Text>
  return <Failure error={error} retry={() => void refetch()} />
}

function RowForm({ table, fields, versioned, close, tell }: RowPanelProps & { versioned: Versioned | undefined }) {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const client = useQueryClient()
  const format = useFormat()
  const remove = useRemoval({ one: rowOf(table.name), many: rowsOf(table._id.$oid) })
  const [version, setVersion] = useState(versioned)
  const members = useMemo(() => fields.map(({ name }) => ({ name, schema: {} })), [fields])
  const draft = useDraft(versioned?.record, members)
  const [problem, setProblem] = useState<ApiProblem>()
  const [conflict, setConflict] = useState<ConflictState>()
  const [isBusy, setBusy] = useState(false)
  const key = useRef(newIdempotencyKey())
  const errors = useMemo(() => messagesByPointer(problem), [problem])
  const isNew = version === undefined
  const isDirty = draft.changed.length > 0 && !isBusy
  // Those of the server's messages that stand at no input.
  const others = problem?.errors.filter(({ pointer }) => !fields.some(({ name }) => pointerOf(name) === pointer)) ?? []

  useEffect(() => {
    tell(isDirty)
    return () => tell(false)
  }, [isDirty, tell])

  async function write(body: Readonly<Record<string, unknown>>, over: Versioned | undefined): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await writeRow(whose, table.name, { body, over, key: key.current })
      await refresh(client, whose.companyId, rowsOf(table._id.$oid))
      if (fields.some(isLink)) void refresh(client, whose.companyId, 'customers')
      notifications.show({ message: isNew ? words.added : words.saved, color: 'teal' })
      draft.reset(version?.record)
      close()
    } catch (error) {
      const found = asProblem(error)
      if (found.status === 412 && over !== undefined) await meet(over)
      else setProblem(found)
      if (found.status !== 0 && found.status < 500) key.current = newIdempotencyKey()
    } finally {
      setBusy(false)
    }
  }

  /** Somebody else was first: shows what they made of it. */
  async function meet({ record }: Versioned): Promise<void> {
    try {
      const current = await readRow(whose, table.name, record.id)
      setConflict({ current, changed: draft.changed, typed: draft.values })
    } catch (error) {
      if (asProblem(error).status === 404) setConflict({ current: undefined, changed: [], typed: {} })
      else setProblem(asProblem(error))
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const filled = Object.entries(draft.body).filter(([, value]) => value !== null)
    void write(isNew ? Object.fromEntries(filled) : draft.body, version)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problem && (problem.errors.length === 0 || others.length > 0) && (
          <Alert color="red" role="alert" title={others.length > 0 ? words.wrong : undefined}>
            {others.length > 0 ? others.map(({ message }) => message).join('; ') : problem.message}
          </Alert>
        )}
        {fields.map((field) => (
          <CellInput
            key={field._id.$oid}
            field={field}
            value={draft.values[field.name]}
            onChange={(value) => draft.set(field.name, value)}
            errors={errors}
            isReadOnly={!canWrite}
            description={isNew && field.defaultValue !== undefined ? words.defaultIs(field.defaultValue) : undefined}
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
        {canWrite && (
          <Group justify="space-between" mt="xs">
            {version === undefined ? (
              <span />
            ) : (
              <Button
                variant="subtle"
                color="red"
                px="xs"
                leftSection={<IconTrash size={15} />}
                onClick={() => {
                  draft.reset(version.record)
                  remove(version.record.id, words.noName)
                  close()
                }}
              >
                {words.delete}
              </Button>
            )}
            <Button type="submit" loading={isBusy} disabled={!isNew && draft.changed.length === 0}>
              {isNew ? words.create : words.save}
            </Button>
          </Group>
        )}
      </Stack>
      <Conflict
        conflict={conflict}
        close={() => setConflict(undefined)}
        save={(current, body) => write(body, current)}
        takeTheirs={(current) => {
          setConflict(undefined)
          setVersion(current)
          draft.reset(current.record)
        }}
      />
      <LeaveGuard isDirty={isDirty} />
    </form>
  )
}
