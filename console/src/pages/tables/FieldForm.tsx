// A field of a table: its name, its type, and what it refers to.
import { Select, Skeleton, Switch, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import { useResources } from '../../api/resources.ts'
import type { CustomTable, CustomTableField } from '../../api/schemas.ts'
import type { Draft, Values } from '../../parts/draft.ts'
import { Failure } from '../../parts/Failure.tsx'
import { FormDrawer } from '../../parts/FormDrawer.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { sentence } from '../../parts/messages.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { useVersionedForm } from '../../parts/versioned-form.ts'
import { text } from '../../texts/tables.ts'
import { CellInput } from './CellInput.tsx'
import { fieldTypes, isLink, readField, structureChanged, writeField } from './tables.ts'

const { fields: words } = text
const members = ['name', 'type', 'required', 'defaultValue', 'referenceLinkedCollection', 'referenceLinkedField'].map(
  (name) => ({ name, schema: {} }),
)
const initial = { type: 'string', required: false }

interface FieldFormProps {
  readonly table: CustomTable
  readonly fields: readonly CustomTableField[]
  /** Without it, one is added. */
  readonly field: CustomTableField | undefined
  readonly close: () => void
}

/** A default is stored as text, and entered in the field's type. */
function typedDefault({ type, defaultValue }: Values): unknown {
  if (defaultValue === undefined) return undefined
  if (type === 'number') return Number(defaultValue)
  return type === 'boolean' ? defaultValue === 'true' : defaultValue
}

/** A field as it is entered. */
const typed = ({ record, etag }: Versioned): Versioned => ({
  record: { ...record, required: record.required ?? false, defaultValue: typedDefault(record) },
  etag,
})

export function FieldForm(props: FieldFormProps) {
  const { table, field, close } = props
  const scope = useScope()
  const id = field?._id.$oid
  // Lists contain no versions; a change is based on the version that was read.
  const { data, error, refetch } = useQuery({
    queryKey: [scope.companyId, 'custom-tables', 'fields', table._id.$oid, id],
    queryFn: async ({ signal }) => typed(await readField(scope, id as string, signal)),
    enabled: id !== undefined,
    gcTime: 0,
  })
  return (
    <FormDrawer isOpen title={field === undefined ? words.new : words.edit} close={close}>
      {({ onDirty, end }) =>
        field === undefined || data !== undefined ? (
          <Inputs {...props} close={end} versioned={data} onDirty={onDirty} />
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton h={420} />
        )
      }
    </FormDrawer>
  )
}

/** The default value as a cell of the field. */
const fieldOfDefault = ({ type, referenceLinkedCollection, referenceLinkedField }: Values) => ({
  name: 'defaultValue',
  type,
  required: false,
  defaultValue: '',
  referenceLinkedCollection,
  referenceLinkedField,
})

interface InputsProps extends FieldFormProps {
  readonly versioned: Versioned | undefined
  readonly onDirty: (isDirty: boolean) => void
}

function Inputs({ table, fields, field, close, versioned, onDirty }: InputsProps) {
  const scope = useScope()
  const client = useQueryClient()
  const tableId = table._id.$oid
  const form = useVersionedForm({
    versioned,
    members,
    initial,
    onSaved: close,
    onDirty,
    read: async (id) => typed(await readField(scope, id)),
    write: async (body, over, key) => {
      // A space at an end is not seen, and would be part of the name in requests.
      const named = typeof body.name === 'string' ? { ...body, name: body.name.trim() } : body
      const saved = await writeField(scope, tableId, { body: named, over, key })
      await structureChanged(client, scope, tableId)
      return typed(saved)
    },
    said: field === undefined ? words.added : words.saved,
  })
  const { draft, errors, isNew } = form
  const { set, values } = draft
  const { name = '', type, required, defaultValue } = values
  const errorAt = (member: string) => sentence(errors.get(`/${member}`))

  return (
    <FormFrame form={form} submit={isNew ? words.create : words.save}>
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={name}
        onChange={(event) => set('name', event.currentTarget.value)}
        error={errorAt('name')}
        maxLength={63}
        required
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        {...firstInput()}
      />
      <Select
        label={words.type}
        data={fieldTypes.map((value) => ({ value, label: words.types[value] }))}
        value={type}
        onChange={(next) => {
          set('type', next)
          set('defaultValue', undefined)
        }}
        error={errorAt('type')}
      />
      <ReferenceTarget {...{ fields, field, draft, errorAt }} />
      <Switch
        label={words.required}
        description={field !== undefined && required && !field.required ? words.requiredNow : words.requiredHint}
        checked={required}
        onChange={(event) => set('required', event.currentTarget.checked)}
      />
      <CellInput
        key={type}
        field={fieldOfDefault(values)}
        label={words.defaultLabel}
        description={words.defaultHint}
        value={defaultValue}
        onChange={(value) => set('defaultValue', value)}
        errors={errors}
      />
    </FormFrame>
  )
}

interface ReferenceTargetProps extends Pick<InputsProps, 'fields' | 'field'> {
  readonly draft: Draft
  readonly errorAt: (member: string) => string | undefined
}

/** The collection that the field's values refer to, and the member of it. */
function ReferenceTarget({ fields, field, draft: { set, values }, errorAt }: ReferenceTargetProps) {
  const { referenceLinkedCollection: many, referenceLinkedField } = values
  return (
    <>
      <Select
        label={words.reference}
        description={words.referenceHint}
        placeholder={words.referenceNone}
        data={useCollections(fields, field, many)}
        value={many ?? null}
        onChange={(next) => {
          set('referenceLinkedCollection', next ?? undefined)
          set('defaultValue', undefined)
          if (next === null) set('referenceLinkedField', undefined)
        }}
        error={errorAt('referenceLinkedCollection')}
        clearable
        searchable
      />
      {many !== undefined && many !== 'customers' && (
        <TextInput
          label={words.referenceMember}
          description={words.referenceMemberHint}
          placeholder="id"
          value={referenceLinkedField ?? ''}
          onChange={(event) => set('referenceLinkedField', event.currentTarget.value || undefined)}
          error={errorAt('referenceLinkedField')}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  )
}

/** What a field can refer to, plus its current target, whatever that is. */
function useCollections(
  fields: readonly CustomTableField[],
  field: CustomTableField | undefined,
  chosen: string | undefined,
) {
  const resources = useResources()
  const hasLink = fields.some((one) => isLink(one) && one._id.$oid !== field?._id.$oid)
  const known = resources
    // A table can have only one link to customers.
    .filter(({ many }) => many !== 'customers' || !hasLink)
    .map(({ many, title }) => ({ value: many, label: title }))
  const isOther = chosen !== undefined && !known.some(({ value }) => value === chosen)
  return isOther ? [...known, { value: chosen, label: chosen }] : known
}
