// A field of a table: what it is called, what it takes, and what it refers to.
import { Alert, Button, Group, Modal, Select, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { type ApiProblem, asProblem, messagesByPointer } from '../../api/problem.ts'
import { useResources } from '../../api/resources.ts'
import { text as shell } from '../../texts/shell.ts'
import { text } from '../../texts/tables.ts'
import { CellInput } from './CellInput.tsx'
import { sentence } from './NameInput.tsx'
import {
  type CustomTable,
  type FieldType,
  fieldTypes,
  isLink,
  structureChanged,
  type TableField,
  writeField,
} from './tables.ts'

const { fields: words } = text

interface FieldFormProps {
  readonly table: CustomTable
  readonly fields: readonly TableField[]
  /** Without it one is added. */
  readonly field: TableField | undefined
  readonly close: () => void
}

type Draft = Omit<TableField, '_id' | 'defaultValue'> & { readonly defaultValue?: unknown }

/** A default is kept as a text, and typed in as its type. */
function typedDefault({ type, defaultValue }: TableField): unknown {
  if (defaultValue === undefined) return undefined
  if (type === 'number') return Number(defaultValue)
  return type === 'boolean' ? defaultValue === 'true' : defaultValue
}

export function FieldForm({ table, fields, field, close }: FieldFormProps) {
  const whose = useWhose()
  const client = useQueryClient()
  const resources = useResources()
  const [draft, setDraft] = useState<Draft>(
    field === undefined ? { name: '', type: 'string' } : { ...field, defaultValue: typedDefault(field) },
  )
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const messages = messagesByPointer(problem)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const { name, type, required = false, defaultValue, referenceLinkedCollection, referenceLinkedField } = draft
  const hasLink = fields.some((one) => isLink(one) && one._id.$oid !== field?._id.$oid)
  const collections = [
    ...resources
      // One link to customers is all that a table can have.
      .filter(({ many }) => many !== 'customers' || !hasLink)
      .map(({ many, title }) => ({ value: many, label: title })),
  ]
  if (referenceLinkedCollection !== undefined && !collections.some(({ value }) => value === referenceLinkedCollection))
    collections.push({ value: referenceLinkedCollection, label: referenceLinkedCollection })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const wanted = {
      name: name.trim(),
      type,
      required,
      defaultValue,
      referenceLinkedCollection,
      referenceLinkedField: referenceLinkedCollection === undefined ? undefined : referenceLinkedField,
    }
    const before: Readonly<Record<string, unknown>> =
      field === undefined ? {} : { ...field, required: field.required ?? false, defaultValue: typedDefault(field) }
    const changed = Object.entries(wanted).filter(([member, value]) => value !== before[member])
    const body = Object.fromEntries(
      field === undefined
        ? changed.filter(([, value]) => value !== undefined)
        : changed.map(([member, value]) => [member, value ?? null]),
    )
    setBusy(true)
    setProblem(undefined)
    try {
      await writeField(whose, table._id.$oid, field?._id.$oid, body)
      await structureChanged(client, whose, table._id.$oid)
      notifications.show({ message: field === undefined ? words.added(wanted.name) : words.saved, color: 'teal' })
      close()
    } catch (error) {
      setProblem(asProblem(error))
    } finally {
      setBusy(false)
    }
  }

  const known = ['/name', '/type', '/defaultValue', '/referenceLinkedCollection', '/referenceLinkedField']
  return (
    <Modal opened onClose={close} title={field === undefined ? words.new : words.edit}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problem && !problem.errors.some(({ pointer }) => known.includes(pointer)) && (
            <Alert color="red" role="alert">
              {problem.message}
            </Alert>
          )}
          <TextInput
            label={words.name}
            description={words.nameHint}
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={sentence(messages.get('/name'))}
            maxLength={63}
            required
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            data-autofocus
          />
          <Select
            label={words.type}
            data={fieldTypes.map((value) => ({ value, label: words.types[value] }))}
            value={type}
            onChange={(next) => set({ type: next as FieldType, defaultValue: undefined })}
            error={sentence(messages.get('/type'))}
            allowDeselect={false}
          />
          <Select
            label={words.reference}
            description={words.referenceHint}
            placeholder={words.referenceNone}
            data={collections}
            value={referenceLinkedCollection ?? null}
            onChange={(next) => set({ referenceLinkedCollection: next ?? undefined, defaultValue: undefined })}
            error={sentence(messages.get('/referenceLinkedCollection'))}
            clearable
            searchable
          />
          {referenceLinkedCollection !== undefined && referenceLinkedCollection !== 'customers' && (
            <TextInput
              label={words.referenceMember}
              description={words.referenceMemberHint}
              placeholder="id"
              value={referenceLinkedField ?? ''}
              onChange={(event) => set({ referenceLinkedField: event.currentTarget.value || undefined })}
              error={sentence(messages.get('/referenceLinkedField'))}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <Switch
            label={words.required}
            description={field !== undefined && required && !field.required ? words.requiredNow : words.requiredHint}
            checked={required}
            onChange={(event) => set({ required: event.currentTarget.checked })}
          />
          <CellInput
            key={type}
            field={{ ...draft, _id: { $oid: '' }, name: 'defaultValue', required: false, defaultValue: '' }}
            label={words.defaultLabel}
            description={words.defaultHint}
            value={defaultValue}
            onChange={(value) => set({ defaultValue: value })}
            errors={messages}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {shell.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
              {field === undefined ? words.create : words.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
