// The form of a record of any resource: its members in sections, generated from the declaration.
import { Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { useCanWrite, useCompany, useScope } from '../api/company.ts'
import { readRecord, useSave, type Versioned } from '../api/records.ts'
import type { Resource } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Currency } from './currency.ts'
import type { Values } from './draft.ts'
import { FormFrame, type FormPart } from './FormFrame.tsx'
import { MayNotCreate } from './MayNotCreate.tsx'
import { type Inputs, RecordSection } from './RecordSection.tsx'
import { type Section, sectionsOf } from './sections.ts'
import { isSettled } from './settled.ts'
import type { Kept } from './submission.ts'
import { useVersionedForm } from './versioned-form.ts'

/** What a form says about the values that are typed. */
export type RecordNote = ComponentType<{ readonly values: Values }>

interface RecordFormProps {
  readonly resource: Resource
  /** The record that was read; without it, the form creates one. */
  readonly versioned?: Versioned | undefined
  /** Initial values of a new record. */
  readonly initial?: Values | undefined
  /** Other sections than the resource's usual ones. */
  readonly sections?: readonly Section[] | undefined
  /** Inputs of members for which the generated one is not enough. */
  readonly inputs?: Inputs
  readonly onSaved?: ((versioned: Versioned, isNew: boolean) => void) | undefined
  /** Called with whether closing the form would lose something typed. */
  readonly onDirty?: (isDirty: boolean) => void
  /** The key of creating, if it must outlive the form. */
  readonly kept?: Kept
  /** Records that are saved with this one. */
  readonly part?: FormPart | undefined
  /** Changes the body of a new record before it is sent. */
  readonly complete?: (body: Values) => Values
  /** Shown above the buttons. */
  readonly Note?: RecordNote | undefined
  /** Shown below the note. */
  readonly children?: ReactNode
}

export function RecordForm(props: RecordFormProps) {
  const {
    resource,
    versioned,
    initial,
    sections,
    inputs = {},
    onSaved,
    onDirty,
    children,
    part,
    complete,
    kept,
    Note,
  } = props
  const mayWrite = useCanWrite()
  const scope = useScope()
  const save = useSave(resource)
  const form = useVersionedForm({
    versioned,
    members: resource.members,
    initial,
    onSaved,
    onDirty,
    kept,
    read: (id) => readRecord(scope, resource.one, id),
    write: (body, over, key) =>
      save.mutateAsync(
        over === undefined ? { body: complete?.(body) ?? body, key } : { id: over.record.id, etag: over.etag, body },
      ),
  })
  const { draft, errors, isNew } = form
  const { currency } = draft.values
  const { currency: own, status } = useCompany()
  // A record that is marked as deleted cannot be changed. What was typed before the role changed stays where it is.
  const isKept = draft.isTyped && status !== 'suspended'
  const canWrite = (mayWrite || isKept) && versioned?.record.isDeleted !== true
  const needsOne = isNew && resource.requireOneOf.length > 0
  const needed = needsOne ? text.requireOneOf(resource.requireOneOf.map(labelOf).join(', ')) : undefined

  if (isNew && !canWrite) return <MayNotCreate />
  return (
    <FormFrame
      form={form}
      submit={isNew ? text.create(resource.singular) : text.save}
      isReadOnly={!canWrite}
      part={part}
      needed={needed}
    >
      {needed && form.problem === undefined && (
        <Text size="sm" c="dimmed">
          {needed}
        </Text>
      )}
      <Currency value={typeof currency === 'string' && currency !== '' ? currency.toUpperCase() : own}>
        {(sections ?? sectionsOf(resource, versioned?.record.closeTime === undefined)).map((section) => (
          <RecordSection
            key={section.title}
            {...{ section, draft, errors, inputs }}
            isReadOnly={!canWrite}
            isSettled={versioned && ((name) => isSettled(resource.many, name, versioned.record))}
          />
        ))}
      </Currency>
      {Note && canWrite && <Note values={draft.values} />}
      {children}
    </FormFrame>
  )
}
