// A form over one version of a record: its input, saving, and conflicts with other changes.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ApiProblem, asProblem, messagesByPointer } from '../api/problem.ts'
import type { Versioned } from '../api/records.ts'
import type { Member } from '../api/resources.ts'
import { text } from '../texts/records.ts'
import type { ConflictState } from './Conflict.tsx'
import { type Draft, differing, useDraft, type Values } from './draft.ts'
import { notify } from './notices.ts'
import { type Kept, useSubmission } from './submission.ts'
import { isUnreadable, refuseUnreadable } from './unreadable.ts'

interface FormOptions {
  /** The record that was read; without it, the form creates one. */
  readonly versioned: Versioned | undefined
  /** Members that the form shows; the array must be the same in every render. */
  readonly members: readonly Member[]
  /** Initial values of a new record. */
  readonly initial?: Values | undefined
  /** Reads the current record after a conflict. Rejects with 404 if it was deleted. */
  readonly read: (id: string) => Promise<Versioned>
  /** Creates the record, once for each key, or changes the version that was read. */
  readonly write: (body: Values, over: Versioned | undefined, key: string) => Promise<Versioned>
  readonly onSaved?: ((saved: Versioned, isNew: boolean) => void) | undefined
  /** Called with whether closing the form would lose something typed. */
  readonly onDirty?: ((isDirty: boolean) => void) | undefined
  /** The key of creating, if it must outlive the form: what was created is not created again if its response was lost. */
  readonly kept?: Kept | undefined
  /** The notice after saving; none if empty. */
  readonly said?: string | undefined
}

export interface VersionedForm {
  readonly draft: Draft
  /** The version that a save is based on; undefined for a new record. */
  readonly version: Versioned | undefined
  readonly isNew: boolean
  readonly isBusy: boolean
  /** Whether leaving would lose something typed. */
  readonly isDirty: boolean
  readonly problem: ApiProblem | undefined
  /** Errors from the server, by pointer. */
  readonly errors: ReadonlyMap<string, string>
  readonly conflict: ConflictState | undefined
  readonly closeConflict: () => void
  readonly write: (body: Values, over: Versioned | undefined) => Promise<void>
  readonly takeTheirs: (current: Versioned) => void
  readonly discard: () => void
  readonly submit: (event: FormEvent) => void
}

/** The version that the form is over, the newest one that was read, and a conflict between them. */
function useVersion({ versioned, members }: FormOptions, draft: Draft, isBusy: boolean) {
  const [version, setVersion] = useState(versioned)
  const [conflict, setConflict] = useState<ConflictState>()
  const newest = useRef(versioned)
  const own = members.filter(({ isServerOwned }) => !isServerOwned).map(({ name }) => name)

  // A newer version was read. The form adopts it if nothing is typed, or if none of the form's members differ;
  // otherwise the difference is a conflict when the form is saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a version was read.
  useEffect(() => {
    newest.current = versioned ?? newest.current
    if (versioned === undefined || version === undefined || versioned.etag === version.etag || isBusy) return
    if (!draft.isTyped) draft.reset(versioned.record)
    else if (differing(own, version.record, versioned.record).length > 0) return
    setVersion(versioned)
  }, [versioned])

  function begin(from: Versioned, sent?: Values) {
    newest.current = from
    setConflict(undefined)
    setVersion(from)
    draft.reset(from.record, sent)
  }

  return { version, conflict, setConflict, newest, own, begin }
}

/** What to do when another user was first. */
function useMeeting(
  { read, members }: FormOptions,
  { own, newest, setConflict }: ReturnType<typeof useVersion>,
  latest: RefObject<Values>,
) {
  const client = useQueryClient()
  /** Shows the conflict, unless the current record is exactly what was sent: then only the response was lost. */
  return async ({ record }: Versioned, sent: Values): Promise<Versioned | undefined> => {
    try {
      const current = await read(record.id)
      newest.current = current
      const isGone = current.record.isDeleted === true
      const wanted = differing(own, record, sent)
      if (!isGone && differing(wanted, current.record, sent).length === 0) {
        // Lists do not show it yet.
        void client.invalidateQueries()
        return current
      }
      setConflict({
        current: isGone ? undefined : current,
        changed: differing(own, record, latest.current),
        typed: latest.current,
        members,
      })
    } catch (error) {
      if (asProblem(error).status !== 404) throw error
      setConflict({ current: undefined, changed: [], typed: {}, members })
    }
    return undefined
  }
}

/** Whether the form is still on the page. */
function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}

/** The draft; each input that is typed in loses its errors. */
function useCorrected(draft: Draft, correct: (member: string) => void): Draft {
  const { set } = draft
  return {
    ...draft,
    set: useCallback(
      (name, value) => {
        set(name, value)
        correct(name)
      },
      [set, correct],
    ),
  }
}

/** The members that have a value. */
const valuesSet = (body: Values): Values =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))

export function useVersionedForm(options: FormOptions): VersionedForm {
  const { versioned, members, initial, onSaved, onDirty, said } = options
  const { isBusy, problem, forget, correct, run } = useSubmission(options.kept)
  const draft = useCorrected(useDraft(versioned?.record, members, initial), correct)
  // Unreadable inputs show their own errors.
  const errors = useMemo(
    () => (problem?.errors.some(isUnreadable) ? new Map<string, string>() : messagesByPointer(problem)),
    [problem],
  )
  const latest = useRef(draft.values)
  latest.current = draft.values
  const versions = useVersion(options, draft, isBusy)
  const { version, conflict, setConflict, newest, begin } = versions
  const meet = useMeeting(options, versions, latest)
  const isNew = version === undefined
  // Also during saving, which may fail.
  const isDirty = draft.isTyped
  const isOpen = useIsOpen()

  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])

  const write = (body: Values, over: Versioned | undefined): Promise<void> =>
    run(async (key) => {
      const sent = draft.values
      try {
        refuseUnreadable(body)
      } catch (error) {
        setConflict(undefined)
        throw error
      }
      const saved = await options.write(body, over, key).catch((error) => {
        // The server's errors are in the form, so the question must not cover it.
        setConflict(undefined)
        if (over === undefined || asProblem(error).status !== 412) throw error
        return meet(over, sent)
      })
      if (saved === undefined) return
      // The user has typed more in the meantime, so the form stays.
      const isDone = latest.current === sent
      // At once, so that nothing counts as unsaved when the form closes.
      flushSync(() => begin(saved, sent))
      if (said !== '') notify(said ?? (isNew ? text.created : text.saved))
      // If the form was closed in the meantime, another one may have taken its place.
      if (isDone && isOpen.current) onSaved?.(saved, isNew)
    })

  return {
    draft,
    version,
    isNew,
    isBusy,
    isDirty,
    problem,
    errors,
    conflict,
    write,
    closeConflict: () => setConflict(undefined),
    takeTheirs: begin,
    discard: () => {
      forget()
      if (newest.current !== undefined) begin(newest.current)
    },
    submit: (event) => {
      // React also bubbles events of forms in drawers that were opened from this one.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      void write(isNew ? valuesSet(draft.body) : draft.body, version)
    },
  }
}
