// A form of one of an organization's records: what is typed, the server's messages at it, and no change of others written over.
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { ownedQuery, readOwned, useOrganizationId, writeOwned } from '../../api/organization.ts'
import { type ApiProblem, asProblem, messagesByPointer } from '../../api/problem.ts'
import type { Versioned } from '../../api/records.ts'
import { newIdempotencyKey } from '../../api/request.ts'
import type { ConflictState } from '../../parts/Conflict.tsx'
import { differing, useDraft, type Values } from '../../parts/draft.ts'
import { withMember } from '../../parts/MemberInput.tsx'
import { text } from '../../texts/records.ts'

interface OwnedFormOptions {
  /** Where a record is created, or the one that is changed: `plans`, `plans/{id}`. */
  readonly path: string
  /** The record as it was read; without it a new one is made. */
  readonly versioned?: Versioned | undefined
  /** Names of all members that the form shows. */
  readonly members: readonly string[]
  readonly initial?: Values
  /** Members as they are sent, where they are held otherwise while they are typed. */
  readonly toBody?: (body: Values) => Values
  readonly onSaved?: (saved: Versioned) => void
  /** Said when it is saved. */
  readonly saved?: string
}

export type OwnedForm = ReturnType<typeof useOwnedForm>

export function useOwnedForm(options: OwnedFormOptions) {
  const { path, versioned, members, initial, toBody = (body) => body, onSaved, saved = text.saved } = options
  const organizationId = useOrganizationId()
  const client = useQueryClient()
  const declared = useMemo(() => members.map((name) => ({ name, schema: {} })), [members])
  const draft = useDraft(versioned?.record, declared, initial)
  const [version, setVersion] = useState(versioned)
  const [problem, setProblem] = useState<ApiProblem>()
  const [conflict, setConflict] = useState<ConflictState>()
  const [isBusy, setBusy] = useState(false)
  const [isTouched, setTouched] = useState(false)
  const key = useRef(newIdempotencyKey())
  const errors = useMemo(() => messagesByPointer(problem), [problem])

  // Another version was read: of members that are no concern of this form, or while nothing is typed here, it is taken as it
  // is. Else the difference is met when it is saved.
  const read = versioned?.etag
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version that was read counts.
  useEffect(() => {
    if (versioned === undefined || version === undefined || versioned.etag === version.etag) return
    if (draft.changed.length === 0) draft.reset(versioned.record)
    else if (differing(members, version.record, versioned.record).length > 0) return
    setVersion(versioned)
  }, [read])

  async function write(body: Values, over = version): Promise<void> {
    const sent = draft.values
    setBusy(true)
    setProblem(undefined)
    try {
      const result = await writeOwned(organizationId, path, {
        body: toBody(body),
        ...(over === undefined ? { method: 'POST', key: key.current } : { method: 'PATCH', etag: over.etag }),
      })
      setConflict(undefined)
      setTouched(false)
      if (over !== undefined) {
        setVersion(result)
        draft.reset(result.record, sent)
        client.setQueryData(ownedQuery(organizationId, path).queryKey, result)
      }
      key.current = newIdempotencyKey()
      void client.invalidateQueries({ queryKey: [organizationId] })
      if (saved !== '') notifications.show({ message: saved, color: 'teal' })
      onSaved?.(result)
    } catch (error) {
      const found = asProblem(error)
      if (found.status === 412 && over !== undefined) await meet()
      else setProblem(found)
      // A key under which another body was sent is of no use for the next try.
      if (found.status !== 0 && found.status < 500) key.current = newIdempotencyKey()
    } finally {
      setBusy(false)
    }
  }

  /** Somebody else was first: shows what they made of it. */
  async function meet(): Promise<void> {
    try {
      const current = await readOwned(organizationId, path)
      setConflict({ current, changed: draft.changed, typed: draft.values })
    } catch (error) {
      if (asProblem(error).status === 404) setConflict({ current: undefined, changed: [], typed: {} })
      else setProblem(asProblem(error))
    }
  }

  const set = (name: string, value: unknown) => {
    setTouched(true)
    draft.set(name, value)
  }
  /** What is wrong at a member, as a sentence. */
  const errorAt = (pointer: string) => {
    const message = errors.get(pointer)
    return message === undefined ? undefined : message.charAt(0).toUpperCase() + message.slice(1)
  }

  return {
    values: draft.values,
    set,
    errorAt,
    problem,
    isBusy,
    isNew: version === undefined,
    isDirty: version === undefined ? isTouched : draft.changed.length > 0,
    conflict,
    closeConflict: () => setConflict(undefined),
    write,
    takeTheirs: (current: Versioned) => {
      setConflict(undefined)
      setVersion(current)
      draft.reset(current.record)
    },
    discard: () => {
      setProblem(undefined)
      setTouched(false)
      draft.reset(version?.record)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      // A form inside another one's page must not send that as well.
      event.stopPropagation()
      const { body } = draft
      void write(
        version === undefined ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body,
      )
    },
    /** Properties of the input of a text. */
    input: (name: string, pointer = `/${name}`) => ({
      value: (draft.values[name] as string | undefined) ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(name, event.currentTarget.value),
      error: errorAt(pointer),
      autoComplete: 'off',
      dir: 'auto' as const,
    }),
    /** The same of a text in an object. */
    inner: (object: string, name: string) => ({
      value: (draft.values[object]?.[name] as string | undefined) ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set(object, withMember(draft.values[object], name, event.currentTarget.value || undefined)),
      error: errorAt(`/${object}/${name}`),
      autoComplete: 'off',
      dir: 'auto' as const,
    }),
    /** Properties of a choice. */
    choice: (name: string) => ({
      value: (draft.values[name] as string | undefined) ?? null,
      onChange: (value: string | null) => set(name, value ?? undefined),
      error: errorAt(`/${name}`),
    }),
  }
}
