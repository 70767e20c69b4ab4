// The form of a record of any resource: its members in sections, the server's messages at them, and no change of others written over.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useCanWrite, useCompany, useWhose } from '../api/company.ts'
import { type ApiProblem, asProblem, messagesByPointer } from '../api/problem.ts'
import { readRecord, useSave, type Versioned } from '../api/records.ts'
import { newIdempotencyKey } from '../api/request.ts'
import type { Resource } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { Conflict, type ConflictState } from './Conflict.tsx'
import { Currency } from './currency.ts'
import { useDraft, type Values } from './draft.ts'
import classes from './RecordForm.module.css'
import { type Inputs, RecordSection } from './RecordSection.tsx'
import { type Section, sectionsOf } from './sections.ts'
import { LeaveGuard } from './unsaved.tsx'

interface RecordFormProps {
  readonly resource: Resource
  /** The record as it was read; without it a new one is made. */
  readonly versioned?: Versioned | undefined
  /** What a new record begins with. */
  readonly initial?: Values
  /** Other sections than those by which the resource is usually laid out. */
  readonly sections?: readonly Section[]
  /** Inputs of members for which the one made of the declaration would not do. */
  readonly inputs?: Inputs
  readonly onSaved: (versioned: Versioned, isNew: boolean) => void
  /** Hears whether something typed would be lost by closing the form. */
  readonly onDirty?: (isDirty: boolean) => void
  /** Stands after the first section; it may hold forms of its own, in drawers. */
  readonly inserted?: ReactNode
  /** Stands above the buttons. */
  readonly children?: ReactNode
}

export function RecordForm(props: RecordFormProps) {
  const { resource, versioned, initial, sections, inputs = {}, onSaved, onDirty, children, inserted } = props
  // A record that is flagged as deleted takes no changes.
  const canWrite = useCanWrite() && versioned?.record.isDeleted !== true
  const whose = useWhose()
  const save = useSave(resource)
  const draft = useDraft(versioned?.record, resource.members, initial)
  const [version, setVersion] = useState(versioned)
  const [problem, setProblem] = useState<ApiProblem>()
  const [conflict, setConflict] = useState<ConflictState>()
  const [isBusy, setBusy] = useState(false)
  const key = useRef(newIdempotencyKey())
  const latest = useRef(draft.values)
  latest.current = draft.values
  const alert = useRef<HTMLDivElement>(null)
  const errors = useMemo(() => messagesByPointer(problem), [problem])
  const shown = sections ?? sectionsOf(resource)
  const isNew = version === undefined
  const isDirty = draft.isTyped && !isBusy
  const { currency: own } = useCompany()

  useEffect(() => {
    if (problem) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])

  // What somebody else saved meanwhile is shown at once where nothing is typed over it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another version was read.
  useEffect(() => {
    if (versioned === undefined || versioned.etag === version?.etag || draft.isTyped || isBusy) return
    setVersion(versioned)
    draft.reset(versioned.record)
  }, [versioned])

  async function write(body: Readonly<Record<string, unknown>>, over: Versioned | undefined): Promise<void> {
    const sent = draft.values
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await save.mutateAsync(
        over === undefined ? { body, key: key.current } : { id: over.record.id, etag: over.etag, body },
      )
      setConflict(undefined)
      setVersion(saved)
      draft.reset(saved.record, sent)
      key.current = newIdempotencyKey()
      notifications.show({ message: isNew ? text.created : text.saved, color: 'teal' })
      // Who typed on meanwhile has not finished: the form stays.
      if (latest.current === sent) onSaved(saved, isNew)
    } catch (error) {
      const found = asProblem(error)
      if (found.status === 412 && over !== undefined) await meet(over)
      else setProblem(found)
      // A key under which another body was sent is of no use for the next try.
      if (found.status !== 0 && found.status < 500) key.current = newIdempotencyKey()
    } finally {
      setBusy(false)
    }
  }

  /** Somebody else was first: shows what they made of it. */
  async function meet({ record }: Versioned): Promise<void> {
    try {
      const current = await readRecord(whose, resource.one, record.id)
      setConflict({
        current: current.record.isDeleted ? undefined : current,
        changed: draft.changed,
        typed: draft.values,
      })
    } catch (error) {
      if (asProblem(error).status === 404) setConflict({ current: undefined, changed: [], typed: {} })
      else setProblem(asProblem(error))
    }
  }

  function submit(event: FormEvent) {
    // React also tells of the forms of drawers that were opened from within this one.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    const { body } = draft
    void write(isNew ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body, version)
  }

  function takeTheirs(current: Versioned) {
    setConflict(undefined)
    setVersion(current)
    draft.reset(current.record)
    onSaved(current, false)
  }

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="lg">
        {problem && (
          <Alert color="red" role="alert" ref={alert} title={problem.errors.length > 0 ? text.wrong : undefined}>
            {problem.errors.length > 0 ? (
              <ul className={classes.messages}>
                {problem.errors.map(({ pointer, message }) => (
                  <li key={pointer + message}>
                    {pointer.slice(1).split('/').map(labelOf).join(' › ')}: {message}
                  </li>
                ))}
              </ul>
            ) : (
              problem.message
            )}
          </Alert>
        )}
        {isNew && resource.requireOneOf.length > 0 && (
          <Text size="sm" c="dimmed">
            {text.requireOneOf(resource.requireOneOf.map(labelOf).join(', '))}
          </Text>
        )}
        <Currency value={typeof draft.values.currency === 'string' ? draft.values.currency : own}>
          {shown.map((section, n) => (
            <Fragment key={section.title}>
              <RecordSection section={section} draft={draft} errors={errors} isReadOnly={!canWrite} inputs={inputs} />
              {n === 0 && inserted}
            </Fragment>
          ))}
        </Currency>
        {children}
        {canWrite && (
          <div className={classes.bar} data-dirty={draft.isTyped || undefined}>
            <Text size="sm" c="dimmed" role="status">
              {draft.isTyped ? text.unsaved : ''}
            </Text>
            <Group gap="xs">
              {draft.changed.length > 0 && !isNew && (
                <Button variant="default" onClick={() => draft.reset(version?.record)}>
                  {text.discard}
                </Button>
              )}
              <Button type="submit" loading={isBusy} disabled={!isNew && draft.changed.length === 0}>
                {isNew ? text.new(resource.one.replaceAll('-', ' ')).replace(/^New/, 'Create') : text.save}
              </Button>
            </Group>
          </div>
        )}
      </Stack>
      <Conflict
        conflict={conflict}
        close={() => setConflict(undefined)}
        save={(current, body) => write(body, current)}
        takeTheirs={takeTheirs}
      />
      <LeaveGuard isDirty={isDirty} />
    </form>
  )
}
